import SceneEntryPoints
import SceneManifest
import SceneNavigation
import SceneRouting
import SceneRuntime
import Basics
import ShopInSwift
import StrictJSON
import Testing

/// The shop from the manifest alone and the shop with coordinators in Swift, side by side under the same events.
@Suite("The shop in Swift and the shop from its manifest are the same app")
struct ShopDifferenceTests {
    @Test("the same events lead to the same receipts, windows and records", arguments: 1...24)
    func same(seed: UInt64) async throws {
        let manifest = try AppManifest.builtInShop()
        let generic = try ComparedShop(manifest, AppCode())
        let written = try ComparedShop(manifest, ShopInSwift.code)
        for scene in ComparedShop.scenes {
            try generic.host.connect(scene: scene)
            try written.host.connect(scene: scene)
        }
        var random = SplitMix(seed: seed)
        for step in 1...120 {
            let action = ShopAction.random(in: generic.host.scenes.map(\.window), using: &random)
            let one = await generic.perform(action, event: "e\(step)")
            let other = await written.perform(action, event: "e\(step)")
            #expect(one == other, "seed \(seed), step \(step): \(action)")
            for window in generic.host.scenes.map(\.window) {
                // Whatever windows a person makes, saving and restoring them changes nothing, while what waits in them waits.
                let saved = try WindowState(json: window.json)
                for hasCode in [false, true] {
                    let restored = WindowRestoration.restore(
                        saved,
                        engine: generic.host.engine,
                        hasCode: hasCode,
                        isWaitedFor: { _ in true }
                    )
                    #expect(
                        restored.window == window && restored.dropped.isEmpty,
                        "seed \(seed), step \(step): \(restored)"
                    )
                }
            }
            let windows = (generic.host.scenes, written.host.scenes)
            guard windows.0 == windows.1 else {
                Issue.record("seed \(seed), step \(step): after \(action) the windows differ: \(windows)")
                return
            }
        }
        for scene in ComparedShop.scenes.map(Optional.some) + [nil] {
            let records = (generic.history(of: scene), written.history(of: scene))
            #expect(records.0.count == records.1.count)
            let difference = zip(records.0, records.1).first { $0 != $1 }
            #expect(difference == nil, "seed \(seed): \(String(describing: difference))")
        }
        #expect(written.host.scenes.allSatisfy { $0.leaks == 0 })
        let violations = written.host.records.read(after: 0).records.filter { $0.kind == .violation }
        #expect(violations.isEmpty)
    }

    /// If nothing were ever handled, both would be the same too.
    @Test("the events reach every coordinator")
    func reachesEverything() async throws {
        let shop = try ComparedShop(.builtInShop(), ShopInSwift.code)
        for scene in ComparedShop.scenes { try shop.host.connect(scene: scene) }
        var random = SplitMix(seed: 1)
        for step in 1...1_500 {
            let action = ShopAction.random(in: shop.host.scenes.map(\.window), using: &random)
            _ = await shop.perform(action, event: "e\(step)")
        }
        let records = shop.host.records.read(after: 0).records.map { JSONValue.object($0.json) }
        let handlers = Set(
            records.filter { $0["kind"]?.stringValue == "intent.bubbled" }.compactMap { $0["handler"]?.stringValue }
        )
        #expect(handlers.isSuperset(of: ["root", "auth", "addPayment", "checkout"]), "\(handlers)")
        let outcomes = Set(
            records.filter { $0["kind"]?.stringValue == "dispatch.ended" }.compactMap { $0["outcome"]?.stringValue }
        )
        #expect(
            outcomes.isSuperset(of: ["applied", "unchanged", "gated", "rejected", "ignored", "delivered"]),
            "\(outcomes)"
        )
        let shown = Set(
            records.compactMap { $0["window"]?["shown"]?.arrayValue }.joined().compactMap { $0["id"]?.stringValue }
        )
        #expect(shown.isSuperset(of: ["welcome", "checkout", "paymentForm", "order", "settings", "cart"]), "\(shown)")
    }
}

/// One of the two hosts, run step by step on one executor, with its own clock.
private struct ComparedShop {
    static let scenes = ["A", "B", "C"]
    let host: SceneHost

    init(_ manifest: AppManifest, _ code: AppCode) throws {
        let queue = SerialJobQueue()
        host = try SceneHost(
            id: "shop",
            manifest: manifest,
            clock: VirtualClock(wallTime: 1_767_225_600),
            executors: HostExecutors(session: queue, scene: { _ in queue }),
            code: code
        )
    }

    /// Performs an action, waits for all that follows, and returns the result.
    func perform(_ action: ShopAction, event: String) async -> Came {
        do {
            switch action {
            case .signIn(let user): _ = try await host.session.signIn(user: user)
            case .signOut: await host.session.signOut()
            case .commit(let facts): _ = try await host.session.commit(set: facts)
            case .entry(let entry, let scene):
                _ = try host.admit(Submission(try entry.get(), scene: scene, eventID: event))
            case .action(let action, let scene):
                _ = try host.admit(Submission(action, scene: scene, eventID: event))
            }
        } catch {
            return .refused("\(error)")
        }
        await host.advance(by: .zero)
        return host.receipt(event: event).map(Came.receipt) ?? .session(host.session.snapshot)
    }

    /// The result of an action.
    enum Came: Hashable {
        case receipt(Receipt)
        case session(SessionSnapshot)
        case refused(String)
    }

    /// The records about a scene, or about none, without their indices, because scenes do not wait for each other, and without what they
    /// say of the app's code.
    func history(of scene: String?) -> [JSONObject] {
        host.records.read(after: 0).records.filter { $0.subject.scene == scene }.map { record in
            var json = record.json
            json["index"] = nil
            json["code"] = nil
            return json
        }
    }
}

