import Foundation
import Glibc
import SceneClient
import StrictJSON
import Subprocess
import TestFixtures
import Testing
import Varlink

@Suite("A daemon with an app's own code", .timeLimit(.minutes(15)))
struct OwnDaemonTests {
    private static let probe = Command.built("code-probe")
    private static let shop = Command.built("shop-daemon")
    private static let activator = "/usr/bin/systemd-socket-activate"

    /// A FIFO on which code of the probe waits until ``release()``.
    private struct Gate {
        let path: String

        init(in directory: TemporaryDirectory) throws {
            path = "\(directory.path)/gate"
            try #require(mkfifo(path, 0o600) == 0)
        }

        /// Opens it for writing: returns when somebody waits, who then goes on.
        func release() async throws {
            try await until("somebody waits at the gate") {
                let descriptor = open(path, O_WRONLY | O_NONBLOCK | O_CLOEXEC)
                if descriptor >= 0 { close(descriptor) }
                return descriptor >= 0
            }
        }
    }

    // MARK: - Whose code runs

    @Test("says whose code runs and its version; that of a manifest alone is nobody's")
    func status() async throws {
        #expect(try await Program.run(Self.probe, ["--version"]).output == "CodeProbe 2.3.1 (scened 0.1.0)\n")
        #expect(try await Program.run(Command.built("scened"), ["--version"]).output == "0.1.0\n")
        try await LiveDaemon.run(program: Self.probe) { daemon in
            let status = try await daemon.connect().call("io.scened.Manager.GetStatus")
            #expect(status["code"] == ["name": "CodeProbe", "version": "2.3.1"])
            #expect(status["app"] == "Probe")
            #expect(status["manifestFile"] == nil)
            let shown = try await Program.run(Command.built("scenectl"), ["status", "--socket", daemon.socket])
            #expect(shown.output.contains(/\ncode +CodeProbe 2\.3\.1\n/))
        }
        try await LiveDaemon.run { daemon in
            let status = try await daemon.connect().call("io.scened.Manager.GetStatus")
            #expect(status["code"] == nil)
        }
    }

    @Test("the same events leave the same records, whether coordinators are declared or written in Swift")
    func sameRecords() async throws {
        var histories: [[JSONObject]] = []
        for program in [Command.built("scened"), Self.shop] {
            try await LiveDaemon.run(["--clock", "virtual", "--app-version", "1.0.0"], program: program) { daemon in
                let client = try await daemon.client()
                _ = try await client.call("io.scened.Control.Reset", ["seed": 7])
                _ = try await client.connect(scene: "A")
                _ = try await client.connect(scene: "B")
                _ = try await client.openURL("qcommerce://cart", .init(scene: "A"))
                let intents: [(scene: String, name: String, parameters: [String: String])] = [
                    ("A", "signUpRequested", [:]), ("A", "signUpCancelled", [:]),
                    ("A", "loginCompleted", ["user": "mina"]), ("B", "productSelected", ["id": "p1"]),
                    ("B", "buyNow", ["id": "p1"]), ("B", "checkoutTapped", [:]),
                    ("B", "paymentAdded", ["method": "visa"]), ("B", "orderPlaced", ["order": "o1"]),
                    ("A", "signOutTapped", [:]),
                ]
                for intent in intents {
                    // An event is over before what it causes is: the gates it opens, the sweep of the other window.
                    try await client.quiesce()
                    _ = try await client.sendIntent(
                        intent.name,
                        parameters: intent.parameters,
                        .init(scene: intent.scene)
                    )
                }
                try await client.quiesce()
                histories.append(try await daemon.records())
            }
        }
        /// What the records say but for what differs from run to run, and whether there is code.
        func told(_ records: [JSONObject]) -> [JSONObject] {
            records.map { record in
                var record = record
                for key in ["host", "code", "connection", "wall"] { record[key] = nil }
                return record
            }
        }
        #expect(histories[0].count > 80)
        #expect(histories[0].contains { $0["kind"] == "scene.swept" })
        #expect(histories[0].first?["code"] != histories[1].first?["code"], "only one of them has code")
        // Windows run at the same time; each has its order, and so has the session.
        for scene in ["A", "B", nil] {
            let (declared, written) = (histories[0], histories[1])
            let one = told(declared.filter { $0["scene"]?.stringValue == scene })
            let other = told(written.filter { $0["scene"]?.stringValue == scene })
            let pairs = zip(one, other).map { (Self.withoutIndex($0), Self.withoutIndex($1)) }
            let difference = pairs.first { $0 != $1 }.map { "\(JSONValue.object($0))\n\(JSONValue.object($1))" }
            #expect(difference == nil)
            #expect(one.count == other.count)
        }
    }

