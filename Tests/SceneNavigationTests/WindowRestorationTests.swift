import SceneManifest
import SceneNavigation
import SceneRouting
import Basics
import Testing

@Suite("Restoring a saved window")
struct WindowRestorationTests {
    private typealias Dropped = WindowRestoration.Dropped

    private func engine(_ edit: (inout AppManifest) -> Void = { _ in }) throws -> RoutingEngine {
        var manifest = try AppManifest.builtInShop()
        edit(&manifest)
        return try RoutingEngine(manifest: manifest)
    }

    /// Restores, with something waiting for each flow, and checks that the result is legal: a window with the rules of UIKit takes it op
    /// by op.
    private func restore(
        _ saved: WindowState,
        _ engine: RoutingEngine
    ) throws -> (window: WindowState, dropped: [WindowRestoration.Dropped]) {
        let restored = WindowRestoration.restore(saved, engine: engine, isWaitedFor: { _ in true })
        var window = Window(state: shop(), repeats: { engine.destination($0)?.repeats ?? false })
        try window.begin(.setRoot(restored.window.tabs, selected: restored.window.selectedTab))
        for modal in restored.window.modals {
            window.completeTransition()
            try window.begin(.present(modal))
        }
        #expect(window.state == restored.window)
        let again = WindowRestoration.restore(restored.window, engine: engine, isWaitedFor: { _ in true })
        #expect(again.window == restored.window)
        #expect(again.dropped.isEmpty)
        return restored
    }

    private let everything: WindowState = {
        var window = WindowState(
            tabs: [
                TabState(id: "home", stack: places(["home", "product:p1", "product:p2", "cart"])),
                TabState(id: "orders", stack: places(["orders", "order:o1"])),
                TabState(
                    id: "account",
                    stack: [place("account"), Destination(id: "settings", parameters: ["section": "privacy"])]
                ),
            ],
            selectedTab: "account"
        )
        window.modals = [
            ModalState(flow: "checkout", style: .fullScreen, stack: [place("checkout")]),
            ModalState(flow: "auth", style: .sheet, stack: places(["login", "createAccount"])),
        ]
        return window
    }()

    @Test("a window of the same app comes back whole")
    func unchanged() throws {
        let (window, dropped) = try restore(everything, engine())
        #expect(window == everything)
        #expect(dropped.isEmpty)
    }