private enum ShopAction {
    case entry(Result<EntryEvent, JSONFieldError>, scene: String?)
    case action(SceneAction, scene: String)
    case signIn(String)
    case signOut
    case commit([String: FactValue])

    static func random(in windows: [WindowState], using random: inout SplitMix) -> ShopAction {
        let number = Int.random(in: 0..<ComparedShop.scenes.count, using: &random)
        let scene = ComparedShop.scenes[number]
        switch Int.random(in: 0..<100, using: &random) {
        case 0..<3: return .signIn(random.pick(["mina", "theo"]))
        case 3..<5: return .signOut
        case 5..<8:
            return .commit(
                random.pick([
                    ["cart": .strings(["p1"])], ["cart": .strings([])], ["paymentMethod": .string("card")],
                    ["unavailable": .strings(["p2"])], ["unavailable": .strings([])],
                ])
            )
        case 8..<24: return .entry(entry(using: &random), scene: Bool.random(using: &random) ? scene : nil)
        case 24..<36: return .action(.gesture(gesture(using: &random)), scene: scene)
        case 36..<40: return .action(finish(using: &random), scene: scene)
        case 40..<86: return .action(.intent(fitting(windows[number].topmost?.id ?? "", using: &random)), scene: scene)
        default: return .action(.intent(any(using: &random)), scene: scene)
        }
    }

    private static func entry(using random: inout SplitMix) -> Result<EntryEvent, JSONFieldError> {
        let path = random.pick([
            "product/p1", "product/p2", "product/x", "category/tea", "cart", "checkout", "orders", "order/o7",
            "account",
            "account/settings/profile", "promo/SPRING", "nowhere", "home",
        ])
        return Result { () throws(JSONFieldError) in
            switch Int.random(in: 0..<4, using: &random) {
            case 0: try .push(payload: ["aps": ["alert": "x"], "url": .string("qcommerce://\(path)")])
            case 1: try .push(payload: ["aps": ["alert": "x"]], interaction: "present")
            case 2: try .widget(kind: "order-status", userInfo: ["order": "o9"])
            default: try .url("qcommerce://\(path)")
            }
        }
    }

    private static func gesture(using random: inout SplitMix) -> Gesture {
        random.pick([
            .back, .back, .swipeBack(), .swipeBack(cancelled: true), .dismiss, .swipeDown(),
            .swipeDown(cancelled: true), .selectTab("home"), .selectTab("orders"), .selectTab("inbox"),
        ])
    }

    private static func finish(using random: inout SplitMix) -> SceneAction {
        let completion = FlowCompletion(
            user: random.pick([nil, "mina", "theo"]),
            facts: random.pick([
                [:], ["order": .string("o5")], ["paymentMethod": .string("card")], ["nonsense": .string("1")],
            ])
        )
        return .finishFlow(
            random.pick(["auth", "addPayment", "checkout", "home", "nothing"]),
            Int.random(in: 0..<3, using: &random) == 0 ? .cancelled : .completed(completion)
        )
    }

    /// What this screen would report.
    private static func fitting(_ screen: String, using random: inout SplitMix) -> Intent {
        let user = ["user": random.pick(["mina", "theo"])]
        return switch screen {
        case "login":
            random.pick([
                Intent(name: "signUpRequested"), Intent(name: "signUpRequested"),
                Intent(name: "loginCompleted", parameters: user),
                Intent(name: "cancelled"),
            ])
        case "createAccount":
            random.pick([
                Intent(name: "emailCaptured", parameters: ["email": "m@shop.example"]),
                Intent(name: "emailCaptured", parameters: ["email": "m@shop.example"]), Intent(name: "signUpCancelled"),
            ])
        case "emailVerification":
            random.pick([
                Intent(name: "emailVerified", parameters: ["email": "m@shop.example"]),
                Intent(name: "emailVerified", parameters: ["email": "m@shop.example"]),
                Intent(name: "verificationCancelled"),
            ])
        case "password": Intent(name: "passwordCaptured")
        case "welcome": Intent(name: "signUpCompleted", parameters: user)
        case "paymentForm":
            random.pick([Intent(name: "paymentAdded", parameters: ["method": "card"]), Intent(name: "cancelled")])
        case "checkout":
            random.pick([Intent(name: "orderPlaced", parameters: ["order": "o3"]), Intent(name: "cancelled")])
        case "cart": Intent(name: "checkoutTapped")
        default: any(using: &random)
        }
    }

    /// What some screen would report, or none should.
    private static func any(using random: inout SplitMix) -> Intent {
        let (name, parameters): (String, [String: String]) = random.pick([
            ("productSelected", ["id": "p1"]), ("productSelected", ["id": "p2"]), ("productSelected", ["id": "sofa"]),
            ("productSelected", [:]), ("categorySelected", ["slug": "tea"]), ("cartTapped", [:]),
            ("checkoutTapped", [:]),
            ("orderSelected", ["id": "o4"]), ("buyNow", ["id": "p3"]), ("buyNow", ["id": "p1", "more": "x"]),
            ("accountTapped", [:]), ("signOutTapped", [:]), ("emailCaptured", ["email": "m@shop.example"]),
            ("passwordCaptured", [:]), ("cancelled", [:]), ("orderPlaced", ["order": "nonsense"]), ("unheardOf", [:]),
            ("signUpCompleted", ["user": "mina"]),
        ])
        return Intent(name: name, parameters: parameters)
    }
}
