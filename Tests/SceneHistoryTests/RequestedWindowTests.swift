import SceneEntryPoints
import SceneHistory
import SceneNavigation
import SceneRouting
import SceneRuntime
import StrictJSON
import Testing

/// Windows that the app asks for, and closes (<doc:/SceneRuntime/Scenes>); each history is checked by the model, too.
@Suite struct RequestedWindowTests {
    private static let asked = Intent(name: "lockerBesideTapped", parameters: ["locker": "7"])

    @Test("a new window shows its destination, cold and in front, and the event that asked for it goes on in its own")
    func opens() async throws {
        let club = try Club(app: "windows")
        try await club.signIn()
        // The other window prefers nothing and could take it; a new one is opened all the same.
        try club.host.connect(scene: "B")
        _ = try await club.host.session.commit(set: ["keys": .strings(["7"])])
        let receipt = try await club.act(.intent(Self.asked))
        #expect(receipt.outcome == .applied, "the help in its own window")
        #expect(receipt.windows == [.opened(scene: "scene-1")])
        let opened = try club.host.scene("scene-1")
        #expect(opened.window.description.contains("locker(locker: 7)"))
        #expect(opened.activation == .foregroundActive && opened.admitted == 1)
        #expect(try club.shown.contains("help(topic: start)"))
        #expect(try club.host.scene("B").admitted == 0)
        let request = try #require(club.records.first { $0["kind"] == "window.requested" })
        #expect(request["opened"] == "scene-1" && request["request"] == "open" && request["event"] == "auto-1")
        let admitted = try #require(club.records.last { $0["kind"] == "event.admitted" })
        #expect(admitted["eventKind"] == "window" && admitted["source"] == "internal" && admitted["delivery"] == "cold")
        #expect(admitted["options"] == ["userActivities"])
        await club.end()
    }

    @Test("what the new window is to show waits at its gate there")
    func gated() async throws {
        let club = try Club(app: "windows")
        try await club.signIn()
        try await club.tap("movedTapped")
        // The window that asked is closed, the new one waits.
        #expect(club.host.scenes.map(\.id) == ["scene-1"])
        #expect(try club.host.scene("scene-1").parked.map(\.precondition) == ["member"])
        _ = try await club.host.session.commit(set: ["member": .boolean(true)])
        await club.host.quiesce()
        #expect(try club.host.scene("scene-1").window.description.contains("booking"))
        await club.end()
    }

    @Test("several windows are asked for in order, each in the configuration that is named or in the first")
    func configurations() async throws {
        let club = try Club(app: "windows")
        try await club.signIn()
        let receipt = try await club.tap("besideTapped")
        #expect(receipt.windows == [.opened(scene: "scene-1"), .opened(scene: "scene-2")])
        #expect(receipt.outcome == .delivered)
        #expect(club.host.scenes.map(\.configuration) == ["default", "default", "reader"])
        await club.end()
    }

    @Test(
        "where there may be no more windows the app is told, and the event goes on",
        arguments: [(1, WindowError.multipleScenesNotSupported), (2, .requestDenied)]
    )
    func limit(most: Int, error: WindowError) async throws {
        let club = try Club(app: "windows") { $0.policies.maximumScenes = most }
        try await club.signIn()
        if most > 1 { try club.host.connect(scene: "B") }
        let receipt = try await club.act(.intent(Self.asked))
        #expect(receipt.outcome == .applied && receipt.windows == [.denied(error)])
        #expect(try club.shown.contains("help(topic: start)"))
        #expect(club.host.scenes.count == most)
        #expect(club.records.contains { $0["error"] == .string(error.rawValue) && $0["opened"] == nil })
        await club.end()
    }

    @Test(
        "a window stays where one that its app asks for is denied, also by what the rest does",
        arguments: [true, false]
    )
    func staysWithoutTheOther(isDenied: Bool) async throws {
        let club = try Club(app: "windows") { manifest in
            manifest.policies.maximumScenes = isDenied ? 2 : 3
            let index = manifest.intents.firstIndex { $0.name == "movedTapped" } ?? 0
            manifest.intents[index].effects = [
                .closeWindow, .openWindow(destination: "news", parameters: [:], configuration: nil),
                .route(destination: "help", parameters: [:]),
            ]
        }
        try await club.signIn()
        try club.host.connect(scene: "B")
        let receipt = try await club.act(.intent(Intent(name: "movedTapped")))
        #expect(receipt.outcome == .applied)
        #expect(receipt.windows == [isDenied ? .denied(.requestDenied) : .opened(scene: "scene-1")])
        await club.host.quiesce()
        #expect(club.host.scenes.map(\.id) == (isDenied ? ["A", "B"] : ["B", "scene-1"]))
        // It can be used, and closes when it asks for nothing.
        if isDenied {
            #expect(try club.shown.contains("help(topic: start)"))
            try await club.tap("closeTapped")
            #expect(club.host.scenes.map(\.id) == ["B"])
        }
        await club.end()
        // It is closed as if nothing had been denied.
        guard isDenied, let open = club.records.firstIndex(where: { $0["request"] == "open" }) else { return }
        var close = club.records[open]
        for key in ["destination", "configuration", "error"] { close[key] = nil }
        close["request"] = "close"
        var lie = club.records
        let end = try #require(lie[open...].firstIndex { $0["kind"] == "dispatch.ended" })
        lie.insert(close, at: end)
        for index in lie.indices { lie[index]["index"] = .integer(index + 1) }
        #expect(checked(lie, app: club.manifest).text.contains("though one that it asked for was denied"))
    }