    private static func withoutIndex(_ record: JSONObject) -> JSONObject {
        var record = record
        record["index"] = nil
        return record
    }

    @Test(
        "its code hears of notifications that bring no window to the front: it commits, signs out, opens and closes windows"
    )
    func notifications() async throws {
        try await LiveDaemon.run(program: Self.probe) { daemon in
            let client = try await daemon.client()
            func push(_ payload: JSONObject, _ more: JSONObject = [:]) async throws -> JSONObject {
                var call: JSONObject = ["payload": .object(payload)]
                for (name, value) in more { call[name] = value }
                return try await client.call("io.scened.Events.Push", call)
            }
            func session() async throws -> JSONObject { try await client.call("io.scened.Session.Get") }
            _ = try await client.signIn(user: "mina")
            let silent = try await push(["aps": ["content-available": 1]])
            #expect(silent["receipt"]?["outcome"] == "delivered" && silent["receipt"]?["scene"] == nil)
            #expect(try await session()["session"]?["facts"]?["unread"] == 1)
            let chat: JSONValue = ["alert": "x", "category": "CHAT_MESSAGE"]
            _ = try await push(["aps": chat, "message": "m1"], ["interaction": "present"])
            #expect(try await session()["session"]?["facts"]?["seen"] == ["m1"])
            let read = try await push(["aps": chat], ["action": "READ"])
            #expect(read["receipt"]?["windows"]?.arrayValue?.first?["scene"] == "scene-1")
            try await client.quiesce()
            #expect(try await client.scene("scene-1").window?.trail == ["home", "page"])
            #expect(try await session()["session"]?["facts"]?["unread"] == 0)
            _ = try await push(["aps": chat], ["interaction": "dismiss"])
            try await client.quiesce()
            #expect(try await client.scenes().isEmpty)
            _ = try await push(["aps": ["content-available": 1], "signOut": true])
            #expect(try await session()["session"]?["user"] == nil)
            let records = try await daemon.records().filter { $0["kind"] == "window.requested" }
            #expect(records.map { $0["receiver"]?.stringValue } == ["app", nil])
            let check = try await Program.run(Command.built("scenectl"), ["check", "--socket", daemon.socket])
            #expect(check.status != .exited(1) && check.status != .exited(2), "\(check.output)\(check.errors)")
        }
    }

    @Test("the first client starts it on the service manager's socket", .enabled(if: access(activator, X_OK) == 0))
    func activation() async throws {
        let ending = try await LiveDaemon.ending(
            program: Self.probe,
            launcher: [Self.activator, "--listen=SOCKET", "--fdname=varlink"]
        ) { daemon in
            let receipt = try await daemon.client().openURL("probe://page")
            #expect(receipt.outcome == .applied)
            daemon.stop()
        }
        #expect(ending.status == .exited(0), "\(ending.log)")
        #expect(ending.leftSocket)
    }

    // MARK: - What does not fit

    @Test(
        "code and manifest that do not fit each other end it at once, and the message names both places",
        arguments: [
            (
                "flow",
                "probe.yaml: error: flows: the code at code_probe/CodeProbe.swift:42 has a coordinator for the flow 'chekout', which is not declared; expected one of root, home, checkout; did you mean 'checkout'?"
            ),
            (
                "destination",
                "probe.yaml: error: destinations: the code at code_probe/CodeProbe.swift:42 names the destination 'tiil', which is not declared; expected one of home, page, till; did you mean 'till'?"
            ),
            (
                "category",
                "probe.yaml: error: notificationCategories: the code at code_probe/CodeProbe.swift:42 names the notification category 'CHAT', which is not declared; expected one of CHAT_MESSAGE"
            ),
            (
                "adapter",
                "probe.yaml: error: adapters: the adapter 'declared' of the code, code_probe.WaitingAdapter, has the name of adapters[0]; expected a name of its own"
            ),
        ]
    )
    func misfits(what: String, message: String) async throws {
        let directory = try TemporaryDirectory()
        let outcome = try await Program.run(
            Self.probe,
            ["--config", "/dev/null", "--socket", "\(directory.path)/socket", "--log", "text"],
            environment: ["PROBE_MISFIT": what]
        )
        #expect(outcome.status == .exited(78))
        #expect(outcome.errors.contains(message), "\(outcome.errors)")
    }

