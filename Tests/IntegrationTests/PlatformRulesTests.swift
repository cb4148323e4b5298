import Foundation
import SceneClient
import SceneVocabulary
import StrictJSON
import TestFixtures
import Testing

/// The rows of "What iOS does, and what scened does" as a client sees them, in the example app of a bank: no rule may hold in
/// the process alone.
@Suite("What iOS does, over the socket", .timeLimit(.minutes(15)))
struct PlatformRulesTests {
    /// How each door asks for an account, and how it asks for a place that the bank does not have.
    private enum Door: String, CaseIterable, Sendable {
        case url, push, widget, handoff, spotlight

        func ask(_ path: String, of client: SceneClient, _ delivery: SceneClient.Delivery) async throws -> ClientReceipt
        {
            let url = "bank://\(path)"
            switch self {
            case .url: return try await client.openURL(url, delivery)
            case .push: return try await client.push(payload: ["aps": ["alert": "!"], "url": .string(url)], delivery)
            case .widget: return try await client.tapWidget(kind: "balance", url: url, delivery)
            case .handoff:
                let parts = path.split(separator: "/").map(String.init)
                let parameters: JSONObject = parts.count > 1 ? ["id": .string(parts[1])] : [:]
                let place: JSONObject = ["destination": .string(parts[0]), "parameters": .object(parameters)]
                return try await client.continueActivity(type: "com.example.bank.view", userInfo: place, delivery)
            case .spotlight:
                return try await client.continueActivity(
                    type: "com.apple.corespotlightitem",
                    userInfo: ["kCSSearchableItemActivityIdentifier": .string(path)],
                    delivery
                )
            }
        }
    }

    /// A bank with the windows A, in front, and B, in the background; `user` is signed in.
    private static func bank(
        user: String? = "mina",
        _ body: (LiveDaemon, SceneClient) async throws -> Void
    ) async throws {
        try await LiveDaemon.run(["--app", "bank"]) { daemon in
            let client = try await daemon.client()
            for scene in ["B", "A"] { _ = try await client.connect(scene: scene) }
            try await client.leave("B")
            if let user { _ = try await client.completeFlow("login", user: user, .init(scene: "A")) }
            try await client.quiesce()
            try await body(daemon, client)
        }
    }

    @Test("a sign-in elsewhere lets what waits go on, and brings no window to the front")
    func resumedInBackground() async throws {
        try await Self.bank(user: nil) { daemon, client in
            let waits = try await client.openURL("bank://account/a1", .init(scene: "B", event: "waits"))
            #expect(waits.outcome == .gated)
            for scene in ["B", "A"] { try await client.leave(scene) }
            _ = try await client.signIn(user: "mina")
            try await client.quiesce()
            #expect(try await client.receipt(of: "waits").outcome == .applied)
            #expect(try await client.scenes().map(\.activation.known) == [.background, .background])
        }
    }

    @Test("what is silent wakes no window: a disconnected one stays so, and the app itself gets it, in order")
    func silent() async throws {
        try await Self.bank { daemon, client in
            _ = try await client.disconnect(scene: "B")
            let named = try await client.push(payload: ["aps": ["content-available": 1]], .init(scene: "B"))
            #expect(named.outcome == .delivered && named.scene == nil)
            #expect(!(try await client.scene("B").isConnected))
            _ = try await client.disconnect(scene: "A")
            let announced = try await client.continueActivity(type: "com.example.bank.view", announced: true)
            let badge = try await client.push(payload: ["aps": ["badge": 3]])
            for receipt in [announced, badge] { #expect(receipt.outcome == .delivered && receipt.scene == nil) }
            #expect([named.ticket, announced.ticket, badge.ticket] == [1, 2, 3], "the app has tickets of its own")
            let receivers = try await daemon.records().filter {
                $0["kind"] == "event.admitted" && $0["receiver"] == "app"
            }
            #expect(receivers.count == 3)
        }
    }

    /// A push to the bank that changes a Live Activity.
    private static func liveActivity(_ event: String) -> JSONObject {
        var aps: JSONObject = [
            "event": .string(event), "timestamp": 1, "content-state": [:],
            "alert": ["title": "Paid", "body": "To Theo"],
        ]
        if event == "start" {
            aps["attributes-type"] = "Payment"
            aps["attributes"] = [:]
        }
        return ["aps": .object(aps)]
    }

    static let noNotifications: [JSONObject] =
        [
            ["aps": ["content-available": 1]], ["aps": ["badge": 1]], ["aps": ["sound": "default"]],
            ["aps": ["content-available": 1, "badge": 1]],
        ] + ["start", "update", "end"].map(liveActivity)

    @Test(
        "what shows no notification is delivered as silent, and cannot be tapped, dismissed or acted upon",
        arguments: noNotifications
    )
    func noNotification(payload: JSONObject) async throws {
        try await Self.bank { _, client in
            for interaction in ["open", "dismiss", "action"] {
                let error = await #expect(throws: SceneClientError.self) {
                    try await client.push(
                        payload: payload,
                        interaction: interaction,
                        action: interaction == "action" ? "SHOW" : nil,
                        .init(scene: "B")
                    )
                }
                try Self.expectMalformed(error, "interaction", "\(interaction)")
            }
            #expect(try await client.scene("B").admitted == 0)
            let silent = try await client.push(payload: payload, .init(scene: "B"))
            #expect(silent.outcome == .delivered && silent.scene == "B" && silent.ticket == 1)
            #expect(try await client.scene("B").activation == .background)
        }
    }

