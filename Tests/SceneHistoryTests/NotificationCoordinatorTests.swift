import SceneEntryPoints
import SceneHistory
import SceneManifest
import SceneNavigation
import SceneRouting
import SceneRuntime
import StrictJSON
import Testing

/// Code in Swift hears of notifications that bring no window to the front (<doc:/SceneRuntime/Scenes>); each history is checked, by the
/// model, too.
@Suite("A coordinator for notifications", .timeLimit(.minutes(15)))
struct NotificationCoordinatorTests {
    private static let product = Destination(id: "product", parameters: ["id": "p1"])

    /// Answers by what it is asked and by whom somebody is.
    private struct Inbox: NotificationCoordinator {
        let categories: Set<String> = ["OFFER"]
        let answers: [String: [AppCommand]]

        struct Failed: Error {}

        private func answer(_ method: String, _ push: PushResponse, _ session: RoutingContext) throws -> [AppCommand]? {
            if push.payload.custom["fails"] != nil { throw Failed() }
            return answers["\(method) \(session.user ?? "nobody")"] ?? answers[method]
        }

        func willPresent(_ push: PushResponse, session: RoutingContext) throws -> [AppCommand]? {
            try answer("willPresent", push, session)
        }

        func didReceive(_ response: PushResponse, session: RoutingContext) throws -> [AppCommand]? {
            try answer("didReceive", response, session)
        }

        func didReceiveRemoteNotification(_ push: PushResponse, session: RoutingContext) throws -> [AppCommand]? {
            try answer("didReceiveRemoteNotification", push, session)
        }
    }

    private static func host(_ answers: [String: [AppCommand]], windows: [String] = ["A"]) throws -> SceneHost {
        let host = try SceneHost(
            id: "inbox",
            manifest: .builtInShop(),
            code: AppCode(notifications: Inbox(answers: answers))
        )
        for window in windows { try host.connect(scene: window) }
        return host
    }

    private static func send(_ event: EntryEvent, to host: SceneHost, id: String? = nil) async throws -> Receipt {
        let receipt = await host.receipt(of: try host.admit(Submission(event, eventID: id)))
        await host.quiesce()
        return receipt
    }

    private static let set: [AppCommand] = [.session(.set(fact: "market", .string("de")))]

    /// Every push of which the code hears, and by which method.
    static func heard() throws -> [(String, EntryEvent)] {
        let offer: JSONValue = ["alert": "x", "category": "OFFER"]
        return [
            ("didReceiveRemoteNotification", try .push(payload: ["aps": ["content-available": 1]])),
            ("willPresent", try .push(payload: ["aps": ["alert": "x"]], interaction: "present")),
            ("willPresent", try .push(payload: ["aps": offer], interaction: "present")),
            (
                "didReceive",
                try .push(payload: ["aps": ["alert": "x", "category": "ORDER"]], interaction: "dismiss")
            ),
            ("didReceive", try .push(payload: ["aps": offer, "product": "p1"], action: "ADD_TO_CART")),
        ]
    }

    private static func end(_ host: SceneHost) async throws -> [JSONObject] {
        await host.drain()
        let records = host.records.read(after: 0).records.map(\.json)
        let report = checked(records, app: host.manifest)
        #expect(report.violated == [], "\(report.text)")
        return records
    }

    @Test("is asked by the method that iOS would call, in a window and in the app itself", arguments: [["A"], []])
    func methods(windows: [String]) async throws {
        for (method, event) in try Self.heard() {
            let host = try Self.host([method: Self.set], windows: windows)
            let receipt = try await Self.send(event, to: host)
            #expect(receipt.outcome == .delivered && receipt.scene == windows.first, "\(method)")
            #expect(host.session.snapshot.facts["market"] == .string("de"), "\(method)")
            let records = try await Self.end(host)
            #expect(records.first { $0["kind"] == "event.admitted" }?["code"] == true)
        }
    }

    @Test("is not asked about a tap, a badge, a Live Activity or a call")
    func unheard() async throws {
        let events: [EntryEvent] = [
            try .push(payload: ["aps": ["badge": 3]]),
            try .push(payload: ["aps": ["alert": "x"], "url": "qcommerce://product/p1"]),
            try .push(payload: ["aps": ["content-available": 1]], voip: true),
        ]
        for event in events {
            let all = ["willPresent", "didReceive", "didReceiveRemoteNotification"]
            let host = try Self.host(Dictionary(uniqueKeysWithValues: all.map { ($0, Self.set) }))
            _ = try await Self.send(event, to: host)
            #expect(host.session.snapshot.facts["market"] != .string("de"))
            let records = try await Self.end(host)
            #expect(!records.contains { $0["code"] == true })
        }
    }

    @Test("may handle it with nothing to do, in place of the manifest; what it leaves to the manifest is done by that")
    func handled() async throws {
        let event = try #require(try Self.heard().last?.1)
        let handling = try Self.host(["didReceive": []])
        #expect(try await Self.send(event, to: handling).outcome == .delivered)
        #expect(handling.session.snapshot.revision == 0)
        _ = try await Self.end(handling)
        let leaving = try Self.host([:])
        #expect(try await Self.send(event, to: leaving).outcome == .delivered)
        #expect(leaving.session.snapshot.facts["cart"] == .strings(["p1"]))
        _ = try await Self.end(leaving)
    }