    @Test("--app is another manifest for the same code; at the start and at a reload it has to fit")
    func variants() async throws {
        let directory = try TemporaryDirectory()
        let file = "\(directory.path)/variant.yaml"
        let gate = try Gate(in: directory)
        func write(version: Int, flow: String) throws {
            try """
            format: 2
            version: "\(version)"
            name: Variant
            schemes: [variant]
            tabs: { home: home }
            destinations:
              home: { tab: home, routes: ["variant://home"] }
              page: { ancestry: [home], routes: ["variant://page"] }
            flows:
              \(flow): { screens: [till] }
            notificationCategories: { CHAT_MESSAGE: {} }
            """.write(toFile: file, atomically: true, encoding: .utf8)
        }
        try write(version: 1, flow: "checkout")
        try await LiveDaemon.run(["--app", file, "--log-level", "critical"], program: Self.probe) { daemon in
            let client = try await daemon.client()
            #expect(try await client.openURL("variant://page").outcome == .applied)
            try write(version: 2, flow: "checkout")
            #expect(try await client.call("io.scened.Manager.Reload")["manifestVersion"] == "2")
            // The adapters in Swift are still asked.
            async let receipt = client.push(payload: ["aps": ["alert": "x"], "until": .string(gate.path)])
            try await gate.release()
            #expect(try await receipt.outcome != .rejected)
            try write(version: 3, flow: "payment")
            let refusal = try await daemon.connect().refusal("io.scened.Manager.Reload")
            #expect(refusal?.name == "io.scened.Manager.InvalidManifest")
            #expect(refusal.map { "\($0)" }?.contains("has a coordinator for the flow 'checkout'") == true)
            #expect(try await client.call("io.scened.Manager.GetStatus")["manifestVersion"] == "2")
        }
    }

    /// What is changed in the shop's manifest, and what is said of it and of the types of its code.
    static let shopMisfits: [(old: String, new: String, message: String)] = [
        (
            "destinations:\n", "destinations:\n  gifts: { ancestry: [home], routes: [\"qcommerce://gifts\"] }\n",
            "destinations: the destination 'gifts' is declared, and the types 'Shop' in ShopInSwift/ShopRoutes.swift lack it"
        ),
        (
            "\nfacts:\n", "\nfacts:\n  wishes: { type: strings, default: [] }\n",
            "facts: the fact 'wishes' is declared, and the types 'Shop' in ShopInSwift/ShopRoutes.swift lack it"
        ),
        (
            "accountTapped", "accountTouched",
            "intents: the types 'Shop' in ShopInSwift/ShopRoutes.swift have the intent 'accountTapped', which is not declared"
        ),
    ]

    @Test(
        "types in Swift that were written from another manifest are refused at the start and at a reload, with what to run",
        arguments: shopMisfits
    )
    func routes(old: String, new: String, message: String) async throws {
        let directory = try TemporaryDirectory()
        let file = "\(directory.path)/variant.yaml"
        let shop = try await Program.run(Command.built("scenectl"), ["app", "print", "shop"]).output
        let changed = shop.replacing(old, with: new)
        try #require(changed != shop)
        let advice = "run 'scenectl app swift shop.yaml --as Shop --output …/ShopRoutes.swift', or build again"
        try changed.write(toFile: file, atomically: true, encoding: .utf8)
        let outcome = try await Program.run(
            Self.shop,
            ["--config", "/dev/null", "--socket", "\(directory.path)/socket", "--log", "text", "--app", file]
        )
        #expect(outcome.status == .exited(78))
        #expect(outcome.errors.contains("\(file): error: \(message)"), "\(outcome.errors)")
        #expect(outcome.errors.contains(advice), "\(outcome.errors)")
        try shop.write(toFile: file, atomically: true, encoding: .utf8)
        try await LiveDaemon.run(["--app", file, "--log-level", "critical"], program: Self.shop) { daemon in
            try changed.write(toFile: file, atomically: true, encoding: .utf8)
            let refusal = try await daemon.connect().refusal("io.scened.Manager.Reload")
            #expect(refusal?.name == "io.scened.Manager.InvalidManifest")
            let text = refusal.map { "\($0)" } ?? ""
            // The key is a member of its own.
            let said = message.split(separator: ": ", maxSplits: 1).last ?? ""
            #expect(text.contains(said) && text.contains(advice), "\(text)")
        }
    }

    // MARK: - Code that fails

