import SceneHistory
import SceneNavigation
import SceneRouting
import SceneRuntime
import StrictJSON
import Testing

/// What an intent is answered with (<doc:/SceneRuntime/Windows>).
@Suite("An intent's answer", .timeLimit(.minutes(15)))
struct AnswerTests {
    @Test("sees the session as the effects before leave it, and is in the receipt and the record")
    func told() async throws {
        let club = try Club()
        try await club.signIn()
        #expect(try await club.tap("keysWanted").answer == [:], "facts without a value are left out")
        _ = try await club.host.session.commit(set: ["keys": .strings(["7"])])
        let receipt = try await club.tap("keysWanted")
        #expect(receipt.outcome == .delivered)
        #expect(receipt.answer == ["keys": .strings(["7"])])
        #expect(try await club.tap("rate").answer == nil)
        try await club.open("card")
        let joined = try await club.tap("joined")
        #expect(joined.answer == ["member": .boolean(true)])
        #expect(club.host.receipt(event: joined.event)?.answer == joined.answer)
        await club.end()
    }

    @Test("is nothing when its user has left, and when it is too large")
    func withheld() async throws {
        let club = try Club()
        try await club.signIn()
        let keys = (0..<400).map { "\($0)" + String(repeating: "k", count: 50) }
        _ = try await club.host.session.commit(set: ["keys": .strings(keys)])
        let refused = try await club.tap("keysWanted")
        #expect(refused.outcome == .rejected(reason: "intentFailed"))
        #expect(refused.answer == nil)
        let error = club.records.last { $0["kind"] == "intent.bubbled" }?["error"]?.stringValue
        #expect(error?.hasSuffix("bytes; one may take 16384") ?? false, "\(error ?? "")")
        await club.end()
    }

    @Test("is known to the checker: another one, a missing or an additional one is violated")
    func falsified() async throws {
        let club = try Club()
        try await club.signIn()
        _ = try await club.host.session.commit(set: ["keys": .strings(["7"])])
        try await club.tap("keysWanted")
        await club.host.drain()
        let honest = club.records
        let bubbled = try #require(honest.lastIndex { $0["kind"] == "intent.bubbled" })
        #expect(checked(honest, app: club.manifest).conclusion == .holds)
        for answer: JSONValue? in [nil, [:], ["keys": ["8"]], ["keys": ["7"], "member": true], ["keys": "7"]] {
            var records = honest
            records[bubbled]["answer"] = answer
            #expect(checked(records, app: club.manifest).violated == [.agreement], "\(answer?.text() ?? "none")")
        }
    }

    /// A coordinator that answers whatever it is asked.
    private final class Answering: FlowCoordinator {
        func handle(_ intent: Intent, from screen: Destination, context: FlowContext) -> [FlowCommand]? {
            [.answer(["a": .integer(1), "b": .string("x")]), .answer(["b": .string(screen.id)])]
        }
    }

    @Test("of a coordinator in Swift is what its commands say together")
    func inSwift() async throws {
        let manifest = try RandomWalkTests.app("club")
        let code = AppCode { flow, _ in flow == "courts" ? Answering() : nil }
        let host = try SceneHost(id: "club", manifest: manifest, code: code)
        try host.connect(scene: "A")
        try await host.session.signIn(user: "mina")
        await host.quiesce()
        let receipt = await host.receipt(
            of: try host.admit(Submission(.intent(Intent(name: "anything")), scene: "A"))
        )
        #expect(receipt.answer == ["a": .integer(1), "b": .string("courts")])
        await host.drain()
        let report = checked(host.records.read(after: 0).records.map(\.json), app: manifest)
        #expect(report.violated.isEmpty, "\(report.text)")
    }
}