    @Test("signs out, and opens, closes and refreshes windows, from no window at all", arguments: [["A"], []])
    func commands(windows: [String]) async throws {
        let host = try Self.host(
            [
                "didReceiveRemoteNotification": [.openWindow(Self.product), .session(.signOut)],
                "willPresent": [.refreshWindows(for: Self.product)],
                "didReceive": [.closeWindows(for: Self.product)],
            ],
            windows: windows
        )
        try await host.session.signIn(user: "mina")
        await host.quiesce()
        let events = try Self.heard().map(\.1)
        let opening = try await Self.send(events[0], to: host)
        #expect(opening.outcome == .delivered && opening.windows == [.opened(scene: "scene-1")])
        #expect(host.session.snapshot.user == nil)
        #expect(try host.scene("scene-1").window.description.contains("product(id: p1)"))
        try await host.disconnect(scene: "scene-1")
        for window in windows { try await host.disconnect(scene: window) }
        _ = try await Self.send(events[1], to: host)
        #expect(try host.scene("scene-1").activation == .background)
        _ = try await Self.send(events[3], to: host)
        #expect(host.scenes.map(\.id) == windows)
        let records = try await Self.end(host)
        let asked = records.filter { $0["kind"] == "window.requested" }
        #expect(asked.map { $0["request"]?.stringValue } == ["open", "refresh", "close"])
    }

    @Test("fails an event by what it throws, and by what the session cannot take", arguments: [["A"], []])
    func refused(windows: [String]) async throws {
        let host = try Self.host(
            ["didReceiveRemoteNotification": [.session(.set(fact: "nothing", .boolean(true)))]],
            windows: windows
        )
        let wrong = try EntryEvent.push(payload: ["aps": ["content-available": 1], "fails": true])
        #expect(try await Self.send(wrong, to: host).outcome == .rejected(reason: "intentFailed"))
        let untakable = try EntryEvent.push(payload: ["aps": ["content-available": 1]])
        #expect(try await Self.send(untakable, to: host).outcome == .rejected(reason: "invalidFact: nothing"))
        _ = try await Self.end(host)
    }

    @Test("decides for who is signed in then, and nothing of it is done for the next", arguments: [["A"], []])
    func nextUser(windows: [String]) async throws {
        let host = try Self.host(
            ["didReceiveRemoteNotification mina": Self.set + [.openWindow(Self.product)]],
            windows: windows
        )
        try await host.session.signIn(user: "mina")
        let hold = try host.hold(.planned, event: "it")
        let silent = try EntryEvent.push(payload: ["aps": ["content-available": 1]])
        let admission = try host.admit(Submission(silent, eventID: "it"))
        await withCheckedContinuation { continuation in _ = host.whenCaught(by: hold) { _ in continuation.resume() } }
        try await host.session.signIn(user: "theo")
        host.release(hold)
        #expect(await host.receipt(of: admission).outcome == .abandoned(reason: "userLeft"))
        #expect(host.session.snapshot.facts["market"] != .string("de") && host.scenes.map(\.id) == windows)
        // It is told of it also if somebody else was there when it came.
        let early = try host.hold(.admitted, event: "early")
        let other = try host.admit(Submission(silent, eventID: "early"))
        await withCheckedContinuation { continuation in _ = host.whenCaught(by: early) { _ in continuation.resume() } }
        try await host.session.signIn(user: "mina")
        host.release(early)
        #expect(await host.receipt(of: other).outcome == .delivered)
        #expect(host.session.snapshot.facts["market"] == .string("de"))
        await host.quiesce()
        _ = try await Self.end(host)
    }

    @Test("belongs to a sender who may act, as a button does")
    func senders() throws {
        let host = try Self.host(["didReceiveRemoteNotification": Self.set])
        var submission = Submission(try .push(payload: ["aps": ["content-available": 1]]))
        submission.mayAct = false
        #expect(throws: AdmissionError.mayNotAct) { try host.admit(submission) }
    }

    @Test("names categories that the manifest has to declare")
    func misfit() throws {
        var manifest = try AppManifest.builtInShop()
        manifest.notificationCategories.removeAll { $0.id == "OFFER" }
        let code = AppCode(notifications: Inbox(answers: [:]), file: "inbox.swift", line: 7)
        let problems = #expect(throws: ManifestProblems.self) {
            try SceneHost(id: "misfit", manifest: manifest, code: code)
        }
        #expect(problems?.problems.map(\.key) == ["notificationCategories"])
        let message = "the code at inbox.swift:7 names the notification category 'OFFER', which is not declared"
        #expect(problems?.problems.first?.message == message)
    }

    @Test("leaves a history in which it is noticed what nobody can have decided")
    func falsified() async throws {
        let host = try Self.host(["didReceiveRemoteNotification": Self.set])
        _ = try await Self.send(try .push(payload: ["aps": ["content-available": 1]]), to: host)
        var records = try await Self.end(host)
        for index in records.indices where records[index]["kind"] == "event.admitted" { records[index]["code"] = nil }
        #expect(checked(records, app: host.manifest).violated == [.agreement])
    }
}