    @Test("a coordinator that traps ends the daemon, and the log has its event, what else went on, and a backtrace")
    func trap() async throws {
        let directory = try TemporaryDirectory()
        let gate = try Gate(in: directory)
        // Of every thread, with inlined functions, the backtrace of a debug build takes minutes on a busy machine.
        let variables = ["SWIFT_BACKTRACE": "threads=crashed,symbolicate=fast,images=none,registers=none"]
        let ending = try await LiveDaemon.ending(program: Self.probe, environment: variables) { daemon in
            let client = try await daemon.client()
            _ = try await client.connect(scene: "A")
            _ = try await client.connect(scene: "B")
            _ = try await client.sendIntent(
                "waited",
                parameters: ["until": gate.path],
                .init(scene: "B", event: "patient", wait: .admitted)
            )
            try await daemon.record("dispatch.began", scene: "B", event: "patient")
            _ = try? await client.sendIntent("trapped", .init(scene: "A", event: "fatal"))
        }
        #expect(ending.status == .signaled(SIGILL) || ending.status == .signaled(SIGTRAP), "\(ending.status)")
        #expect(ending.log.contains("code-probe: it happened in window A, event fatal (intent), ticket 1\n"))
        #expect(ending.log.contains("code-probe: also in progress: window B, event patient (intent), ticket 1\n"))
        #expect(ending.log.contains("Fatal error: Index out of range"))
        #expect(ending.log.contains("ProbeRoot.choose(from:)"), "\(ending.log)")
    }

    @Test(
        "an event in which the app's code ends the daemon again and again is given up, and what waits behind it is done"
    )
    func endsAgain() async throws {
        let directory = try TemporaryDirectory()
        let arguments = ["--state", "\(directory.path)/state"]
        let variables = ["SWIFT_BACKTRACE": "enable=no"]
        func isTrap(_ status: TerminationStatus) -> Bool { status == .signaled(SIGILL) || status == .signaled(SIGTRAP) }
        let first = try await LiveDaemon.ending(arguments, program: Self.probe, environment: variables) { daemon in
            let client = try await daemon.client()
            _ = try await client.connect(scene: "A")
            let hold: JSONObject = ["hold": "both", "point": "admitted", "scene": "A"]
            _ = try await client.call("io.scened.Control.Hold", hold)
            _ = try await client.sendIntent("trapped", .init(scene: "A", event: "fatal", wait: .admitted))
            _ = try await client.openURL("probe://page", .init(scene: "A", event: "behind", wait: .admitted))
            // It ends before it answers.
            _ = try? await client.call("io.scened.Control.Release", ["hold": "both"])
        }
        #expect(isTrap(first.status), "\(first.log)")
        // That the first attempt had begun may not be kept. From then on it is, before the code hears of the event.
        let words = ["--config", "/dev/null", "--socket", "\(directory.path)/again", "--log-level", "warning"]
        func attempts() async throws -> Int {
            let export = try await Program.run(
                Command.built("scenectl"),
                ["state", "export", "\(directory.path)/state"]
            )
            return try export.output.split(separator: "\n").count { line in
                let record = try JSONValue(parsing: String(line))
                return record["kind"] == "dispatch.began" && record["event"] == "fatal"
            }
        }
        let begun = try await attempts()
        #expect(begun <= 1)
        for number in begun + 1...5 {
            let again = try await Program.run(Self.probe, words + arguments, environment: variables)
            #expect(isTrap(again.status), "\(again.errors)")
            #expect(try await attempts() == number)
        }
        try await LiveDaemon.run(arguments, program: Self.probe) { daemon in
            let client = try await daemon.client()
            try await client.quiesce(timeout: .seconds(120))
            let fatal = try await client.receipt(of: "fatal")
            #expect(fatal.outcome == .abandoned && fatal.reason == "attemptsInterrupted", "\(fatal)")
            #expect(try await client.receipt(of: "behind").outcome == .applied)
            try await until("the log says so") { daemon.readLog().contains("fatal abandoned: attemptsInterrupted") }
            // What the code makes of an event is in no manifest.
            let check = try await client.call("io.scened.Records.Check")
            #expect(check["conclusion"] == "unknown", "\(JSONValue.object(check).text())")
        }
    }

