import SceneEntryPoints
import SceneRouting
@testable import SceneRuntime
import StrictJSON
import Basics
import Testing

@Suite("Events are dispatched one at a time, in the order of their tickets", .timeLimit(.minutes(15)))
struct DispatchTests {
    @Test("a link is applied, and again unchanged")
    func appliedThenUnchanged() async throws {
        let shop = try TestHost()
        let first = try await shop.open("product/p1")
        #expect(first.outcome == .applied)
        #expect(first.scene == "A")
        #expect(first.ticket == 1)
        #expect(try shop.shown() == "home › product(id: p1)")
        let second = try await shop.open("product/p1")
        #expect(second.outcome == .unchanged)
        #expect(second.ticket == 2)
    }

    @Test("while one is held the next waits, and the other window does not")
    func oneAtATime() async throws {
        let shop = try TestHost()
        let hold = try shop.hold(.resolved, scene: "A")
        let first = try shop.admit("product/p1")
        _ = await hold.caught()
        let second = try shop.admit("product/p2")
        let other = try await shop.open("product/p3", in: "B")
        #expect(other.outcome == .applied)
        #expect(shop.records(of: .dispatchBegan, scene: "A").count == 1)
        hold.release()
        #expect(await shop.host.receipt(of: first).outcome == .applied)
        #expect(await shop.host.receipt(of: second).outcome == .applied)
        #expect(try shop.shown() == "home › product(id: p2)")
        try expectSerial(shop, "A")
    }

    @Test("hundreds of events from many tasks keep ticket order without overlap")
    func manyTasks() async throws {
        let shop = try TestHost(windows: ["A", "B", "C"])
        try await withThrowingTaskGroup { group in
            for task in 0..<8 {
                group.addTask {
                    for number in 0..<100 {
                        _ = try await shop.open("product/p\(task * 100 + number)", in: ["A", "B", "C"][number % 3])
                    }
                }
            }
            try await group.waitForAll()
        }
        for scene in ["A", "B", "C"] { try expectSerial(shop, scene) }
        #expect(shop.host.scenes.map(\.settled).reduce(0, +) == 800)
    }

    @Test("when an event is reported as ended, the record of it is there")
    func recordedBeforeTold() async throws {
        let shop = try TestHost()
        let hold = try shop.hold(.resolved, scene: "A")
        let product = try shop.admit("product/p1")
        _ = await hold.caught()
        let ends = Guarded<Int?>(nil)
        shop.host.whenReached(.settled, product) { _ in
            ends.withLock { $0 = shop.records(of: .dispatchEnded).count }
        }
        hold.release()
        _ = await shop.host.receipt(of: product)
        #expect(ends.withLock { $0 } == 1)
    }

    @Test("the same event sent by many at once is admitted once")
    func racingDuplicates() async throws {
        let shop = try TestHost()
        let firsts = try await withThrowingTaskGroup(of: Int.self) { group in
            for _ in 0..<8 {
                group.addTask {
                    try (0..<300).count { number in
                        try !shop.admit("product/p1", id: "tap-\(number)").receipt.isDuplicate
                    }
                }
            }
            return try await group.reduce(0, +)
        }
        #expect(firsts == 300)
        #expect(shop.records(of: .eventAdmitted).count == 300)
    }

    @Test("when an event is reported as ended, its scene has counted it")
    func countedBeforeTold() async throws {
        let shop = try TestHost()
        let hold = try shop.hold(.resolved, scene: "A")
        let product = try shop.admit("product/p1")
        _ = await hold.caught()
        let settled = Guarded<Int?>(nil)
        let host = shop.host
        shop.host.whenReached(.settled, product) { _ in
            settled.withLock { $0 = (try? host.scene("A"))?.settled }
        }
        hold.release()
        _ = await shop.host.receipt(of: product)
        #expect(settled.withLock { $0 } == 1)
    }

    @Test("a full mailbox refuses and drops nothing; events that end make room")
    func queueFull() async throws {
        let shop = try TestHost(settings: HostSettings(mailboxCapacity: 2))
        let hold = try shop.hold(.admitted, scene: "A")
        let running = try shop.admit("product/p1")
        _ = await hold.caught()
        let waiting = [try shop.admit("product/p2"), try shop.admit("product/p3")]
        #expect(throws: AdmissionError.queueFull(scene: "A", limit: 2)) { try shop.admit("product/p4") }
        // Nobody fills it for others.
        let others = try ["p5", "p6"].map { try shop.admit("product/\($0)", from: "bob") }
        #expect(throws: AdmissionError.queueFull(scene: "A", limit: 2)) { try shop.admit("product/p7", from: "bob") }
        hold.release()
        for admission in [running] + waiting + others {
            #expect(await shop.host.receipt(of: admission).outcome == .applied)
        }
        #expect(try await shop.open("product/p4").ticket == 6)
    }

