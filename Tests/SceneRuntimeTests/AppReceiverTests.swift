import SceneEntryPoints
import SceneNavigation
import SceneRouting
@testable import SceneRuntime
import StrictJSON
import TestFixtures
import Testing

/// What is silent wakes no window: a connected one gets it, or else the app itself (<doc:/SceneRuntime/MailboxOrder>).
@Suite("The mailbox of the app", .timeLimit(.minutes(15)))
struct AppReceiverTests {
    /// Every kind of event that is silent.
    static func silent() throws -> [(name: String, event: EntryEvent)] {
        let alert: JSONValue = ["alert": "x"]
        let order: JSONValue = ["alert": "x", "category": "ORDER"]
        let view = "com.example.shop.view"
        return [
            ("content-available alone", try .push(payload: ["aps": ["content-available": 1]])),
            ("a push that was presented", try .push(payload: ["aps": alert], interaction: "present")),
            ("a push that was dismissed", try .push(payload: ["aps": order], interaction: "dismiss")),
            ("a Handoff that is announced", try .activity(activityType: view, announced: true)),
            ("a Handoff that has failed", try .activity(activityType: view, failure: "gone")),
        ]
    }

    /// The scenes of a host before the event, and who gets it.
    struct Place: CustomStringConvertible {
        let description: String
        let scene: String?
        let prepare: @Sendable (TestHost) async throws -> Void
        let receiver: String?
    }

    static let places = [
        Place(
            description: "no window at all",
            scene: nil,
            prepare: { try await $0.host.discard(scene: "A") },
            receiver: nil
        ),
        Place(description: "a window in front", scene: "A", prepare: { _ in }, receiver: "A"),
        Place(description: "a window that is chosen", scene: nil, prepare: { _ in }, receiver: "A"),
        Place(
            description: "a window in the background",
            scene: "A",
            prepare: {
                try await $0.host.setActivation(.foregroundInactive, of: "A")
                try await $0.host.setActivation(.background, of: "A")
            },
            receiver: "A"
        ),
        Place(
            description: "a disconnected window that is named",
            scene: "A",
            prepare: { try await $0.host.disconnect(scene: "A") },
            receiver: nil
        ),
        Place(
            description: "no window but a disconnected one",
            scene: nil,
            prepare: { try await $0.host.disconnect(scene: "A") },
            receiver: nil
        ),
        Place(
            description: "a disconnected window that was active last, and another",
            scene: nil,
            prepare: {
                try $0.host.connect(scene: "B", inBackground: true)
                try await $0.host.disconnect(scene: "A")
            },
            receiver: "B"
        ),
    ]