    @Test("a coordinator that does not return delays only its own window, and the log names it until it has returned")
    func block() async throws {
        let directory = try TemporaryDirectory()
        let gate = try Gate(in: directory)
        let notifications = try NotificationSocket(in: directory)
        let variables = ["NOTIFY_SOCKET": notifications.path, "WATCHDOG_USEC": "400000"]
        let ending = try await LiveDaemon.ending(
            ["--log-level", "notice"],
            program: Self.probe,
            environment: variables
        ) { daemon in
            let client = try await daemon.client()
            _ = try await client.connect(scene: "A")
            _ = try await client.connect(scene: "B")
            async let blocked = daemon.client().sendIntent(
                "waited",
                parameters: ["until": gate.path],
                .init(scene: "A", event: "slow")
            )
            try await daemon.record("dispatch.began", scene: "A", event: "slow")
            try await until("the log names it") { daemon.readLog().contains("does not return") }
            // The other window, the status, new windows and the watchdog go on, on the same connection and on new ones.
            #expect(try await client.openURL("probe://page", .init(scene: "B")).outcome == .applied)
            #expect(try await client.call("io.scened.Manager.GetStatus")["pending"] == 1)
            _ = try await daemon.client().connect(scene: "C")
            for _ in 0..<5 { #expect(notifications.await("WATCHDOG=1")) }
            #expect(!daemon.readLog().contains("has returned"))
            try await gate.release()
            #expect(try await blocked.outcome == .applied)
            try await until("the log says that it goes on") { daemon.readLog().contains("has returned") }
            daemon.stop()
        }
        #expect(ending.status == .exited(0), "\(ending.log)")
        #expect(ending.log.components(separatedBy: "does not return").count == 2, "once: \(ending.log)")
        #expect(ending.log.contains("window A, event slow (intent), ticket 1"), "\(ending.log)")
    }

    @Test("a coordinator that does not return keeps no daemon from stopping, and no client without an answer")
    func blockedStop() async throws {
        let directory = try TemporaryDirectory()
        let gate = try Gate(in: directory)
        let arguments = ["--state", "\(directory.path)/state", "--set", "drainTimeout=100"]
        let ending = try await LiveDaemon.ending(arguments, program: Self.probe) { daemon in
            let client = try await daemon.client()
            for scene in ["A", "B"] { _ = try await client.connect(scene: scene) }
            let raw = try RawConnection(path: daemon.socket)
            func call(_ event: String) -> String {
                #"{"method":"io.scened.Events.SendIntent","parameters":{"name":"waited","parameters":{"until":"\#(gate.path)"},"scene":"A","event":"\#(event)"}}␀"#
            }
            try await raw.write(call("stuck") + call("behind"))
            try await daemon.record("dispatch.began", scene: "A", event: "stuck")
            daemon.stop()
            let answer = #"{"error":"io.scened.Events.Draining","parameters":{}}␀"#
            #expect(try await raw.readToEnd() == answer + answer)
        }
        #expect(ending.status == .exited(0), "\(ending.log)")
        // What was admitted is begun again, and what had not begun was not admitted.
        async let released: Void = gate.release()
        _ = try await LiveDaemon.ending(arguments, program: Self.probe) { daemon in
            let client = try await daemon.client()
            let receipt = try await client.sendIntent(
                "waited",
                parameters: ["until": gate.path],
                .init(scene: "A", event: "stuck", wait: .finished)
            )
            #expect(receipt.isDuplicate && receipt.outcome == .applied)
            await #expect(throws: (any Error).self) { try await client.receipt(of: "behind") }
            daemon.stop()
        }
        try await released
    }

    @Test("an adapter that does not return delays only the client whose event it was asked about")
    func slowAdapter() async throws {
        let directory = try TemporaryDirectory()
        let gate = try Gate(in: directory)
        try await LiveDaemon.run(program: Self.probe) { daemon in
            let others = try await daemon.client()
            for scene in ["A", "B"] { _ = try await others.connect(scene: scene) }
            let payload: JSONObject = ["aps": ["alert": "x"], "until": .string(gate.path)]
            async let slow = daemon.client().push(payload: payload, .init(scene: "A"))
            try await until("the log names it") { daemon.readLog().contains("the adapters, asked about an event") }
            for number in 0..<40 {
                let outcome = try await others.openURL("probe://page", .init(scene: "B")).outcome
                #expect(outcome == (number == 0 ? .applied : .unchanged))
            }
            let declined: JSONObject = ["aps": ["alert": "x"]]
            #expect(try await others.push(payload: declined, .init(scene: "B")).outcome == .rejected)
            try await gate.release()
            #expect(try await slow.outcome == .applied)
        }
    }
}