    @Test("the same event sent again gets the first receipt and does nothing else")
    func duplicates() async throws {
        let shop = try TestHost()
        let first = try await shop.open("product/p1", id: "tap")
        let again = try await shop.open("product/p1", id: "tap")
        #expect(again.isDuplicate)
        #expect(again.ticket == first.ticket)
        #expect(shop.records(of: .eventAdmitted).count == 1)
        #expect(throws: AdmissionError.eventMismatch(event: "tap")) { try shop.admit("product/p2", id: "tap") }
        // Another window makes it another event, too.
        #expect(throws: AdmissionError.eventMismatch(event: "tap")) { try shop.admit("product/p1", in: "B", id: "tap") }
        let other = try shop.host.admit(
            Submission(try .url("https://shop.example/product/p2"), scene: "A", eventID: "tap", sender: "other")
        )
        #expect(await shop.host.receipt(of: other).outcome == .applied)
    }

    static let badIDs = [
        ("", "is empty"), (String(repeating: "e", count: 129), "has 129 bytes"), (" e", "at byte 1"),
        ("e 1", "at byte 2"), ("e\n", "at byte 2"), ("e\u{0}", "at byte 2"), ("e1\u{7F}", "at byte 3"),
        ("\u{1B}[2J", "at byte 1"), ("é", "at byte 1"), ("e\u{301}", "at byte 2"),
    ]

    @Test("an ID that is no name is refused, also before anybody asks an adapter", arguments: badIDs)
    func badID(id: String, says: String) throws {
        let shop = try TestHost()
        let before = shop.records.count
        let url = try EntryEvent.url("https://shop.example/product/p1")
        for submission in [
            Submission(url, scene: "A", eventID: id), Submission(url, scene: "Z", eventID: id, sender: "anna"),
            Submission(.gesture(.back), scene: "A", eventID: id),
        ] {
            let calls: [() throws -> Void] = [
                { _ = try shop.host.repeated(submission) }, { _ = try shop.host.admit(submission) },
            ]
            for call in calls {
                let error = #expect(throws: AdmissionError.self) { try call() }
                guard case .invalidEventID(let reason)? = error else {
                    Issue.record("\(String(describing: error))")
                    continue
                }
                #expect(reason.hasPrefix(says) || reason.contains("no name has, \(says);"), "\(reason)")
            }
        }
        #expect(shop.records.count == before)
    }

    @Test("any name is an ID", arguments: ["e", "~", "!", "\"{}[]\\", String(repeating: "e", count: 128)])
    func goodID(id: String) async throws {
        let shop = try TestHost()
        let submission = Submission(try .url("https://shop.example/product/p1"), scene: "A", eventID: id)
        #expect(try shop.host.repeated(submission) == nil)
        #expect(try await shop.open("product/p1", id: id).event == id)
        #expect(try shop.host.repeated(submission)?.receipt.isDuplicate == true)
    }

