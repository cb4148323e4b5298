import SceneNavigation
import SceneRouting
@testable import SceneRuntime
import Testing

@Suite("Actions in the words of a client")
struct SceneActionReadingTests {
    @Test(
        "a gesture is read by its name",
        arguments: [
            ("back", nil, nil, .back), ("back", nil, false, .back), ("dismiss", nil, nil, .dismiss),
            ("swipeBack", nil, nil, .swipeBack()), ("swipeBack", nil, true, .swipeBack(cancelled: true)),
            ("swipeDown", nil, false, .swipeDown()), ("swipeDown", nil, true, .swipeDown(cancelled: true)),
            ("selectTab", "orders", nil, .selectTab("orders")),
        ] as [(String, String?, Bool?, Gesture)]
    )
    func gestures(name: String, tab: String?, cancelled: Bool?, gesture: Gesture) throws {
        #expect(try SceneAction.gesture(named: name, tab: tab, cancelled: cancelled) == .gesture(gesture))
    }

    @Test("what a gesture does not take, or lacks, is named")
    func wrongGestures() {
        func refused(_ name: String, _ tab: String? = nil, _ cancelled: Bool? = nil) -> String? {
            parameter { () throws(AdmissionError) in
                try SceneAction.gesture(named: name, tab: tab, cancelled: cancelled)
            }
        }
        #expect(refused("pinch") == "gesture")
        #expect(refused("selectTab") == "tab")
        for name in ["back", "swipeBack", "dismiss", "swipeDown"] { #expect(refused(name, "orders") == "tab") }
        #expect(refused("selectTab", "orders", true) == "cancelled")
        for name in ["back", "dismiss"] { #expect(refused(name, nil, true) == "cancelled") }
    }

    @Test("a completed flow says who signed in and what it found out, a cancelled one neither")
    func flows() throws {
        let facts: [String: FactValue] = ["order": .string("o7")]
        let completion = FlowCompletion(user: "anna", facts: facts)
        #expect(
            try SceneAction.finishFlow("auth", result: "completed", user: "anna", facts: facts)
                == .finishFlow("auth", .completed(completion))
        )
        #expect(try SceneAction.finishFlow("auth", result: "cancelled") == .finishFlow("auth", .cancelled))
        func refused(_ result: String, _ user: String? = nil, _ facts: [String: FactValue] = [:]) -> String? {
            parameter { () throws(AdmissionError) in
                try SceneAction.finishFlow("auth", result: result, user: user, facts: facts)
            }
        }
        #expect(refused("cancelled", "anna") == "user")
        #expect(refused("cancelled", nil, facts) == "facts")
        #expect(refused("done") == "result")
    }

    /// The parameter that is named by the error; `nil` if nothing is wrong.
    private func parameter(_ read: () throws(AdmissionError) -> SceneAction) -> String? {
        do throws(AdmissionError) {
            _ = try read()
            return nil
        } catch {
            guard case .route(.validationFailed(let parameter, _)) = error else { return "\(error)" }
            return parameter
        }
    }
}
