import SceneNavigation
import SceneRouting
import Testing

@Suite("A flow moves in the stack that has its screens")
struct FlowPlaceTests {
    private func tree(_ window: WindowState) -> CoordinatorTree {
        let tree = CoordinatorTree(declaredFlow: { ["settings", "profile"].contains($0.id) ? "settings" : nil })
        _ = tree.update(for: window)
        return tree
    }

    private func place(_ flow: String, in window: WindowState) -> FlowPlace? {
        FlowPlace(of: flow, in: window, owners: tree(window).owner(ofEachIn: window))
    }

    private func presenting(_ stack: [String]) -> WindowState {
        var window = shop(home: ["home", "cart"])
        window.modals = [ModalState(flow: "auth", style: .sheet, stack: places(stack))]
        return window
    }

    @Test("a presented flow moves in its own stack and leaves with it")
    func presented() throws {
        let window = presenting(["login", "createAccount", "password"])
        let auth = try #require(place("auth", in: window))
        #expect(auth.screens == places(["login", "createAccount", "password"]))
        let login = Destination(id: "login")
        #expect(try auth.op(for: .pop(2))?.op == .setModalStack(index: 0, [login]))
        #expect(try auth.op(for: .popToRoot())?.op == .setModalStack(index: 0, [login]))
        #expect(try auth.op(for: .push(Destination(id: "welcome"), animated: false))?.animated == false)
        #expect(
            try auth.op(for: .replace(Destination(id: "welcome")))?.op
                == .setModalStack(index: 0, places(["login", "createAccount", "welcome"]))
        )
        #expect(try auth.op(for: .finish(.cancelled)) == nil)
        #expect(auth.leaving(window, flow: "auth") == .dismissModals(keeping: 0))
        for count in [0, 3, 9] {
            #expect(throws: FlowPlace.Obstacle.nothingToPop) { try auth.op(for: .pop(count)) }
        }
        #expect(throws: FlowPlace.Obstacle.nothingToPop) {
            try place("auth", in: presenting(["login"]))?.op(for: .popToRoot())
        }
    }

    @Test("a pushed flow does not reach below its first screen, and leaves with its screens")
    func pushed() throws {
        var window = shop()
        window.selectedTab = "account"
        window.tabs[2].stack = places(["account", "settings", "profile"])
        let settings = try #require(place("settings", in: window))
        #expect(settings.screens.map(\.id) == ["settings", "profile"])
        #expect(try settings.op(for: .pop())?.op == .popTo(tab: "account", depth: 2))
        #expect(throws: FlowPlace.Obstacle.nothingToPop) { try settings.op(for: .pop(2)) }
        #expect(
            try settings.op(for: .push(Destination(id: "cart")))?.op == .push(tab: "account", Destination(id: "cart"))
        )
        #expect(settings.leaving(window, flow: "settings") == .popTo(tab: "account", depth: 1))
    }

    @Test("a flow pops to the topmost screen of an ID below the one on top, and not below its first")
    func poppedTo() throws {
        let auth = try #require(
            place("auth", in: presenting(["login", "createAccount", "login", "password", "login"]))
        )
        func stack(_ screen: String) throws -> NavOp? { try auth.op(for: .popTo(screen: screen))?.op }
        #expect(try stack("login") == .setModalStack(index: 0, places(["login", "createAccount", "login"])))
        #expect(try stack("createAccount") == .setModalStack(index: 0, places(["login", "createAccount"])))
        #expect(throws: FlowPlace.Obstacle.nothingToPop) { try stack("welcome") }
        var window = shop()
        window.selectedTab = "account"
        window.tabs[2].stack = places(["account", "settings", "profile", "cart"])
        let settings = try #require(place("settings", in: window))
        let toSettings = try settings.op(for: .popTo(screen: "settings", animated: false))
        #expect(toSettings?.op == .popTo(tab: "account", depth: 2) && toSettings?.animated == false)
        for screen in ["account", "cart", "orders"] {
            #expect(throws: FlowPlace.Obstacle.nothingToPop) { try settings.op(for: .popTo(screen: screen)) }
        }
    }

    @Test("a flow at the bottom of a tab cannot leave it")
    func tab() throws {
        let window = shop(home: ["home", "cart"])
        #expect(place("home", in: window)?.leaving(window, flow: "home") == .popTo(tab: "home", depth: 1))
        #expect(place("home", in: shop())?.leaving(shop(), flow: "home") == nil)
        #expect(place("auth", in: window) == nil)
        #expect(throws: FlowPlace.Obstacle.rootStays) {
            try place("home", in: shop())?.op(for: .replace(Destination(id: "cart")))
        }
        let root = WindowState(tabs: [TabState(id: "root", stack: places(["intro"]))], selectedTab: "root")
        let intro = FlowPlace(of: "onboarding", in: root, owners: ["onboarding"])
        #expect(try intro?.op(for: .replace(Destination(id: "login")))?.op == .setStack(tab: "root", places(["login"])))
    }

    @Test("all presentations of a flow leave together, with those above")
    func several() {
        var window = presenting(["login"])
        window.modals.append(ModalState(flow: "auth", style: .alert, stack: places(["forgotten"])))
        window.modals.append(ModalState(flow: "help", style: .sheet, stack: places(["help"])))
        #expect(place("auth", in: window)?.leaving(window, flow: "auth") == .dismissModals(keeping: 0))
        #expect(place("help", in: window)?.leaving(window, flow: "help") == .dismissModals(keeping: 2))
    }
}