    @Test("an unknown destination is dropped with what was above it, and both are reported")
    func unknownDestination() throws {
        let older = try engine { manifest in
            manifest.destinations.removeAll { $0.id == "product" }
            manifest.routes.removeAll { $0.destination == "product" }
            manifest.intents.removeAll { $0.name == "productSelected" }
            manifest.adapters.removeAll { $0.name == "spotlight-product" }
        }
        let (window, dropped) = try restore(everything, older)
        #expect(window.stack(of: "home") == places(["home"]))
        #expect(window.stack(of: "orders") == everything.stack(of: "orders"))
        #expect(window.modals == everything.modals)
        #expect(
            dropped == [
                Dropped(destination: place("product:p1"), container: .tab("home"), reason: .unknownDestination),
                Dropped(destination: place("product:p2"), container: .tab("home"), reason: .stoodOnDropped),
                Dropped(destination: place("cart"), container: .tab("home"), reason: .stoodOnDropped),
            ]
        )
        #expect(dropped[0].description == "product(id: p1) in tab home: the app has no such destination")
    }

    @Test("a screen with a missing or invalid parameter is dropped, and the report says what would be valid")
    func invalidParameter() throws {
        var saved = everything
        saved.tabs[0].stack = places(["home", "product:p1", "product:sofa", "cart"])
        saved.tabs[1].stack = [place("orders"), Destination(id: "order")]
        saved.tabs[2].stack = [
            place("account"), Destination(id: "settings", parameters: ["section": "privacy", "x": "1"]),
        ]
        let (window, dropped) = try restore(saved, engine())
        #expect(window.tabs.map(\.stack) == [places(["home", "product:p1"]), places(["orders"]), places(["account"])])
        #expect(dropped.map(\.destination.id) == ["product", "cart", "order", "settings"])
        for (reason, parameter) in zip([0, 2, 3].map { dropped[$0].reason }, ["id", "id", "x"]) {
            guard case .invalidParameter(parameter, _) = reason else {
                Issue.record("\(reason) is not about \(parameter)")
                continue
            }
        }
    }

    @Test("parameters come back in canonical form, with defaults that were added since")
    func canonicalParameters() throws {
        let newer = try engine { manifest in
            for index in manifest.destinations.indices where manifest.destinations[index].id == "order" {
                manifest.destinations[index].parameters.append(
                    ParameterDeclaration(
                        name: "view",
                        type: .oneOf(["full", "short"]),
                        isRequired: false,
                        defaultValue: "full"
                    )
                )
            }
        }
        let (window, dropped) = try restore(everything, newer)
        #expect(window.stack(of: "orders")?.last?.parameters == ["id": "o1", "view": "full"])
        #expect(dropped.isEmpty)
    }

    @Test(
        "tabs are those of the app: one that is gone is reported, a new one starts at its root, another root starts anew"
    )
    func tabs() throws {
        var saved = everything
        saved.selectedTab = "orders"
        saved.tabs[0].id = "shop"
        saved.tabs[1].stack[0] = place("inbox")
        let (window, dropped) = try restore(saved, engine())
        #expect(window.tabs.map(\.id) == ["home", "orders", "account"])
        #expect(window.stack(of: "home") == places(["home"]))
        #expect(window.stack(of: "orders") == places(["orders"]))
        #expect(window.selectedTab == "orders")
        #expect(window.modals == saved.modals)
        #expect(dropped.prefix(4).allSatisfy { $0.reason == .unknownTab("shop") })
        #expect(dropped.dropFirst(4).allSatisfy { $0.reason == .otherRoot("orders") })
        #expect(dropped.count == 6)
    }

    @Test("if the selected tab is gone, the first is selected, without the presentations")
    func selectedTabIsGone() throws {
        var saved = everything
        saved.tabs[2].id = "profile"
        saved.selectedTab = "profile"
        let (window, dropped) = try restore(saved, engine())
        #expect(window.selectedTab == "home")
        #expect(window.modals.isEmpty)
        #expect(window.stack(of: "account") == places(["account"]))
        #expect(
            dropped.filter { $0.reason == .stoodOnDropped }.map(\.destination.id) == [
                "checkout", "login", "createAccount",
            ]
        )
    }

    @Test(
        "a presentation of an unknown flow is dropped with those above; an unknown screen of a known flow cuts its stack"
    )
    func presentations() throws {
        var saved = everything
        saved.modals[0].flow = "purchase"
        var restored = try restore(saved, engine())
        #expect(restored.window.modals.isEmpty)
        #expect(restored.dropped.map(\.reason) == [.unknownFlow("purchase"), .stoodOnDropped, .stoodOnDropped])

        saved = everything
        saved.modals[1].stack = places(["login", "captcha", "createAccount"])
        restored = try restore(saved, engine())
        #expect(restored.window.modals.map(\.stack) == [places(["checkout"]), places(["login"])])
        #expect(restored.dropped.map(\.reason) == [.unknownDestination, .stoodOnDropped])

        // A screen of another flow does not belong to this one.
        saved.modals[1].stack = places(["paymentForm"])
        restored = try restore(saved, engine())
        #expect(restored.window.modals.map(\.flow) == ["checkout"])
        #expect(restored.dropped.map(\.reason) == [.outsideFlow("addPayment")])
    }

    /// Where a saved window has a flow's own screen.
    enum Place: CaseIterable {
        case tab, covered, sheet, otherFlow, aboveFlow
    }

    @Test("a flow's own screen comes back only where the flow shows it", arguments: Place.allCases)
    func outsideFlow(_ place: Place) throws {
        let engine = try engine()
        let login = Destination(id: "login")
        var saved = shop()
        switch place {
        case .tab: saved.tabs[0].stack.append(login)
        case .covered: saved.tabs[1].stack.append(login)
        case .sheet: saved.modals = [ModalState(flow: nil, style: .sheet, stack: [login])]
        case .otherFlow: saved.modals = [ModalState(flow: "checkout", style: .sheet, stack: [login])]
        case .aboveFlow:
            saved.modals = [ModalState(flow: "auth", style: .sheet, stack: [login])]
            saved.modals.append(ModalState(flow: nil, style: .sheet, stack: [login]))
        }
        let (window, dropped) = try restore(saved, engine)
        #expect(dropped.map(\.reason) == [.outsideFlow("auth")])
        #expect(window.modals.map(\.flow) == (place == .aboveFlow ? ["auth"] : []))
        #expect(window.tabs == shop().tabs)
    }

    @Test("a flow that is presented twice comes back once, without what was over the second")
    func presentedTwice() throws {
        var saved = shop()
        saved.modals = [
            ModalState(flow: "auth", style: .sheet, stack: places(["login"])),
            ModalState(flow: "auth", style: .sheet, stack: places(["login", "createAccount"])),
            ModalState(flow: "checkout", style: .sheet, stack: places(["checkout"])),
        ]
        let (window, dropped) = try restore(saved, engine())
        #expect(window.modals == [saved.modals[0]])
        #expect(dropped.map(\.reason) == [.presentedTwice("auth"), .presentedTwice("auth"), .stoodOnDropped])
    }

    @Test("a screen that may no longer repeat is dropped")
    func repeats() throws {
        let newer = try engine { manifest in
            for index in manifest.destinations.indices { manifest.destinations[index].repeats = false }
        }
        let (window, dropped) = try restore(everything, newer)
        #expect(window.stack(of: "home") == places(["home", "product:p1"]))
        #expect(dropped.map(\.reason) == [.repeats, .stoodOnDropped])
    }

    @Test("a flow shown instead of tabs comes back if the app still has it as a root; else the app's start is shown")
    func rootFlow() throws {
        let saved = WindowState(
            tabs: [TabState(id: "root", stack: places(["login", "createAccount"]))],
            selectedTab: "root",
            modals: [ModalState(flow: "addPayment", style: .sheet, stack: places(["paymentForm"]))]
        )
        let loginFirst = try engine { $0.roots = [RootDeclaration(flow: "auth", when: .not(.signedIn))] }
        var restored = try restore(saved, loginFirst)
        #expect(restored.window == saved)
        #expect(restored.dropped.isEmpty)

        restored = try restore(saved, engine())
        #expect(restored.window == shop())
        #expect(restored.dropped.map(\.reason) == [.unknownTab("root"), .unknownTab("root"), .stoodOnDropped])

        // Tabs that were shown while somebody was signed in come back as tabs; the session decides about the root.
        restored = try restore(everything, loginFirst)
        #expect(restored.window == everything)

        let onlyFlows = try engine { manifest in
            manifest = AppManifest(
                name: "Kiosk",
                roots: [RootDeclaration(flow: "auth", when: .always)],
                flows: manifest.flows.filter { $0.name == "auth" }
            )
        }
        restored = try restore(everything, onlyFlows)
        #expect(
            restored.window == WindowState(tabs: [TabState(id: "root", stack: places(["login"]))], selectedTab: "root")
        )
        #expect(restored.dropped.count == everything.destinations.count)
    }

    @Test(
        "whatever was saved, the restored window is legal, and each screen is either in it or reported",
        arguments: 0..<8
    )
    func legal(seed: UInt64) throws {
        var random = SplitMix(seed: seed)
        let engine = try engine()
        let words = [
            "home", "orders", "account", "product:p1", "product:p2", "product:x", "cart", "login", "welcome", "gone",
            "order:o1", "checkout", "settings:profile",
        ]
        func stack() -> [Destination] {
            let count = Int.random(in: 1...4, using: &random)
            return (0..<count).map { _ in place(words.randomElement(using: &random) ?? "home") }
        }
        for _ in 0..<60 {
            let ids = ["home", "orders", "account", "root", "old"].shuffled(using: &random)
                .prefix(Int.random(in: 1...4, using: &random))
            let saved = WindowState(
                tabs: ids.map { id in
                    TabState(id: id, stack: (id == "old" || id == "root" ? [] : [place(id)]) + stack())
                },
                selectedTab: ids.randomElement(using: &random) ?? "home",
                modals: (0..<Int.random(in: 0...3, using: &random)).map { _ in
                    ModalState(
                        flow: ["auth", "checkout", "gone", nil].randomElement(using: &random) ?? nil,
                        style: .sheet,
                        stack: stack()
                    )
                }
            )
            let (window, dropped) = try restore(saved, engine)
            let added = window.destinations.filter { !saved.destinations.contains($0) }
            #expect(added.allSatisfy { ["home", "orders", "account"].contains($0.id) }, "only roots are made anew")
            for destination in saved.destinations where !window.destinations.contains(destination) {
                #expect(dropped.contains { $0.destination == destination }, "\(destination) vanished")
            }
            #expect(window.destinations.count - added.count + dropped.count >= saved.destinations.count)
        }
    }
}
