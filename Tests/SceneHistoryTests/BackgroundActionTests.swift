import SceneEntryPoints
import SceneHistory
import SceneManifest
import SceneNavigation
import SceneRouting
import SceneRuntime
import StrictJSON
import Testing

/// The checker knows what becomes of a notification's action in the background, and of what is for one user.
@Suite struct BackgroundActionTests {
    private static func manifest() throws -> AppManifest {
        var manifest = try AppManifest.builtInShop()
        manifest.fallback = Destination(id: "orders")
        manifest.notificationCategories[0].user = "payload.user"
        manifest.notificationCategories[0].actions.append(
            NotificationAction(id: "NOT_ME", intent: NotificationAction.Handover(name: "signOutTapped"))
        )
        for index in manifest.adapters.indices where manifest.adapters[index].kinds == ["push"] {
            manifest.adapters[index].user = "payload.user"
        }
        return manifest
    }

    private static func action(_ id: String = "ADD_TO_CART", for user: String? = nil) throws -> EntryEvent {
        var payload: JSONObject = ["aps": ["alert": "x", "category": "OFFER"], "product": "p1"]
        payload["user"] = user.map(JSONValue.string)
        return try .push(payload: payload, action: id)
    }

    private static func tap(_ path: String, for user: String?) throws -> EntryEvent {
        var payload: JSONObject = ["aps": ["alert": "x"], "url": .string("qcommerce://\(path)")]
        payload["user"] = user.map(JSONValue.string)
        return try .push(payload: payload)
    }

    /// A history in which everything becomes of such events that can, in a window or in the app.
    private static func history(windows: [String]) async throws -> (records: [JSONObject], apps: [AppManifest]) {
        let manifest = try manifest()
        let host = try SceneHost(id: "actions", manifest: manifest)
        for window in windows { try host.connect(scene: window) }
        let scene = windows.first
        func send(_ event: EntryEvent) async throws {
            _ = await host.receipt(of: try host.admit(Submission(event, scene: scene)))
        }
        for user in [nil, "anna", "bert"] {
            if let user { try await host.session.signIn(user: user) }
            await host.quiesce()
            for addressee in [nil, "anna", "bert"] { try await send(action(for: addressee)) }
            if windows.isEmpty { continue }
            for path in ["product/p1", "orders", "cart"] { try await send(tap(path, for: "anna")) }
        }
        let hold = try host.hold(.resolved)
        let left = try host.admit(Submission(try action(), scene: scene))
        await withCheckedContinuation { continuation in _ = host.whenCaught(by: hold) { _ in continuation.resume() } }
        try await host.session.signIn(user: "anna")
        host.release(hold)
        _ = await host.receipt(of: left)
        try await send(action("NOT_ME"))
        await host.drain()
        return (host.records.read(after: 0).records.map(\.json), [manifest])
    }

    @Test("true histories hold, with a fallback that may be what was wanted", arguments: [["A"], []])
    func holds(windows: [String]) async throws {
        let (records, apps) = try await Self.history(windows: windows)
        let ends = Set(records.compactMap { $0["reason"]?.stringValue })
        #expect(ends.isSuperset(of: ["otherUser", "userLeft"]))
        let report = checked(records, app: apps[0])
        #expect(report.conclusion == .holds, "\(report.text)")
    }

    @Test("one that is rejected because a reload took its intent away holds, in a window, too")
    func reloaded() async throws {
        var manifest = try Self.manifest()
        let host = try SceneHost(id: "reloaded", manifest: manifest)
        try host.connect(scene: "A")
        let hold = try host.hold(.resolved)
        let admission = try host.admit(Submission(try Self.action(), scene: "A"))
        await withCheckedContinuation { continuation in _ = host.whenCaught(by: hold) { _ in continuation.resume() } }
        manifest.intents.removeAll { $0.name == "addedToCart" }
        manifest.notificationCategories = []
        try await host.reload(manifest)
        host.release(hold)
        #expect(await host.receipt(of: admission).outcome == .rejected(reason: "unhandledIntent"))
        await host.drain()
        let report = checked(host.records.read(after: 0).records.map(\.json), app: try Self.manifest())
        #expect(report.violated == [], "\(report.text)")
    }

    @Test("every other end of an action is noticed, and what it commits for another", arguments: [["A"], []])
    func falsified(windows: [String]) async throws {
        let (records, apps) = try await Self.history(windows: windows)
        let actions = Set(records.filter { $0["name"] == "addedToCart" }.compactMap { $0["event"]?.stringValue })
        var tried = 0
        for (index, record) in records.enumerated()
        where record["kind"] == "dispatch.ended" && actions.contains(record["event"]?.stringValue ?? "") {
            let ends: [(String, String?)] = [
                ("delivered", nil), ("rejected", "unhandledIntent"), ("rejected", "otherUser"),
                ("abandoned", "userLeft"),
            ]
            for (outcome, reason) in ends
            where record["outcome"]?.stringValue != outcome || record["reason"]?.stringValue != reason {
                // Whoever has a product in the cart already adds it without a commit.
                if outcome == "delivered", record["reason"] == "userLeft" { continue }
                var changed = records
                changed[index]["outcome"] = .string(outcome)
                changed[index]["reason"] = reason.map(JSONValue.string)
                tried += 1
                let report = checked(changed, app: apps[0])
                #expect(!report.violated.isEmpty, "\(record) as \(outcome) \(reason ?? "")")
            }
        }
        #expect(tried > 10)
        for (index, record) in records.enumerated()
        where record["kind"] == "session.committed" && record["event"] != nil {
            guard
                let admitted = records.firstIndex(where: {
                    $0["kind"] == "event.admitted" && $0["event"] == record["event"]
                })
            else { continue }
            var changed = records
            changed[admitted]["addressee"] = "zed"
            #expect(checked(changed, app: apps[0]).violated.contains(.agreement), "\(records[index])")
        }
    }
}
