import Foundation
import SceneClient
import SceneVocabulary
import StrictJSON
import Subprocess
import TestFixtures
import Testing

/// What comes in without bringing a window to the front, and windows that nobody looks at, in the apps of the bank and
/// `Tests/Apps/ferry.yaml`.
@Suite("What is silent, over the socket", .timeLimit(.minutes(15)))
struct SilentEventTests {
    private static func activations(_ daemon: LiveDaemon, _ scene: String) async throws -> [String] {
        try await daemon.records(scene: scene).filter { $0["kind"] == "scene.activation" }
            .map { "\($0["from"]?.stringValue ?? "") → \($0["to"]?.stringValue ?? "")" }
    }

    @Test("a window that the system connects goes to the background at once, by 'scenectl connect --background'")
    func connectInBackground() async throws {
        try await LiveDaemon.run(["--app", "bank"]) { daemon in
            let client = try await daemon.client()
            for arguments in [["connect", "A", "--background"], ["connect", "B"]] {
                let run = try await Program.run(Command.built("scenectl"), arguments + ["--socket", daemon.socket])
                #expect(run.status == .exited(0), "\(run.errors)")
                #expect(run.output.contains(arguments[1] == "A" ? "background" : "foregroundActive"), "\(run.output)")
            }
            #expect(try await client.scene("A").activation == .background)
            #expect(try await Self.activations(daemon, "A") == ["unattached → background"])
            #expect(
                try await Self.activations(daemon, "B")
                    == ["unattached → foregroundInactive", "foregroundInactive → foregroundActive"]
            )
            // So does one that comes back.
            _ = try await client.disconnect(scene: "A")
            let back = try await Program.run(
                Command.built("scenectl"),
                ["connect", "A", "--background", "--socket", daemon.socket]
            )
            #expect(back.status == .exited(0), "\(back.errors)")
            #expect(try await Self.activations(daemon, "A").last == "unattached → background")
        }
    }

    /// Each kind of event that is silent, as parameters of its method.
    static let silent: [(what: String, method: String, parameters: JSONObject)] = [
        ("a background push", "Push", ["payload": ["aps": ["content-available": 1]]]),
        ("a presented push", "Push", ["payload": ["aps": ["alert": "!"]], "interaction": "present"]),
        (
            "a dismissed push", "Push",
            ["payload": ["aps": ["alert": "!", "category": "FRAUD"], "user": "mina"], "interaction": "dismiss"]
        ),
        (
            "an action in the background", "Push",
            [
                "payload": ["aps": ["alert": "!", "category": "PAYEE"], "user": "mina", "payee": "theo"],
                "interaction": "action", "action": "APPROVE",
            ]
        ),
        ("an announced Handoff", "ContinueActivity", ["activityType": "com.example.bank.view", "announced": true]),
        ("a Handoff that failed", "ContinueActivity", ["activityType": "com.example.bank.view", "failure": "gone"]),
    ]

    @Test(
        "a connected window that is named gets it under its ticket, wherever it is; else the app does, which is no error"
    )
    func receivers() async throws {
        try await LiveDaemon.run(["--app", "bank"]) { daemon in
            let client = try await daemon.client()
            for scene in ["A", "B"] { _ = try await client.connect(scene: scene) }
            _ = try await client.completeFlow("login", user: "mina", .init(scene: "A"))
            try await client.quiesce()
            try await client.leave("B")
            let window = try await client.scene("B").window
            for (ticket, (what, method, parameters)) in Self.silent.enumerated() {
                let receipt = try await client.send(method, parameters, .init(scene: "B", event: "b\(ticket)"))
                let comment = Comment(rawValue: "\(what): \(receipt.reply)")
                #expect(receipt.outcome == .delivered && receipt.scene == "B", comment)
                #expect(receipt.ticket == ticket + 1 && receipt.choice?.known == .named, comment)
                #expect(try await daemon.record("event.admitted", event: "b\(ticket)")["silent"] == true, comment)
                #expect(try await client.scene("B").activation == .background, comment)
            }
            #expect(try await client.scene("B").window == window)
            // In front there is nothing else to it.
            let front = try await client.push(payload: ["aps": ["content-available": 1]], .init(scene: "A"))
            #expect(front.outcome == .delivered && front.scene == "A")
            // Disconnected it stays so; and where there is no window at all, none is opened.
            for scene in ["A", "B"] { _ = try await client.disconnect(scene: scene) }
            for (number, (what, method, parameters)) in Self.silent.enumerated() {
                let receipt = try await client.send(method, parameters, .init(scene: "B", event: "a\(number)"))
                let comment = Comment(rawValue: "\(what): \(receipt.reply)")
                #expect(receipt.outcome == .delivered && receipt.scene == nil, comment)
                #expect(receipt.ticket == number + 1 && receipt.choice == nil, comment)
                #expect(try await daemon.record("event.admitted", event: "a\(number)")["receiver"] == "app", comment)
            }
            #expect(try await client.scenes().allSatisfy { !$0.isConnected })
            for scene in ["A", "B"] { _ = try await client.discard(scene: scene) }
            for (number, (what, method, parameters)) in Self.silent.enumerated() {
                let receipt = try await client.send(method, parameters)
                let comment = Comment(rawValue: "\(what): \(receipt.reply)")
                #expect(receipt.outcome == .delivered && receipt.scene == nil, comment)
                #expect(receipt.ticket == Self.silent.count + number + 1, comment)
            }
            #expect(try await client.scenes().isEmpty)
            #expect(try await client.session().facts["approved"] == ["theo"])
        }
    }

    @Test(
        "a notification that the app has handled ends as delivered, in front, and shows nothing for it",
        arguments: [false, true]
    )
    func handled(isCold: Bool) async throws {
        try await FerryDoor.run { daemon, client in
            let shown = try await client.openURL("ferry://pier/p1", .init(scene: "B")).window
            if isCold { _ = try await client.disconnect(scene: "B") } else { try await client.leave("B") }
            let push: JSONObject = ["aps": ["alert": "How was it?"], "rating": 5, "url": "ferry://tickets"]
            let receipt = try await client.push(payload: push, .init(scene: "B", event: "rated"))
            #expect(receipt.outcome == .delivered && receipt.scene == "B" && receipt.window == shown)
            let scene = try await client.scene("B")
            #expect(scene.activation == .foregroundActive && scene.window == shown)
            #expect(try await daemon.record("event.admitted", event: "rated")["silent"] == nil)
        }
    }

    @Test("a reply is typed with 'scenectl push --action REPLY --text', and commits from the lock screen")
    func reply() async throws {
        try await LiveDaemon.run(["--app", "bank"]) { daemon in
            let client = try await daemon.client()
            _ = try await client.signIn(user: "mina")
            let payload = #"{"aps": {"alert": "Hi", "category": "MESSAGE"}, "user": "mina"}"#
            func scenectl(_ arguments: String...) async throws -> Program.Outcome {
                try await Program.run(
                    Command.built("scenectl"),
                    ["push", "-"] + arguments + ["--socket", daemon.socket],
                    input: payload
                )
            }
            let sent = try await scenectl("--action", "REPLY", "--text", "on my way", "--event", "reply")
            #expect(sent.status == .exited(0) && sent.errors == "" && sent.output.contains("delivered"), "\(sent)")
            #expect(try await client.session().facts["note"] == "on my way")
            #expect(try await client.receipt(of: "reply").scene == nil)
            #expect(try await client.scenes().isEmpty)
            let without = try await scenectl("--action", "REPLY")
            #expect(without.status == .exited(1), "\(without)")
            #expect(try await client.session().facts["note"] == "on my way")
        }
    }
}