    @Test("a window that its app closes is gone for good, with what it had admitted, and its event has been done")
    func closes() async throws {
        let club = try Club(app: "windows")
        try await club.signIn()
        let parked = try club.host.admit(Submission(try .url("club://booking"), scene: "A"))
        _ = await club.host.receipt(of: parked)
        let hold = try club.host.hold(.planned, scene: "A", event: "close")
        let close = try club.host.admit(Submission(.intent(Intent(name: "closeTapped")), scene: "A", eventID: "close"))
        let waiting = try club.host.admit(Submission(try .url("club://news"), scene: "A"))
        club.host.release(hold)
        #expect(await club.host.receipt(of: close).outcome == .delivered)
        #expect(await club.host.receipt(of: waiting, at: .finished).outcome == .abandoned(reason: "sceneDiscarded"))
        #expect(await club.host.receipt(of: parked, at: .finished).outcome == .abandoned(reason: "sceneDiscarded"))
        await club.host.quiesce()
        #expect(club.host.scenes.isEmpty)
        // Its ID is free again.
        try club.host.connect(scene: "A")
        await club.end()
    }

    @Test("a window is not closed by what could not do everything else")
    func staysOpen() async throws {
        let club = try Club(app: "windows") { manifest in
            let index = manifest.intents.firstIndex { $0.name == "closeTapped" } ?? 0
            manifest.intents[index].effects.insert(.route(destination: "booking", parameters: [:]), at: 0)
        }
        try await club.signIn()
        #expect(try await club.tap("closeTapped").outcome == .gated(precondition: "member"))
        #expect(club.host.scenes.map(\.id) == ["A"])
        _ = try await club.host.session.commit(set: ["member": .boolean(true)])
        await club.host.quiesce()
        // The resume repeats the navigation and nothing else.
        #expect(try club.shown.contains("booking"))
        await club.end()
    }

