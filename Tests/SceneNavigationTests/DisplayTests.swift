import SceneNavigation
import SceneRouting
import Basics
import Testing

/// A screen that remembers what it shows.
final class TestScreen {
    var destination: Destination
    let flow: String
    var other: AnyObject?

    init(_ destination: Destination, _ flow: String) {
        self.destination = destination
        self.flow = flow
    }
}

struct Broken: Error, CustomStringConvertible {
    let description: String
}

final class TestFactory: ScreenFactory {
    var log: [String] = []
    /// IDs of destinations that have no screen.
    var missing: Set<String> = []
    /// IDs of destinations that cannot be updated.
    var rigid: Set<String> = []
    var cache: [String: TestScreen] = [:]
    var caches = false

    func makeScreen(for destination: Destination, flow: String) throws -> AnyObject {
        if missing.contains(destination.id) { throw Broken(description: "no \(destination.id)") }
        log.append("make \(destination) for \(flow)")
        let screen = TestScreen(destination, flow)
        if caches { cache[destination.id] = screen }
        return screen
    }

    func update(_ screen: AnyObject, to destination: Destination) throws {
        if rigid.contains(destination.id) { throw Broken(description: "stiff \(destination.id)") }
        log.append("update \(destination)")
        (screen as? TestScreen)?.destination = destination
    }
}

final class TestSeam: NavigationSeam {
    var log: [String] = []
    var isBroken = false

    func open(_ window: WindowState, screens: WindowScreens) throws {
        if isBroken { throw Broken(description: "no window") }
        log.append("open \(window)")
    }

    func begin(_ step: NavigationStep) throws {
        if isBroken { throw Broken(description: "no \(step.op)") }
        log.append("\(step.op)\(step.isAnimated ? ", animated" : "")")
        #expect(step.screens.places.map(\.destination) == step.window.destinations)
    }

    func close() { log.append("close") }
}

@Suite("A display makes screens, keeps those that stay and releases the others")
struct DisplayTests {
    private let factory = TestFactory()
    private let seam = TestSeam()

    private func open(_ window: WindowState) -> Display {
        let display = Display(factory: factory, seam: seam)
        #expect(display.open(window, owners: owners(window)) == [])
        factory.log = []
        seam.log = []
        return display
    }

    private func owners(_ window: WindowState) -> [String] {
        window.tabs.flatMap { tab in tab.stack.map { _ in tab.id } }
            + window.modals.flatMap { modal in modal.stack.map { _ in modal.flow ?? "none" } }
    }

    /// Carries out an op as a router does: by the rules of a window first.
    @discardableResult
    private func carryOut(_ op: NavOp, on window: inout WindowState, _ display: Display) throws -> [String] {
        var next = Window(state: window, repeats: mayRepeat)
        try next.begin(op)
        let gone = try display.carryOut(op, animated: true, window: next.state, owners: owners(next.state))
        window = next.state
        #expect(display.screens.places.map(\.destination) == window.destinations)
        for place in display.screens.places { #expect((place.screen as? TestScreen)?.destination == place.destination) }
        #expect(display.counts.made - display.counts.released == window.destinations.count)
        return gone.map(\.destination.description)
    }

    @Test("a place that stays keeps its screen, new screens are made, and those that go are returned")
    func reuses() throws {
        var window = shop(home: ["home", "product:p1"])
        let display = open(window)
        let home = display.screens.stack(of: "home")
        #expect(try carryOut(.push(tab: "home", place("cart")), on: &window, display) == [])
        #expect(factory.log == ["make cart for home"])
        #expect(display.screens.stack(of: "home").prefix(2).elementsEqual(home) { $0 === $1 })
        #expect(try carryOut(.popTo(tab: "home", depth: 1), on: &window, display) == ["product(id: p1)", "cart"])
        #expect(display.screens.stack(of: "home").first.map { $0 === home.first.flatMap { $0 } } == true)
    }

    @Test("a stack that is set keeps the screens of its common prefix and updates them")
    func setsStack() throws {
        var window = shop(home: ["home", "product:p1", "cart"])
        let display = open(window)
        let product = display.screens.stack(of: "home")[1]
        let gone = try carryOut(
            .setStack(tab: "home", places(["home", "product:p2", "category:tea", "cart"])),
            on: &window,
            display
        )
        #expect(gone == ["cart"])
        #expect(display.screens.stack(of: "home")[1] === product)
        #expect(factory.log == ["make category(id: tea) for home", "make cart for home", "update product(id: p2)"])
    }

    @Test("presentations have their own screens; dismissing releases them, and a new root releases all others")
    func presentations() throws {
        var window = shop()
        let display = open(window)
        let auth = ModalState(flow: "auth", style: .sheet, stack: [place("login")])
        try carryOut(.present(auth), on: &window, display)
        try carryOut(.setModalStack(index: 0, places(["login", "createAccount"])), on: &window, display)
        #expect(factory.log == ["make login for auth", "make createAccount for auth"])
        #expect(display.screens.modal(0).count == 2)
        #expect(try carryOut(.dismissModals(keeping: 0), on: &window, display) == ["login", "createAccount"])
        try carryOut(.present(auth), on: &window, display)
        let root = [TabState(id: "root", stack: [place("login")])]
        #expect(
            try carryOut(.setRoot(root, selected: "root"), on: &window, display)
                == ["home", "orders", "account", "login"]
        )
        #expect(display.close().map(\.destination) == [place("login")])
        #expect(display.counts.made == display.counts.released)
        #expect(seam.log.last == "close")
    }