    @Test("what is shown instead of what was rejected is recorded like any other target: resolved, planned, begun")
    func fallback() async throws {
        let shop = try TestHost { $0.fallback = Destination(id: "promo", parameters: ["code": "SUMMER"]) }
        try await shop.host.session.commit(set: ["unavailable": .strings(["p9"])])
        await shop.host.quiesce()
        let before = shop.host.records.newestIndex
        #expect(try await shop.open("product/p9").outcome == .rejected(reason: "inStock"))
        #expect(try shop.shown() == "home › promo(code: SUMMER)")
        let kinds = shop.host.records.read(after: before).records.map(\.kind)
        #expect(
            kinds == [
                .eventAdmitted, .dispatchBegan, .dispatchResolved, .dispatchResolved, .dispatchPlanned, .navigationStep,
                .dispatchEnded,
            ]
        )
    }

    @Test("the host makes no ID that a sender has chosen")
    func madeIDs() async throws {
        let shop = try TestHost()
        var ids: [String] = []
        for chosen in ["auto-2", nil, nil, "auto-4", nil] {
            ids.append(try await shop.open("product/p\(ids.count)", id: chosen).event)
        }
        #expect(ids == ["auto-2", "auto-1", "auto-3", "auto-4", "auto-5"])
    }

    @Test(
        "what the manifest alone decides is refused at the door and leaves no trace",
        arguments: [
            ("https://shop.example/nowhere", "notAssociated"), ("qcommerce://nowhere", "unknownRoute"),
            ("qcommerce://product/x1", "validationFailed"), ("https://shop.example/help/faq", "notAssociated"),
            ("https://other.example/product/p1", "notAssociated"), ("qcommerce://", "route"),
        ]
    )
    func refusedAtTheDoor(link: String, reason: String) async throws {
        let shop = try TestHost()
        let before = shop.records.count
        let error = #expect(throws: AdmissionError.self) { try shop.admit(link, id: "e") }
        #expect(error.map { "\($0)" } != nil)
        switch (error, reason) {
        case (.notAssociated, "notAssociated"), (.route(.unknownRoute), "unknownRoute"),
            (.route(.validationFailed), "validationFailed"), (.route, "route"):
            break
        default: Issue.record("\(link): \(String(describing: error))")
        }
        #expect(shop.records.count == before)
        #expect(try await shop.open("product/p1", id: "e").isDuplicate == false)
    }

    @Test("a tapped push whose link leads nowhere is admitted, because it was delivered, and then rejected")
    func unroutablePush() async throws {
        let shop = try TestHost()
        let push = try EntryEvent.push(payload: ["aps": ["alert": "x"], "url": "qcommerce://nowhere"])
        let receipt = await shop.host.receipt(of: try shop.host.admit(Submission(push, scene: "A")))
        #expect(receipt.outcome == .rejected(reason: "unknownRoute"))
        let silent = try EntryEvent.push(payload: ["aps": ["content-available": 1]])
        #expect(await shop.host.receipt(of: try shop.host.admit(Submission(silent, scene: "A"))).outcome == .delivered)
        #expect(try shop.shown() == "home")
    }

    @Test("a condition that fails is an outcome with the condition's name")
    func condition() async throws {
        let shop = try TestHost()
        try await shop.host.session.commit(set: ["unavailable": .strings(["p9"])])
        #expect(try await shop.open("product/p9").outcome == .rejected(reason: "inStock"))
        #expect(try shop.shown() == "home")
    }

    @Test("a destination may depend on the app version in the settings")
    func appVersion() async throws {
        for (version, outcome) in [("1.9", Outcome.rejected(reason: "recent")), ("2.10", .applied)] {
            let shop = try TestHost(settings: HostSettings(appVersion: version)) { manifest in
                manifest.conditions.append(
                    ConditionDeclaration(name: "recent", holds: .appVersion(.greaterOrEqual, "2.9"), reason: "too old")
                )
                for index in manifest.destinations.indices where manifest.destinations[index].id == "promo" {
                    manifest.destinations[index].conditions.append("recent")
                }
            }
            #expect(try await shop.open("promo/SUMMER").outcome == outcome)
        }
    }

    @Test("an event that names no scene takes the most recently active, or one that prefers its content")
    func sceneChoice() async throws {
        let shop = try TestHost(windows: ["A", "B"])
        #expect(try await shop.open("product/p1", in: nil).scene == "B")
        _ = try await shop.open("product/p2", in: "A")
        #expect(try await shop.open("product/p3", in: nil).scene == "A")
        try shop.host.connect(scene: "detail", configuration: "detail")
        let activity = try EntryEvent.activity(
            activityType: "com.example.shop.view",
            userInfo: ["destination": "product", "parameters": ["id": "p5"]],
            targetContentIdentifier: "product/p5"
        )
        #expect(await shop.host.receipt(of: try shop.host.admit(Submission(activity))).scene == "detail")
        #expect(throws: AdmissionError.unknownScene("Z")) { try shop.admit("product/p1", in: "Z") }
    }

    @Test("if there is no window, one is opened for the event")
    func opensWindow() async throws {
        let shop = try TestHost(windows: [])
        let receipt = try await shop.open("product/p1", in: nil)
        #expect(receipt.scene == "scene-1")
        #expect(receipt.outcome == .applied)
    }

    /// Tickets contiguous, first attempts in ticket order, no dispatch begins inside another.
    private func expectSerial(_ shop: TestHost, _ scene: String) throws {
        var running: Int?
        var last = 0
        for record in shop.records where record.subject.scene == scene {
            switch record.body {
            case .dispatchBegan(.dispatch):
                #expect(running == nil)
                #expect(record.subject.ticket == last + 1)
                last += 1
                running = record.subject.ticket
            case .dispatchEnded:
                #expect(running == record.subject.ticket)
                running = nil
            default: continue
            }
        }
    }
}