    @Test(
        "a connected window gets what is silent, where it is; else the app does, and no window is opened or brought back"
    )
    func receivers() async throws {
        for place in Self.places {
            let test = try TestHost(windows: ["A"])
            try await place.prepare(test)
            let before = test.host.scenes.map { [$0.id, "\($0.isConnected)", $0.activation.rawValue] }
            for (number, (name, event)) in try Self.silent().enumerated() {
                let what = "\(name), \(place)"
                let receipt = await test.host.receipt(of: try test.host.admit(Submission(event, scene: place.scene)))
                #expect(receipt.outcome == .delivered, "\(what)")
                #expect(receipt.scene == place.receiver, "\(what)")
                #expect(receipt.ticket == number + 1, "\(what)")
                let records = test.records.filter { $0.subject.event == receipt.event }
                #expect(records.map(\.kind) == [.eventAdmitted, .dispatchBegan, .dispatchEnded], "\(what)")
                for record in records {
                    #expect(record.json["receiver"] == (place.receiver == nil ? "app" : nil), "\(what)")
                    #expect(record.json["scene"]?.stringValue == place.receiver, "\(what)")
                }
                #expect(records.first?.json["silent"] == true, "\(what)")
            }
            #expect(
                test.host.scenes.map { [$0.id, "\($0.isConnected)", $0.activation.rawValue] } == before,
                "\(place)"
            )
        }
    }

    @Test("a window that is about to be released, or to come back, counts as it will be then")
    func willBe() async throws {
        let test = try TestHost(windows: ["A"])
        let push = try EntryEvent.push(payload: ["aps": ["content-available": 1]])
        let hold = try test.hold(.admitted, scene: "A")
        let first = try test.admit("product/p1")
        _ = await hold.caught()
        let released = Task { try await test.host.disconnect(scene: "A") }
        try await until("it waits its turn") { test.host.activity.count(of: "A") >= 2 }
        let app = try test.host.admit(Submission(push, scene: "A"))
        #expect(app.receipt.scene == nil && app.receipt.ticket == 1)
        // The app does not wait for the window.
        #expect(await test.host.receipt(of: app).outcome == .delivered)
        let tapped = try test.admit("product/p2")
        let window = try test.host.admit(Submission(push, scene: "A"))
        #expect(window.receipt.scene == "A" && window.receipt.ticket == 3)
        hold.release()
        _ = try await released.value
        for admission in [first, tapped, window] { #expect(await test.host.receipt(of: admission).outcome.isTerminal) }
        #expect(try test.host.scene("A").activation == .foregroundActive)
    }

    @Test("it dispatches one at a time in ticket order, is bounded for each sender, and can be held")
    func order() async throws {
        let test = try TestHost(windows: [], settings: HostSettings(mailboxCapacity: 3))
        let hold = try test.hold(.admitted, event: "first")
        func admit(_ id: String, from sender: String? = nil) throws -> SceneHost.Admission {
            let push = try EntryEvent.push(payload: ["aps": ["content-available": 1], "number": .string(id)])
            return try test.host.admit(Submission(push, eventID: id, sender: sender))
        }
        var admissions = [try admit("first")]
        let caught = await hold.caught()
        #expect(caught.scene == nil && caught.ticket == 1 && caught.event == "first")
        for id in ["second", "third", "fourth"] { admissions.append(try admit(id)) }
        #expect(throws: AdmissionError.queueFull(scene: nil, limit: 3)) { try admit("fifth") }
        admissions.append(try admit("fifth", from: "bob"))
        #expect(try admit("second").receipt.isDuplicate)
        #expect(test.host.receipt(event: "second")?.outcome == .admitted)
        hold.release()
        for admission in admissions { #expect(await test.host.receipt(of: admission).outcome == .delivered) }
        await test.host.quiesce()
        let story = test.records.filter { $0.isOfApp && $0.kind != .eventAdmitted }.map {
            "\($0.kind.rawValue) \($0.subject.ticket ?? 0)"
        }
        let dispatches = (1...5).flatMap { ["dispatch.began \($0)", "dispatch.ended \($0)"] }
        #expect(story == ["hold.caught 1", "hold.released 1"] + dispatches)
    }

    @Test(
        "whatever becomes of an event, what was left out of it is said with its admission",
        arguments: [
            ["aps": ["content-available": 1, "new": 1]],
            ["aps": ["alert": "x", "new": 1], "url": "qcommerce://product/p1"],
            ["aps": ["alert": "x", "new": 1], "url": "qcommerce://nowhere"],
            ["aps": ["alert": "x", "new": 1]],
        ] as [JSONObject]
    )
    func warnings(payload: JSONObject) throws {
        for windows in [[], ["A"]] {
            let test = try TestHost(windows: windows)
            let admission = try test.host.admit(Submission(try .push(payload: payload)))
            #expect(admission.warnings == ["aps.new: unknown key, kept"], "\(windows)")
        }
    }

    @Test("a host that stops delivers what waits for the app, or abandons it when there is no time")
    func stopping() async throws {
        for hasTime in [true, false] {
            let test = try TestHost(windows: [])
            let hold = try test.hold(.admitted)
            let push = try EntryEvent.push(payload: ["aps": ["content-available": 1]])
            let first = try test.host.admit(Submission(push))
            let second = try test.host.admit(Submission(push))
            _ = await hold.caught()
            await test.host.drain(within: hasTime ? .seconds(600) : .zero)
            #expect(test.host.receipt(event: first.receipt.event)?.outcome == .delivered)
            let left = test.host.receipt(event: second.receipt.event)?.outcome
            #expect(left == (hasTime ? .delivered : .abandoned(reason: "shutdown")))
            #expect(test.records.last?.kind == .hostStopped)
            #expect(throws: AdmissionError.draining) { try test.host.admit(Submission(push)) }
            // Nothing is left of what was abandoned, so that it is quiet.
            await test.host.quiesce()
        }
    }

    @Test("a host that is let go without having been stopped is released")
    func released() async throws {
        weak var receiver: AppReceiver?
        do {
            let test = try TestHost(windows: [])
            receiver = test.host.appReceiver
            #expect(receiver != nil)
        }
        #expect(receiver == nil)
    }
}
