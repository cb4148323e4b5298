import Foundation
import Glibc
import SceneClient
import SceneVocabulary
import StrictJSON
import Subprocess
import TestFixtures
import Testing
import Varlink

@Suite("Intents, gestures and flow results on the live daemon", .eitherDaemon, .timeLimit(.minutes(15)))
struct InsideWindowsTests {
    @Test("a purchase: taps, a sign-up step by step, payment, and the checkout hands over to the order")
    func purchase() async throws {
        try await LiveDaemon.run { daemon in
            let client = try await daemon.client()
            _ = try await client.connect(scene: "A")
            func tap(_ intent: String, _ parameters: [String: String] = [:], event: String? = nil) async throws
                -> ClientReceipt
            {
                try await client.sendIntent(intent, parameters: parameters, .init(scene: "A", event: event))
            }
            #expect(try await tap("productSelected", ["id": "p7"]).window?.trail == ["home", "product(id: p7)"])
            let buy = try await tap("buyNow", ["id": "p7"], event: "buy")
            #expect(buy.outcome == .gated && buy.precondition == "signedIn")
            #expect(try await client.session().facts["cart"] == ["p7"])
            #expect(try await tap("signUpRequested").window?.trail.last == "createAccount")
            #expect(try await client.gesture(.back, .init(scene: "A")).window?.trail.last == "login")
            _ = try await tap("signUpRequested")
            #expect(try await tap("emailCaptured", ["email": "a@b.example"]).window?.trail.last == "emailVerification")
            #expect(try await tap("emailVerified", ["email": "a@b.example"]).window?.trail.last == "password")
            let hidden = try await client.gesture(.swipeBack(), .init(scene: "A"))
            #expect(hidden.outcome == .ignored && hidden.reason == "backHidden")
            #expect(try await tap("passwordCaptured").window?.trail.last == "welcome")
            #expect(try await tap("signUpCompleted", ["user": "anna"]).outcome == .applied)
            #expect(
                try await client.sendIntent(
                    "buyNow",
                    parameters: ["id": "p7"],
                    .init(scene: "A", event: "buy", wait: .finished)
                ).outcome == .applied
            )
            #expect(try await client.scene("A").window?.trail == ["home", "product(id: p7)", "cart"])
            #expect(try await tap("checkoutTapped", event: "pay").precondition == "paymentMethod")
            let tree = try await client.scene("A").coordinatorTree
            #expect(tree.contains { $0.flow == "addPayment" && $0.parent == "home" })
            #expect(try await tap("paymentAdded", ["method": "card"]).outcome == .applied)
            let paid = try await client.sendIntent("checkoutTapped", .init(scene: "A", event: "pay", wait: .finished))
            #expect(paid.outcome == .applied)
            #expect(try await client.scene("A").window?.trail.last == "checkout")
            let placed = try await tap("orderPlaced", ["order": "o12"])
            #expect(placed.outcome == .applied)
            #expect(placed.window?.trail == ["orders", "order(id: o12)"])
            #expect(try await client.session().facts["cart"] == [])
            let bubbled = try await daemon.records(scene: "A").filter { $0["kind"] == "intent.bubbled" }
            #expect(bubbled.last?["chain"] == ["screen checkout", "fullScreen of checkout", "checkout"])
            #expect(bubbled.last?["handler"] == "checkout")
            #expect(try await daemon.records().allSatisfy { $0["kind"] != "violation" })
        }
    }

    @Test("a gesture in a transition that is held gets its ticket and is ignored at once")
    func inTransition() async throws {
        try await LiveDaemon.run { daemon in
            let client = try await daemon.client()
            let lever = try await daemon.connect()
            _ = try await client.connect(scene: "A")
            let hold =
                try await lever.call("io.scened.Control.Hold", ["point": "transition", "scene": "A"])["hold"] ?? .null
            _ = try await client.openURL("qcommerce://product/p1", .init(scene: "A", event: "link", wait: .admitted))
            _ = try await lever.call("io.scened.Control.Await", ["hold": hold])
            let back = try await client.gesture(.back, .init(scene: "A"))
            #expect(back.outcome == .ignored && back.reason == "inTransition" && back.ticket == 2)
            _ = try await lever.call("io.scened.Control.Release", ["hold": hold])
            #expect(
                try await client.openURL("qcommerce://product/p1", .init(scene: "A", event: "link")).outcome
                    == .applied
            )
            #expect(try await client.scene("A").window?.trail == ["home", "product(id: p1)"])
        }
    }

    @Test("a flow that another window made unnecessary reports too late and commits nothing")
    func late() async throws {
        try await LiveDaemon.run { daemon in
            let client = try await daemon.client()
            _ = try await client.connect(scene: "A")
            _ = try await client.openURL("qcommerce://cart", .init(scene: "A", event: "cart"))
            _ = try await client.signIn(user: "anna")
            let late = try await client.completeFlow("auth", user: "bert", .init(scene: "A"))
            #expect(late.outcome == .rejected && late.reason == "noSuchFlow")
            #expect(try await client.session().user == "anna")
            #expect(try await client.session().revision == 1)
        }
    }

    @Test("what is presented over whatever is shown comes over a login and over a gate's flow, and goes back to it")
    func overCurrent() async throws {
        try await LiveDaemon.run(["--app", "club"]) { daemon in
            let client = try await daemon.client()
            _ = try await client.connect(scene: "A")
            let help = try await client.openURL("club://help", .init(scene: "A"))
            #expect(help.outcome == .applied && help.window?.trail == ["hello", "help(topic: start)"])
            _ = try await client.gesture(.dismiss, .init(scene: "A"))
            _ = try await client.completeFlow("welcome", user: "mina", .init(scene: "A"))
            let booking = try await client.openURL("club://booking", .init(scene: "A"))
            #expect(booking.outcome == .gated && booking.window?.trail == ["courts", "form"])
            let again = try await client.openURL("club://help/rackets", .init(scene: "A"))
            #expect(again.outcome == .applied && again.window?.trail == ["courts", "form", "help(topic: rackets)"])
            let closed = try await client.gesture(.swipeDown(), .init(scene: "A"))
            #expect(closed.window?.trail == ["courts", "form"])
            _ = try await client.sendIntent("joined", .init(scene: "A"))
            try await client.quiesce()
            #expect(try await client.scene("A").window?.trail == ["courts", "booking"])
        }
    }

    @Test("a flow starts another, gets its values from outside, and refuses those that are not declared")
    func started() async throws {
        try await LiveDaemon.run(["--app", "club"]) { daemon in
            let client = try await daemon.client()
            _ = try await client.connect(scene: "A")
            _ = try await client.completeFlow("welcome", user: "mina", .init(scene: "A"))
            _ = try await client.openURL("club://booking", .init(scene: "A"))
            _ = try await client.sendIntent("sponsorWanted", .init(scene: "A"))
            let search = try await client.sendIntent("searchWanted", .init(scene: "A"))
            #expect(search.window?.trail == ["courts", "form", "names(club: tennis)", "query"])
            // The coordinators of flows that were started are below those that started them.
            let tree = try await client.scene("A").coordinatorTree.map { "\($0.flow) < \($0.parent)" }
            #expect(tree.suffix(3) == ["join < courts", "sponsor < join", "search < sponsor"])
            for values in [[:], ["who": "theo"], ["found": "theo", "who": "theo"]] {
                await #expect(throws: SceneClientError.self) {
                    try await client.completeFlow("search", values: values, .init(scene: "A"))
                }
            }
            let finish = try await Program.run(
                Command.built("scenectl"),
                ["finish", "search", "--completed", "--value", "found=theo", "--scene", "A", "--socket", daemon.socket]
            )
            #expect(finish.status == .exited(0), "\(finish.errors)")
            #expect(try await client.scene("A").window?.trail == ["courts", "form", "sent(sponsor: theo)"])
        }
    }

    /// The app of `Tests/Apps/windows.yaml` behind a socket, mina in its window A; `scenectl` has to succeed, and returns what it prints.
    private static func windows(
        _ body: (
            LiveDaemon, SceneClient, _ scenectl: (_ arguments: [String]) async throws -> String
        ) async throws -> Void
    ) async throws {
        let app = URL(filePath: #filePath).deletingLastPathComponent().deletingLastPathComponent()
            .appending(path: "Apps/windows.yaml")
        try await LiveDaemon.run(["--app", app.path]) { daemon in
            let client = try await daemon.client()
            _ = try await client.connect(scene: "A")
            _ = try await client.completeFlow("welcome", user: "mina", .init(scene: "A"))
            try await body(daemon, client) { arguments in
                let run = try await Program.run(Command.built("scenectl"), arguments + ["--socket", daemon.socket])
                #expect(run.status == .exited(0), "\(run.errors)")
                return run.output
            }
        }
    }

    @Test("an app opens a window and closes one, and is told where there may be no more")
    func requestedWindows() async throws {
        try await Self.windows { daemon, client, scenectl in
            let beside = try await client.sendIntent("besideTapped", .init(scene: "A", event: "beside"))
            #expect(beside.outcome == .delivered && beside.windows.map(\.scene) == ["scene-1", "scene-2"])
            try await client.quiesce()
            let opened = try await client.scene("scene-1")
            #expect(opened.activation == .foregroundActive && opened.window?.trail == ["courts", "court(id: c9)"])
            #expect(try await client.scene("scene-2").configuration == "reader")
            #expect(try await scenectl(["why", "beside"]).contains("a window for court(id: c9) is scene-1"))
            let record = try await daemon.record("window.requested")
            #expect(record["event"] == "beside" && record["opened"] == "scene-1")
            // The fourth to the sixth may be opened, and no seventh.
            _ = try await client.sendIntent("besideTapped", .init(scene: "A"))
            _ = try await client.sendIntent("besideTapped", .init(scene: "A"))
            #expect(
                try await scenectl(["intent", "besideTapped", "--scene", "A"]).contains("no window: requestDenied")
            )
            #expect(try await client.receipt(of: "beside").windows.map(\.scene) == ["scene-1", "scene-2"])
            // What is dragged opens a window as well, or is refused.
            let drag = try await Program.run(
                Command.built("scenectl"),
                ["drag", "A", "com.example.club.court", "--user-info", #"{"court": "c1"}"#, "--socket", daemon.socket]
            )
            #expect(drag.status == .exited(1) && drag.errors.contains("the app allows no more"), "\(drag.errors)")
            _ = try await client.discard(scene: "scene-2")
            let dragged = try await scenectl([
                "drag", "A", "com.example.club.court", "--user-info", #"{"court": "c1"}"#,
            ])
            #expect(dragged.contains("scene-6 #1") && dragged.contains("court(id: c1)"), "\(dragged)")
            let close = try await client.sendIntent("closeTapped", .init(scene: "A"))
            #expect(close.outcome == .delivered && close.windows.isEmpty)
            try await client.quiesce()
            #expect(!(try await client.scenes().contains { $0.id == "A" }))
            #expect(try await daemon.records(scene: "A").contains { $0["kind"] == "scene.discarded" })
        }
    }

    @Test("an app closes and refreshes windows by what they are for, and the records say which")
    func otherWindows() async throws {
        try await Self.windows { daemon, client, scenectl in
            _ = try await client.sendIntent("besideTapped", .init(scene: "A"))
            try await client.quiesce()
            _ = try await client.disconnect(scene: "scene-1")
            let id = ["id": "c9"]
            let fresh = SceneClient.Delivery(scene: "A", event: "fresh")
            let refresh = try await client.sendIntent("courtRefreshed", parameters: id, fresh)
            #expect(refresh.outcome == .delivered)
            try await client.quiesce()
            let back = try await client.scene("scene-1")
            #expect(back.activation == .background && back.window?.trail == ["courts", "court(id: c9)"])
            #expect(try await client.scene("A").activation == .foregroundActive)
            #expect(try await scenectl(["why", "fresh"]).contains("refreshes scene-1, for court(id: c9)"))
            _ = try await scenectl(["intent", "courtClosed", "id=c9", "--scene", "A", "--event", "gone"])
            try await client.quiesce()
            #expect(try await client.scenes().map(\.id) == ["A", "scene-2"])
            #expect(try await scenectl(["why", "gone"]).contains("closes scene-1, for court(id: c9)"))
            // There is none any more, which is no mistake of whoever tapped.
            let none = try await client.sendIntent("courtClosed", parameters: id, .init(scene: "A"))
            #expect(none.outcome == .delivered)
            let records = try await daemon.records(scene: "A").filter { $0["kind"] == "window.requested" }
            #expect(records.last?["error"] == "requestDenied" && records.last?["target"] == nil)
            let check = try await Program.run(Command.built("scenectl"), ["check", "--socket", daemon.socket])
            #expect(check.status == .exited(0), "\(check.output)\(check.errors)")
        }
    }

    @Test(
        "an app that allows one window only is told by UIKit's name that it may have no other, and goes on",
        arguments: [1, 2]
    )
    func noOtherWindow(maximum: Int) async throws {
        let app = URL(filePath: #filePath).deletingLastPathComponent().deletingLastPathComponent()
            .appending(path: "Apps/windows.yaml")
        let directory = try TemporaryDirectory()
        let file = "\(directory.path)/windows.yaml"
        try String(contentsOf: app, encoding: .utf8).replacing("maximumScenes: 6", with: "maximumScenes: \(maximum)")
            .write(toFile: file, atomically: true, encoding: .utf8)
        try await LiveDaemon.run(["--app", file]) { daemon in
            let client = try await daemon.client()
            _ = try await client.connect(scene: "A")
            _ = try await client.completeFlow("welcome", user: "mina", .init(scene: "A"))
            let before = try await client.scene("A").window
            // It asks for two.
            let beside = try await client.sendIntent("besideTapped", .init(scene: "A", event: "beside"))
            let denied: WindowError = maximum == 1 ? .multipleScenesNotSupported : .requestDenied
            #expect(beside.outcome == .delivered && beside.windows.count == 2)
            #expect(beside.windows.compactMap(\.error?.known) == Array(repeating: denied, count: 3 - maximum))
            #expect(beside.windows.filter { $0.scene == nil }.count == 3 - maximum)
            #expect(try await client.scenes().count == maximum)
            #expect(try await client.scene("A").window == before)
            let recorded = try await daemon.records(event: "beside").filter { $0["kind"] == "window.requested" }
            #expect(
                recorded.compactMap { $0["error"]?.stringValue }
                    == Array(repeating: denied.rawValue, count: 3 - maximum)
            )
            let why = try await Program.run(Command.built("scenectl"), ["why", "beside", "--socket", daemon.socket])
            #expect(why.output.contains(denied.rawValue), "\(why.output)\(why.errors)")
            if maximum > 1 { return }
            // Who wants another window by hand is refused by the limit.
            let refused = await #expect(throws: SceneClientError.self) { try await client.connect(scene: "B") }
            #expect(refused?.refusal == .tooManyScenes(limit: 1))
        }
    }

    @Test("a window locks in the background, by itself, and what is asked of it waits for its own passcode")
    func locked() async throws {
        let app = URL(filePath: #filePath).deletingLastPathComponent().deletingLastPathComponent()
            .appending(path: "Apps/vault.yaml")
        try await LiveDaemon.run(["--app", app.path]) { daemon in
            let client = try await daemon.client()
            func scenectl(_ arguments: String...) async throws -> String {
                let run = try await Program.run(Command.built("scenectl"), arguments + ["--socket", daemon.socket])
                #expect(run.status == .exited(0), "\(run.errors)")
                return run.output
            }
            for scene in ["A", "B"] { _ = try await client.connect(scene: scene) }
            _ = try await client.signIn(user: "mina")
            _ = try await client.openURL("vault://paper/p1", .init(scene: "A"))
            for scene in ["A", "B"] { _ = try await scenectl("activate", scene, "background") }
            let left = try await client.scene("A")
            #expect(left.isLocked && left.window?.trail == ["papers", "paper(id: p1)"], "nobody sees it")
            let scenes = try await scenectl("list").split(separator: "\n")
            #expect(scenes.count == 2 && scenes.allSatisfy { $0.contains("background  locked") }, "\(scenes)")
            let waiting = try await client.openURL("vault://help", .init(scene: "A", event: "help"))
            #expect(waiting.outcome == .gated && waiting.precondition == "unlock")
            #expect(waiting.window?.trail == ["papers", "paper(id: p1)", "passcode"])
            // With nothing asked of it, the other one is covered when it comes to the front, and its own passcode opens it.
            _ = try await scenectl("activate", "B")
            #expect(try await client.scene("B").window?.trail == ["papers", "passcode"])
            #expect(try await client.sendIntent("entered", .init(scene: "B")).outcome == .applied)
            #expect(try await client.scenes().filter(\.isLocked).map(\.id) == ["A"])
            #expect(try await client.receipt(of: "help").outcome == .gated)
            let hidden = try await client.completeFlow("unlock", .init(scene: "A"))
            #expect(hidden.outcome == .applied)
            try await client.quiesce()
            #expect(try await client.receipt(of: "help").outcome == .applied)
            #expect(try await client.scene("A").window?.trail == ["help"])
            let story = try await scenectl("why", "help")
            #expect(story.contains("needs unlock") && story.contains("unlock is complete"), "\(story)")
            let kinds = try await daemon.records(scene: "A").compactMap { record -> String? in
                guard let kind = record["kind"]?.stringValue, kind.hasPrefix("window.") else { return nil }
                return "\(kind) \(record["reason"]?.stringValue ?? "")"
            }
            #expect(kinds == ["window.locked background", "window.unlocked completed"])
        }
    }

    @Test("an app that shows a login first has a root without tabs until somebody signs in, and again afterwards")
    func loginFirst() async throws {
        let app = URL(filePath: #filePath).deletingLastPathComponent().deletingLastPathComponent()
            .appending(path: "Apps/login-first.yaml")
        try await LiveDaemon.run(["--app", app.path]) { daemon in
            let client = try await daemon.client()
            let opened = try await client.connect(scene: "A")
            #expect(opened.window?.tabs.map(\.id) == ["root"] && opened.window?.trail == ["intro"])
            #expect(opened.coordinatorTree.map(\.flow) == ["onboarding"])
            let link = try await client.openURL("ledger://account/a1", .init(scene: "A", event: "link"))
            #expect(link.outcome == .gated && link.precondition == "onboarding")
            #expect(link.window?.trail == ["intro"], "the flow is there already")
            _ = try await client.sendIntent("started", .init(scene: "A"))
            let tab = try await client.gesture(.selectTab("profile"), .init(scene: "A"))
            #expect(tab.outcome == .ignored && tab.reason == "noTabs")
            let done = try await client.completeFlow("onboarding", user: "anna", .init(scene: "A"))
            #expect(done.outcome == .applied && done.window?.tabs.map(\.id) == ["accounts", "profile"])
            let resumed = try await client.openURL(
                "ledger://account/a1",
                .init(scene: "A", event: "link", wait: .finished)
            )
            #expect(resumed.outcome == .applied && resumed.window?.trail == ["accounts", "account(id: a1)"])
            let newest = try #require(try await daemon.records().last?["index"]?.integerValue)
            _ = try await client.signOut()
            try await daemon.record(after: newest, scene: "A") { $0["op"]?["name"] == "setRoot" }
            #expect(try await client.scene("A").window?.trail == ["intro"])
        }
    }

    /// Events that cannot be admitted, and the errors.
    static let refusals: [(method: String, parameters: JSONObject, error: String, detail: JSONObject)] = [
        ("SendIntent", ["name": "cartTapped"], "org.varlink.service.InvalidParameter", ["parameter": "scene"]),
        ("Gesture", ["gesture": "back"], "org.varlink.service.InvalidParameter", ["parameter": "scene"]),
        (
            "FinishFlow", ["flow": "auth", "result": "cancelled"], "org.varlink.service.InvalidParameter",
            ["parameter": "scene"]
        ), ("SendIntent", ["name": "cartTapped", "scene": "Z"], "UnknownScene", ["scene": "Z"]),
        ("SendIntent", ["name": "productSelected", "scene": "A"], "ValidationFailed", ["parameter": "id"]),
        (
            "SendIntent", ["name": "productSelected", "parameters": ["id": "x"], "scene": "A"], "ValidationFailed",
            ["parameter": "id"]
        ),
        (
            "SendIntent", ["name": "productSelected", "parameters": ["id": 1], "scene": "A"],
            "org.varlink.service.InvalidParameter", ["parameter": "parameters[id]"]
        ),
        (
            "SendIntent", ["name": "", "scene": "A"], "org.varlink.service.InvalidParameter", ["parameter": "name"]
        ),
        ("Gesture", ["gesture": "selectTab", "scene": "A"], "ValidationFailed", ["parameter": "tab"]),
        ("Gesture", ["gesture": "selectTab", "tab": "x", "scene": "A"], "ValidationFailed", ["parameter": "tab"]),
        ("Gesture", ["gesture": "back", "tab": "home", "scene": "A"], "ValidationFailed", ["parameter": "tab"]),
        (
            "Gesture", ["gesture": "dismiss", "cancelled": true, "scene": "A"], "ValidationFailed",
            ["parameter": "cancelled"]
        ),
        (
            "Gesture", ["gesture": "shake", "scene": "A"], "org.varlink.service.InvalidParameter",
            ["parameter": "gesture"]
        ),
        ("FinishFlow", ["flow": "x", "result": "cancelled", "scene": "A"], "ValidationFailed", ["parameter": "flow"]),
        (
            "FinishFlow", ["flow": "auth", "result": "completed", "scene": "A"], "ValidationFailed",
            ["parameter": "user"]
        ),
        (
            "FinishFlow", ["flow": "auth", "result": "cancelled", "user": "anna", "scene": "A"], "ValidationFailed",
            ["parameter": "user"]
        ),
        (
            "FinishFlow", ["flow": "addPayment", "result": "completed", "facts": ["paymentMethod": 1], "scene": "A"],
            "InvalidFact", ["fact": "paymentMethod"]
        ),
        (
            "FinishFlow", ["flow": "addPayment", "result": "completed", "facts": ["nothing": [[]]], "scene": "A"],
            "InvalidFact", ["fact": "nothing"]
        ),
    ]

    @Test("an event that cannot be admitted is refused with the parameter, and leaves no record")
    func refused() async throws {
        try await LiveDaemon.run { daemon in
            let client = try await daemon.connect()
            _ = try await client.call("io.scened.Scenes.Connect", ["scene": "A"])
            let before = try await daemon.records().count
            for (method, parameters, name, detail) in Self.refusals {
                let error = try await client.refusal("io.scened.Events.\(method)", parameters)
                #expect(
                    error?.name == (name.contains(".") ? name : "io.scened.Events.\(name)"),
                    "\(method) \(parameters)"
                )
                for (key, value) in detail { #expect(error?.parameters[key] == value, "\(method) \(parameters)") }
            }
            #expect(try await daemon.records().count == before)
            try await daemon.expectService()
        }
    }
}
