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
        #expect(auth.leaving?.op == .dismissModals(keeping: 0))
        for count in [3, 9, .max] { #expect(try auth.op(for: .pop(count))?.op == .setModalStack(index: 0, [login])) }
        for count in [0, -1, .min] { #expect(try auth.op(for: .pop(count)) == nil) }
    }

    @Test("a flow that shows only its first screen has nothing to go back to", arguments: ["auth", "settings"])
    func nothingBelow(flow: String) throws {
        var window = presenting(["login"])
        if flow == "settings" { window.tabs[0].stack = places(["home", "cart", "settings"]) }
        let shown = try #require(place(flow, in: window))
        for command: FlowCommand in [
            .pop(), .pop(2), .pop(.max), .popTo(screen: "home"), .popTo(screen: "login"), .popTo(screen: "settings"),
            .popTo(screen: "nowhere"), .popToRoot(),
        ] {
            #expect(try shown.op(for: command) == nil)
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
        #expect(try settings.op(for: .pop(2))?.op == .popTo(tab: "account", depth: 2))
        #expect(
            try settings.op(for: .push(Destination(id: "cart")))?.op == .push(tab: "account", Destination(id: "cart"))
        )
        #expect(settings.leaving?.op == .popTo(tab: "account", depth: 1))
    }

    @Test("a flow pops to the topmost screen of an ID below the one on top, and not below its first")
    func poppedTo() throws {
        let auth = try #require(
            place("auth", in: presenting(["login", "createAccount", "login", "password", "login"]))
        )
        func stack(_ screen: String) throws -> NavOp? { try auth.op(for: .popTo(screen: screen))?.op }
        #expect(try stack("login") == .setModalStack(index: 0, places(["login", "createAccount", "login"])))
        #expect(try stack("createAccount") == .setModalStack(index: 0, places(["login", "createAccount"])))
        #expect(try stack("welcome") == nil)
        var window = shop()
        window.selectedTab = "account"
        window.tabs[2].stack = places(["account", "settings", "profile", "cart"])
        let settings = try #require(place("settings", in: window))
        let toSettings = try settings.op(for: .popTo(screen: "settings", animated: false))
        #expect(toSettings?.op == .popTo(tab: "account", depth: 2) && toSettings?.animated == false)
        for screen in ["account", "cart", "orders"] {
            #expect(try settings.op(for: .popTo(screen: screen)) == nil)
        }
    }

    @Test("a flow at the bottom of a tab cannot leave it")
    func tab() throws {
        let window = shop(home: ["home", "cart"])
        #expect(place("home", in: window)?.leaving?.op == .popTo(tab: "home", depth: 1))
        #expect(place("home", in: shop())?.leaving?.op == nil)
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
        #expect(place("auth", in: window)?.leaving?.op == .dismissModals(keeping: 0))
        #expect(place("help", in: window)?.leaving?.op == .dismissModals(keeping: 2))
    }
}

@Suite("A flow leaves with what was presented over its screens")
struct FlowLeavingTests {
    /// Takes a flow off a window, as a running scene does, and returns what is left.
    private func left(_ flow: String, _ window: WindowState) -> WindowState {
        let tree = CoordinatorTree(declaredFlow: { ["settings", "profile"].contains($0.id) ? "settings" : nil })
        var window = window
        while true {
            let place = FlowPlace(of: flow, in: window, owners: tree.owner(ofEachIn: window))
            guard let leaving = place?.leaving else { return window }
            window = applied([leaving.op], to: window)
            if !leaving.hasMoreBelow { return window }
        }
    }

    private let note = ModalState(flow: nil, style: .popover, stack: places(["note:n1"]))
    private func auth(_ stack: [String]) -> ModalState { ModalState(flow: "auth", style: .sheet, stack: places(stack)) }

    @Test("a presentation of no flow belongs to the flow that it is over")
    func over() {
        var window = shop(home: ["home", "cart"])
        let before = window
        window.modals = [
            auth(["login", "createAccount"]), note, ModalState(flow: nil, style: .sheet, stack: places(["cart"])),
        ]
        #expect(left("auth", window) == before)
        // Another flow's in between stays with what is over it only if the flow is below.
        window.modals = [auth(["login"]), ModalState(flow: "help", style: .sheet, stack: places(["help"])), note]
        #expect(left("help", window).modals == [auth(["login"])])
        #expect(left("auth", window) == before)
    }

    @Test("so does one over screens that the flow has pushed, which leave too")
    func overPushed() {
        var window = shop()
        window.selectedTab = "account"
        let before = window
        window.tabs[2].stack = places(["account", "settings", "profile"])
        window.modals = [note, note]
        #expect(left("settings", window) == before)
        // In a tab that is behind nothing moves.
        window.selectedTab = "home"
        window.modals = [ModalState(flow: "settings", style: .sheet, stack: places(["settings"]))]
        var wanted = window
        wanted.modals = []
        #expect(left("settings", window) == wanted)
    }

    @Test("screens that the flow has pushed onto another's presentation leave, and that stays")
    func overAnothers() {
        var window = shop()
        let cart = ModalState(flow: nil, style: .sheet, stack: places(["cart", "settings", "profile"]))
        window.modals = [cart, note]
        var wanted = cart
        wanted.stack = places(["cart"])
        #expect(left("settings", window).modals == [wanted])
        window.modals = [auth(["login"]), cart, note]
        #expect(left("settings", window).modals == [auth(["login"]), wanted])
        #expect(left("auth", window) == shop())
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