    @Test("afresh, all screens are new, also where the window shows the same")
    func afresh() throws {
        let window = shop()
        let display = open(window)
        let gone = try display.carryOut(
            .setRoot(window.tabs, selected: window.selectedTab),
            animated: false,
            afresh: true,
            window: window,
            owners: owners(window)
        )
        #expect(gone.map(\.destination) == window.destinations)
        #expect(display.screens.places.map(\.destination) == window.destinations)
        #expect(zip(display.screens.places, gone).allSatisfy { $0.screen !== $1.screen })
        #expect(display.counts.made - display.counts.released == window.destinations.count)
    }

    @Test("if the factory fails, the op is refused before anything has happened")
    func factoryFails() throws {
        var window = shop()
        let before = window
        let display = open(window)
        factory.missing = ["cart"]
        let failure = #expect(throws: Display.Failure.self) {
            try carryOut(.setStack(tab: "home", places(["home", "product:p1", "cart"])), on: &window, display)
        }
        #expect(failure?.description == "screenFailed: no cart")
        #expect(window == before)
        #expect(display.screens.places.map(\.destination) == before.destinations)
        #expect(seam.log == [])
        #expect(display.counts.made - display.counts.released == before.destinations.count)
    }

    @Test("a screen that cannot be updated refuses the op, and what was updated before goes back")
    func updateFails() throws {
        var window = shop(home: ["home", "category:tea", "product:p1"])
        let before = window
        let display = open(window)
        factory.rigid = ["product"]
        let failure = #expect(throws: Display.Failure.self) {
            try carryOut(.setStack(tab: "home", places(["home", "category:mate", "product:p2"])), on: &window, display)
        }
        #expect(failure?.description == "screenFailed: stiff product")
        #expect(window == before)
        #expect(display.screens.places.compactMap { ($0.screen as? TestScreen)?.destination } == before.destinations)
    }

    @Test("a seam that fails leaves everything as it was")
    func seamFails() throws {
        var window = shop(home: ["home", "product:p1"])
        let before = window
        let display = open(window)
        seam.isBroken = true
        let failure = #expect(throws: Display.Failure.self) {
            try carryOut(.setStack(tab: "home", places(["home", "product:p2", "cart"])), on: &window, display)
        }
        #expect(failure?.part == .seamFailed)
        #expect(window == before)
        #expect(display.screens.places.compactMap { ($0.screen as? TestScreen)?.destination } == before.destinations)
        seam.isBroken = false
        try carryOut(.push(tab: "home", place("cart")), on: &window, display)
        #expect(window.selectedStack == places(["home", "product:p1", "cart"]))
    }

    @Test("a window is opened even if parts of it fail, and the failures are returned")
    func opensAnyway() {
        factory.missing = ["orders"]
        seam.isBroken = true
        let display = Display(factory: factory, seam: seam)
        let failures = display.open(shop(), owners: owners(shop()))
        #expect(failures.map(\.description) == ["screenFailed: no orders", "seamFailed: no window"])
        #expect(display.screens.places.map { $0.screen == nil } == [false, true, false])
    }

    @Test("along any sequence of ops, screens stay the same objects exactly where their IDs stay", arguments: 0..<300)
    func identity(seed: UInt64) throws {
        var random = SplitMix(seed: seed)
        var window = randomWindow(using: &random)
        let display = open(window)
        for _ in 0..<4 {
            let target: Target =
                Bool.random(using: &random)
                ? randomTarget(using: &random).target : .overCurrent(randomPresentation(using: &random))
            let source: RouteSource = Bool.random(using: &random) ? .external : .internal
            for op in Reconciler.plan(from: window, to: target, source: source, repeats: mayRepeat) {
                let before = display.screens
                try carryOut(op, on: &window, display)
                for (id, stack) in display.screens.tabs {
                    let old = before.tabs.first { $0.id == id }?.stack ?? []
                    let shared = zip(old, stack).prefix { $0.destination.id == $1.destination.id }.count
                    for depth in stack.indices {
                        #expect((depth < shared) == (depth < old.count && old[depth].screen === stack[depth].screen))
                    }
                }
            }
        }
        weak let leaf = display.screens.places.last?.screen
        _ = display.close()
        #expect(leaf == nil)
    }
}