    @Test("windows are closed and refreshed by what they are for, and what comes of it is what the records say")
    func others() async throws {
        let club = try Club(app: "windows")
        try await club.signIn()
        for _ in 1...2 { try await club.tap("besideTapped") }
        try await club.host.disconnect(scene: "scene-3")
        #expect(try await club.tap("courtRefreshed", ["id": "c9"]).outcome == .delivered)
        #expect(try club.host.scene("scene-3").activation == .background)
        #expect(try await club.tap("refreshTapped").outcome == .delivered)
        #expect(try await club.tap("courtClosed", ["id": "c9"]).outcome == .delivered)
        #expect(club.host.scenes.map(\.id) == ["A", "scene-2", "scene-4"])
        try await club.tap("courtClosed", ["id": "c9"])
        let requests = club.records.filter { $0["kind"] == "window.requested" && $0["request"] != "open" }
        #expect(
            requests.map { $0["target"]?.stringValue }
                == ["scene-1", "scene-3", nil, "scene-1", "scene-3", nil]
        )
        #expect(requests.last?["error"] == "requestDenied" && requests[2]["destination"] == nil)
        // What is dragged out is for what was dragged.
        _ = await club.host.receipt(of: try club.host.admit(Submission(Self.dragged(from: "A"))))
        try await club.tap("courtClosed", ["id": "c1"])
        #expect(club.host.scenes.map(\.id) == ["A", "scene-2", "scene-4"])
        await club.end()
    }

    /// What is wrong with a history of windows that are closed and refreshed by what they are for.
    enum OtherLie: String, CaseIterable {
        case noClose, otherDestination, otherTarget, oneStays, notGone, noRefresh, notBack, ownRefreshedInstead
        case nobodyAsked
    }

    @Test("a history that lies about those is noticed", arguments: OtherLie.allCases)
    func lies(_ lie: OtherLie) async throws {
        let club = try Club(app: "windows")
        try await club.signIn()
        for _ in 1...2 { try await club.tap("besideTapped") }
        try await club.host.disconnect(scene: "scene-3")
        try await club.tap("courtRefreshed", ["id": "c9"])
        try await club.tap("courtClosed", ["id": "c9"])
        await club.end()
        var asker: JSONValue?
        var records = club.records.compactMap { record -> JSONObject? in
            var record = record
            let isClose = record["request"] == "close"
            let isRefresh = record["request"] == "refresh"
            if record["kind"] == "event.admitted", record["name"] == "courtClosed" { asker = record["event"] }
            switch lie {
            case .noClose: if isClose { return nil }
            case .otherDestination where isClose:
                record["destination"] = ["id": "court", "parameters": ["id": "c1"]]
            case .otherTarget where isClose && record["target"] == "scene-1": record["target"] = "scene-2"
            case .oneStays:
                if record["target"] == "scene-3", isClose { return nil }
                if record["scene"] == "scene-3", record["kind"] == "scene.discarded" { return nil }
            case .notGone: if record["kind"] == "scene.discarded", record["scene"] == "scene-1" { return nil }
            case .noRefresh: if isRefresh { return nil }
            case .notBack:
                // From the refresh on nothing is said of it but that it is gone.
                let isOfIt = record["scene"] == "scene-3"
                if isOfIt, record["kind"] == "scene.connected", record["restored"] == true { return nil }
                if isOfIt, record["kind"] == "scene.activation", record["to"] == "background" { return nil }
            case .ownRefreshedInstead where isRefresh:
                for key in ["destination", "target"] { record[key] = nil }
            case .nobodyAsked where isClose && record["event"] == asker: record["request"] = "refresh"
            default: break
            }
            return record
        }
        for index in records.indices { records[index]["index"] = .integer(index + 1) }
        #expect(checked(records, app: club.manifest).conclusion == .violated)
    }

    @Test("nobody's window is opened or closed for the next user", arguments: ["lockerBesideTapped", "closeTapped"])
    func nextUser(intent: String) async throws {
        let club = try Club(app: "windows")
        try await club.signIn()
        let hold = try club.host.hold(.planned, scene: "A", event: "it")
        let action = SceneAction.intent(
            Intent(name: intent, parameters: intent == "closeTapped" ? [:] : ["locker": "7"])
        )
        let admission = try club.host.admit(Submission(action, scene: "A", eventID: "it"))
        await withCheckedContinuation { continuation in
            _ = club.host.whenCaught(by: hold) { _ in continuation.resume() }
        }
        try await club.host.session.signIn(user: "theo")
        club.host.release(hold)
        let receipt = await club.host.receipt(of: admission)
        #expect(receipt.outcome == .abandoned(reason: "userLeft") && receipt.windows == [])
        #expect(club.host.scenes.map(\.id) == ["A"])
        await club.end()
    }

    @Test(
        "a window that one user asked for shows its destination to nobody else, wherever it had got to",
        arguments: [
            HoldPoint.admitted, .resolved, .planned,
        ]
    )
    func shownToNobodyElse(point: HoldPoint) async throws {
        let club = try Club(app: "windows")
        try await club.signIn()
        let hold = try club.host.hold(point, event: "auto-2")
        let asking = try club.host.admit(Submission(.intent(Intent(name: "besideTapped")), scene: "A"))
        _ = await club.host.receipt(of: asking)
        await withCheckedContinuation { continuation in
            _ = club.host.whenCaught(by: hold) { _ in continuation.resume() }
        }
        try await club.host.session.signIn(user: "theo")
        club.host.release(hold)
        await club.host.quiesce()
        let ended = try #require(
            club.records.first { $0["kind"] == "dispatch.ended" && $0["scene"] == "scene-1" }
        )
        #expect(ended["reason"] == "userLeft")
        #expect(try !club.host.scene("scene-1").window.description.contains("court("))
        await club.end()
    }

    @Test("a host that stops opens and closes no more windows", arguments: ["besideTapped", "closeTapped"])
    func stopping(intent: String) async throws {
        let club = try Club(app: "windows")
        try await club.signIn()
        _ = try club.host.hold(.planned, scene: "A", event: "it")
        let admission = try club.host.admit(
            Submission(.intent(Intent(name: intent)), scene: "A", eventID: "it")
        )
        await club.host.drain()
        #expect(await club.host.receipt(of: admission).outcome == .abandoned(reason: "shutdown"))
        let report = checked(club.records, app: club.manifest)
        #expect(report.conclusion == .holds, "\(report.text)")
    }

    private static func dragged(from scene: String) throws -> EntryEvent {
        try .activity(activityType: "com.example.club.court", userInfo: ["court": "c1"], draggedFrom: scene)
    }

    @Test("what is dragged out of a window opens another, whichever could take it, and leaves its own as it is")
    func drag() async throws {
        let club = try Club(app: "windows")
        try await club.signIn()
        try club.host.connect(scene: "B")
        let receipt = await club.host.receipt(of: try club.host.admit(Submission(Self.dragged(from: "A"))))
        #expect(receipt.outcome == .applied && receipt.scene == "scene-1" && receipt.ticket == 1)
        let admitted = try #require(club.records.first { $0["kind"] == "event.admitted" })
        #expect(admitted["draggedFrom"] == "A" && admitted["delivery"] == "cold" && admitted["source"] == "external")
        #expect(admitted["options"] == ["userActivities"] && admitted["adapter"] == "court")
        #expect(try club.host.scene("A").admitted == 0)
        await club.end()
        // It went to a window that was there.
        let lie = club.records.map { record -> JSONObject in
            var record = record
            if record["kind"] == "event.admitted" { record["scene"] = "B" }
            return record
        }
        #expect(checked(lie).conclusion == .violated)
        // Nothing is dragged out of a window that was never there, or out of its own.
        for source in ["nowhere", "scene-1"] {
            let lie = club.records.map { record -> JSONObject in
                var record = record
                if record["kind"] == "event.admitted" { record["draggedFrom"] = .string(source) }
                return record
            }
            #expect(checked(lie).violated == [.lifecycle], "\(source)")
        }
    }

    @Test("nothing is dragged out of a window that is gone")
    func dragFromGone() async throws {
        let club = try Club(app: "windows")
        try await club.signIn()
        try club.host.connect(scene: "B")
        try club.host.connect(scene: "C")
        try await club.host.discard(scene: "B")
        _ = await club.host.receipt(of: try club.host.admit(Submission(Self.dragged(from: "C"))))
        await club.end()
        let lie = club.records.map { record -> JSONObject in
            var record = record
            if record["draggedFrom"] == "C" { record["draggedFrom"] = "B" }
            return record
        }
        #expect(checked(club.records).conclusion == .holds && checked(lie).violated == [.lifecycle])
    }

    @Test("what is dragged names the window it comes from, which has to be open, and no other")
    func dragFromNowhere() async throws {
        let club = try Club(app: "windows") { $0.policies.maximumScenes = 2 }
        try club.host.connect(scene: "B")
        try await club.host.disconnect(scene: "B")
        func refusal(_ scene: String, to other: String? = nil) throws -> AdmissionError? {
            let event = try Self.dragged(from: scene)
            do throws(AdmissionError) {
                _ = try club.host.admit(Submission(event, scene: other))
                return nil
            } catch {
                return error
            }
        }
        #expect(try refusal("C") == .unknownScene("C"))
        #expect(
            try refusal("B")?.description == "draggedFrom: B is disconnected; it shows nothing that could be dragged"
        )
        #expect(
            try refusal("A", to: "A")?.description == "scene: is named, but what is dragged opens a window of its own"
        )
        #expect(try refusal("A") == .noEligibleScene(contentIdentifier: nil))
        #expect(club.host.scenes.count == 2)
        await club.end()
    }

    /// What is wrong with a history of requested windows.
    enum Lie: String, CaseIterable {
        case noRequest, noWindow, otherDestination, otherScene, otherConfiguration, wrongError, noClose, stays, forNext
    }

    @Test("a history that lies about them is noticed", arguments: Lie.allCases)
    func lies(_ lie: Lie) async throws {
        let club = try Club(app: "windows", lie == .wrongError ? { $0.policies.maximumScenes = 1 } : { _ in })
        try await club.signIn()
        try await club.tap("besideTapped")
        try await club.tap("closeTapped")
        await club.end()
        var isFirst = true
        var records = club.records.compactMap { record -> JSONObject? in
            var record = record
            let isOpen = record["request"] == "open"
            switch lie {
            case .noRequest: if isOpen { return nil }
            case .noWindow: if record["scene"] == "scene-1" { return nil }
            case .otherDestination where isOpen && isFirst:
                record["destination"] = ["id": "court", "parameters": ["id": "c1"]]
                isFirst = false
            case .otherScene: if record["opened"] == "scene-1" { record["opened"] = "scene-7" }
            case .otherConfiguration: if isOpen { record["configuration"] = "reader" }
            case .wrongError: if isOpen { record["error"] = "requestDenied" }
            case .noClose: if record["request"] == "close" { return nil }
            case .stays: if record["kind"] == "scene.discarded" { return nil }
            case .forNext: if isOpen { record["epoch"] = 1 }
            default: break
            }
            return record
        }
        for index in records.indices { records[index]["index"] = .integer(index + 1) }
        #expect(checked(records, app: club.manifest).conclusion == .violated)
    }
}