    /// Expects the error `Malformed` whose reason begins with the name of the parameter that is wrong.
    private static func expectMalformed(_ error: SceneClientError?, _ parameter: String, _ what: Comment) throws {
        guard case .malformed(let reason) = error?.refusal else {
            Issue.record("expected Malformed, found \(String(describing: error)): \(what)")
            return
        }
        #expect(reason.hasPrefix(parameter), "\(what): \(reason)")
    }

    @Test("an action in the background commits from the lock screen for its user alone, and shows nothing")
    func actions() async throws {
        try await Self.bank { daemon, client in
            let before = try await client.scene("B").window
            func push(_ category: String, user: String, _ more: JSONObject = [:]) -> JSONObject {
                var payload = more
                payload["aps"] = ["alert": "!", "category": .string(category)]
                payload["user"] = .string(user)
                return payload
            }
            let approve = try await client.push(
                payload: push("PAYEE", user: "mina", ["payee": "theo"]),
                interaction: "action",
                action: "APPROVE",
                .init(scene: "B")
            )
            #expect(approve.outcome == .delivered)
            let reply = try await client.push(
                payload: push("MESSAGE", user: "mina"),
                interaction: "action",
                action: "REPLY",
                text: "on my way",
                .init(scene: "B")
            )
            #expect(reply.outcome == .delivered)
            let session = try await client.session()
            #expect(session.facts["approved"] == ["theo"] && session.facts["note"] == "on my way")
            let scene = try await client.scene("B")
            #expect(scene.activation == .background && scene.window == before)
            let other = try await client.push(
                payload: push("FRAUD", user: "theo"),
                interaction: "action",
                action: "BLOCK",
                .init(scene: "B")
            )
            #expect(other.outcome == .rejected && other.reason == "otherUser")
            #expect(try await client.session().facts["cardBlocked"] == false)
            #expect(
                try await client.push(payload: push("FRAUD", user: "mina"), interaction: "dismiss").outcome
                    == .delivered
            )
            let refused: [(category: String, interaction: String, action: String?, text: String?, wrong: String)] = [
                ("PAYEE", "dismiss", nil, nil, "interaction"), ("PAYEE", "action", "BLOCK", nil, "action"),
                ("PAYEE", "action", "SHOW", "text", "text"), ("NONE", "action", "SHOW", nil, "payload.aps.category"),
            ]
            for one in refused {
                let error = await #expect(throws: SceneClientError.self, "\(one)") {
                    try await client.push(
                        payload: push(one.category, user: "mina", ["payee": "theo"]),
                        interaction: one.interaction,
                        action: one.action,
                        text: one.text
                    )
                }
                try Self.expectMalformed(error, one.wrong, "\(one)")
            }
            // One in the foreground is a tap.
            let show = try await client.push(
                payload: push("PAYEE", user: "mina", ["url": "bank://account/a1"]),
                interaction: "action",
                action: "SHOW",
                .init(scene: "B")
            )
            #expect(show.outcome == .applied)
            #expect(try await client.scene("B").activation == .foregroundActive)
        }
    }

    @Test("a link that leads nowhere shows the fallback, by every door alike", arguments: Door.allCases)
    private func fallback(door: Door) async throws {
        try await Self.bank { _, client in
            let unknown = try await door.ask("nothing/here", of: client, .init(scene: "A"))
            // A Handoff of the bank names a destination instead of a URL, and its adapter for Spotlight takes accounts alone.
            let reason =
                switch door {
                case .url, .push, .widget: "unknownRoute"
                case .handoff: "validationFailed: destination"
                case .spotlight: "noAdapter"
                }
            #expect(unknown.outcome == .rejected && unknown.reason == reason, "\(unknown.reason ?? "")")
            #expect(unknown.window?.trail == ["accounts", "help(topic: lost)"])
            let invalid = try await door.ask("account/none", of: client, .init(scene: "A"))
            #expect(invalid.outcome == .rejected && invalid.reason == "validationFailed: id", "\(invalid.reason ?? "")")
            let terms = "https://bank.example/legal/terms"
            let error = await #expect(
                throws: SceneClientError.self,
                "what no associated domain takes opens in the browser"
            ) {
                try await client.openURL(terms)
            }
            guard case .notAssociated(url: terms, let component) = error?.refusal else {
                Issue.record("expected NotAssociated, found \(String(describing: error))")
                return
            }
            #expect(component.contains("/legal/*"), "\(component)")
            #expect(
                try await client.sendIntent("accountTapped", parameters: ["id": "a1"], .init(scene: "A")).outcome
                    == .applied
            )
        }
    }

    @Test("what nobody could open asks nobody to sign in; what depends on the user asks first")
    func conditionsFirst() async throws {
        try await Self.bank(user: nil) { _, client in
            _ = try await client.commit(set: ["closedAccounts": ["a1"]])
            let closed = try await client.openURL("bank://account/a1", .init(scene: "A"))
            #expect(closed.outcome == .rejected && closed.reason == "accountOpen")
            let card = try await client.openURL("bank://card", .init(scene: "A", event: "card"))
            #expect(card.outcome == .gated && card.precondition == "login")
            _ = try await client.completeFlow("login", user: "mina", facts: ["cardBlocked": true], .init(scene: "A"))
            try await client.quiesce()
            let judged = try await client.receipt(of: "card")
            #expect(judged.outcome == .rejected && judged.reason == "cardWorks")
        }
    }

    @Test("what a container reports by itself is handled in its window, and brings nothing to the front")
    func reportedByItself() async throws {
        try await Self.bank { _, client in
            let receipt = try await client.sendIntent(
                "accountTapped",
                parameters: ["id": "a1"],
                from: "tab payments",
                .init(scene: "B")
            )
            #expect(receipt.outcome == .applied && receipt.window?.trail == ["accounts", "account(id: a1)"])
            #expect(try await client.scene("B").activation == .background)
        }
    }

    @Test("the app hears of a notification that is presented while it is in front")
    func presented() async throws {
        let directory = try TemporaryDirectory()
        let manifest = "\(directory.path)/heard.yaml"
        try """
        version: "1"
        name: Heard
        appIDs: [ABCDE12345.com.example.heard]
        schemes: [heard]
        facts:
          seen: { type: integer, scope: app, default: 0 }
        tabs: { home: home }
        destinations:
          home: { tab: home, routes: ["heard://home"] }
        intents:
          arrived: { effects: [{ add: seen, value: 1 }] }
        notificationCategories:
          NEWS: { presented: { intent: arrived } }
        """.write(toFile: manifest, atomically: true, encoding: .utf8)
        try await LiveDaemon.run(["--app", manifest]) { daemon in
            let client = try await daemon.client()
            _ = try await client.connect(scene: "A")
            for _ in 1...2 {
                let receipt = try await client.push(
                    payload: ["aps": ["alert": "!", "category": "NEWS"]],
                    interaction: "present"
                )
                #expect(receipt.outcome == .delivered)
            }
            #expect(try await client.session().facts["seen"] == 2)
        }
    }
}