@Suite("Parents hold their children; children know their parents weakly")
struct CoordinatorOwnershipTests {
    @Test("the chain of responders goes from the topmost screen's coordinator to the root")
    func responders() {
        let tree = CoordinatorTree(declaredFlow: { _ in nil })
        var window = shop(home: ["home", "cart"])
        window.modals = [
            ModalState(flow: "checkout", style: .fullScreen, stack: [place("checkout")]),
            ModalState(flow: "auth", style: .sheet, stack: [place("login")]),
        ]
        _ = tree.update(for: window)
        #expect(tree.topmostNode(in: window).responders.map(\.flow) == ["auth", "checkout", "home", "root"])
        #expect(tree.edges.map(\.parent) == ["root", "root", "root", "home", "checkout"])
    }

    @Test("a child whose parent goes belongs to its parent's parent")
    func reparented() {
        let tree = CoordinatorTree(declaredFlow: { $0.id == "settings" ? "settings" : nil })
        var window = shop()
        window.selectedTab = "account"
        window.tabs[2].stack = places(["account", "settings"])
        window.modals = [ModalState(flow: "auth", style: .sheet, stack: [place("login")])]
        _ = tree.update(for: window)
        #expect(tree.edges.last?.parent == "settings")
        window.tabs[2].stack = places(["account"])
        #expect(tree.update(for: window) == [.detached(flow: "settings", parent: "account")])
        #expect(tree.edges.last?.flow == "auth" && tree.edges.last?.parent == "account")
    }

    @Test("coordinators that are detached are released with their children, and the counts agree")
    func released() {
        let tree = CoordinatorTree(declaredFlow: { _ in nil })
        var window = shop()
        window.modals = [
            ModalState(flow: "checkout", style: .fullScreen, stack: [place("checkout")]),
            ModalState(flow: "auth", style: .sheet, stack: [place("login")]),
        ]
        _ = tree.update(for: window)
        weak let checkout = tree.node("checkout")
        weak let auth = tree.node("auth")
        #expect(checkout != nil && auth?.parent === checkout)
        _ = tree.update(for: shop())
        #expect(checkout == nil && auth == nil)
        #expect(tree.counts.attached == 5 && tree.counts.detached == 2)
        #expect(tree.removeAll().count == 3)
        #expect(tree.flows.isEmpty && tree.root.children.isEmpty)
    }
}
