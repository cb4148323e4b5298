import SceneEntryPoints
import SceneManifest
import SceneNavigation
import SceneRouting
import SceneRuntime
import SceneTesting
import ShopInSwift
import Basics
import Testing

@Suite("What leaves the window is released, however it leaves")
struct TeardownTests {
    /// A way to leave, from a window that has just been opened.
    enum Way: String, CaseIterable, CustomTestStringConvertible {
        case back, swipeBack, dismiss, swipeDown, completed, cancelled, link, sweep, newRoot, disconnect, discard

        var testDescription: String { rawValue }

        /// Shows something that will leave.
        func prepare(_ app: AppTest, _ window: SceneTest) async throws {
            switch self {
            case .back, .swipeBack: try await window.open("qcommerce://product/p1")
            case .link:
                try await window.open("qcommerce://product/p1")
                try await window.open("qcommerce://cart")
            case .dismiss, .swipeDown, .completed, .cancelled, .newRoot: try await window.open("qcommerce://cart")
            case .sweep, .disconnect, .discard:
                try await app.signIn("mina", facts: ["cart": .strings(["p1"]), "paymentMethod": .string("card")])
                try await window.open("qcommerce://checkout")
            }
        }

        /// Makes it leave.
        func leave(_ app: AppTest, _ window: SceneTest) async throws {
            switch self {
            case .back: try await window.touch(.back)
            case .swipeBack: try await window.touch(.swipeBack())
            case .dismiss: try await window.touch(.dismiss)
            case .swipeDown: try await window.touch(.swipeDown())
            case .completed: try await window.report("loginCompleted", ["user": "mina"])
            case .cancelled: try await window.finish("auth", .cancelled)
            case .link: try await window.open("qcommerce://promo/SPRING")
            case .sweep: await app.signOut()
            case .newRoot:
                var manifest = app.host.manifest
                manifest.tabs.removeLast()
                manifest.destinations.removeAll { ["account", "settings", "deleteAccount"].contains($0.id) }
                manifest.routes.removeAll { ["account", "settings", "deleteAccount"].contains($0.destination) }
                manifest.intents.removeAll { $0.name == "accountTapped" }
                manifest.adapters.removeAll { $0.name == "spotlight-settings" }
                try await app.host.reload(manifest)
                await app.settle()
            case .disconnect: try await app.host.disconnect(scene: window.id)
            case .discard: try await app.host.discard(scene: window.id)
            }
            // What has left is looked for once it has gone.
            await app.settle()
        }

        /// Something that is gone afterwards.
        var gone: [String] {
            switch self {
            case .back, .swipeBack: ["screen product(id: p1)"]
            case .link: ["screen product(id: p1)", "screen login", "coordinator auth"]
            case .dismiss, .swipeDown, .completed, .cancelled: ["screen login", "coordinator auth"]
            case .sweep: ["screen cart", "screen checkout", "coordinator checkout"]
            case .newRoot: ["screen account", "screen login", "coordinator account", "coordinator auth"]
            case .disconnect, .discard:
                ["screen home", "screen cart", "screen checkout", "coordinator home", "coordinator checkout"]
            }
        }
    }

    @Test("only what is shown is alive, and the counters agree", arguments: Way.allCases)
    func clean(way: Way) async throws {
        let living = Living()
        try await withApp(.builtInShop(), code: living.code, exhaustivity: .off) { app in
            let window = try await app.connect("A")
            try await way.prepare(app, window)
            #expect(living.names.isSuperset(of: way.gone), "they were there: \(living.names)")
            try await way.leave(app, window)
            #expect(living.names.isDisjoint(with: way.gone), "\(living.names)")
            guard way != .discard else {
                #expect(living.names.isEmpty)
                return
            }
            let status = try window.status
            #expect(status.leaks == 0)
            guard way != .disconnect else {
                #expect(living.names == ["coordinator root"])
                #expect(status.screensMade == status.screensReleased)
                #expect(status.coordinatorsAttached == status.coordinatorsDetached)
                return
            }
            let screens = status.window.destinations.map { "screen \($0)" }
            let coordinators = (["root"] + status.coordinators).map { "coordinator \($0)" }
            #expect(living.names == Set(screens + coordinators))
            #expect(status.screensMade - status.screensReleased == screens.count)
            #expect(status.coordinatorsAttached - status.coordinatorsDetached == status.coordinators.count)
        }
    }

    @Test("a factory that keeps its screens is named, however they leave", arguments: Way.allCases)
    func hoardingFactory(way: Way) async throws {
        try await withApp(.builtInShop(), code: .hoarding, exhaustivity: .off) { app in
            let window = try await app.connect("A")
            let leaks = try await leaks(of: way, app, window)
            for name in way.gone where name.hasPrefix("screen") {
                #expect(
                    leaks.contains { $0.hasPrefix(name) && $0.contains("held by the factory.all[") },
                    "\(name): \(leaks)"
                )
            }
            #expect(!leaks.contains { $0.hasPrefix("coordinator") })
        }
    }

    @Test(
        "a parent that keeps its children is named, however they leave",
        arguments: Way.allCases.filter { $0.gone.contains { $0.hasPrefix("coordinator") } }
    )
    func clingingParent(way: Way) async throws {
        let code = AppCode(coordinators: { flow, parent in
            let coordinator = Clinging(flow)
            (parent as? Clinging)?.children.append(coordinator)
            return coordinator
        })
        try await withApp(.builtInShop(), code: code, exhaustivity: .off) { app in
            let window = try await app.connect("A")
            let leaks = try await leaks(of: way, app, window)
            for name in way.gone where name.hasPrefix("coordinator") {
                #expect(
                    leaks.contains {
                        $0.hasPrefix("\(name) (Clinging) is still held by coordinator") && $0.contains(".children[")
                    },
                    "\(name): \(leaks)"
                )
            }
            #expect(!leaks.contains { $0.hasPrefix("screen") })
        }
    }

    @Test("a seam that keeps what it was given is named", arguments: [Way.back, .dismiss, .sweep, .discard])
    func clingingSeam(way: Way) async throws {
        try await withApp(.builtInShop(), code: AppCode(seam: { _ in ClingingSeam() }), exhaustivity: .off) { app in
            let window = try await app.connect("A")
            let leaks = try await leaks(of: way, app, window)
            for name in way.gone where name.hasPrefix("screen") {
                #expect(leaks.contains { $0.hasPrefix(name) && $0.contains("the seam.windows[") }, "\(name): \(leaks)")
            }
        }
    }

    @Test("a screen that another screen keeps, or something that cannot be seen, is named too")
    func otherHolders() async throws {
        try await withApp(.builtInShop(), code: AppCode(screens: { _ in CirclingFactory() }), exhaustivity: .off) {
            app in
            let window = try await app.connect("A")
            try await window.open("qcommerce://product/p1")
            try await window.touch(.back)
            let leak = window.expect(violation: "leak")
            // The factory knows home weakly, which looks the same from outside.
            #expect(
                leak == "screen product(id: p1) (Screen) is still held by screen home.above, the factory.home.above"
            )
            try await window.open("qcommerce://category/tea")
            try await window.touch(.back)
            let other = window.expect(violation: "leak")
            #expect(
                other == "screen category(slug: tea) (Screen) is still held by something that the runtime does not know"
            )
            #expect(try window.status.leaks == 2)
        }
    }

    @Test("tabs keep their flows and their screens while another is selected")
    func tabsKeep() async throws {
        try await withApp(.builtInShop(), exhaustivity: .off) { app in
            let window = try await app.connect("A")
            try await window.open("qcommerce://product/p1")
            let screen = try #require(window.topScreen)
            try await window.touch(.selectTab("orders"))
            try await window.touch(.selectTab("home"))
            #expect(window.topScreen === screen)
            #expect(try window.status.screensReleased == 0)
        }
    }

    /// Goes this way, and returns the leaks that were reported.
    private func leaks(of way: Way, _ app: AppTest, _ window: SceneTest) async throws -> [String] {
        try await way.prepare(app, window)
        // Leave out what leaked before, in another way.
        while window.hasViolation("leak") { window.expect(violation: "leak") }
        try await way.leave(app, window)
        var leaks: [String] = []
        while window.hasViolation("leak") {
            if let leak = window.expect(violation: "leak") { leaks.append(leak) }
        }
        #expect(!leaks.isEmpty)
        return leaks
    }
}

/// The shop with everything it makes under observation.
private final class Living: Sendable {
    private struct Made: @unchecked Sendable {  // A weak reference is loaded atomically, and nothing else is here.
        let name: @Sendable (AnyObject) -> String
        weak var object: AnyObject?
    }

    private let made = Guarded<[Made]>([])

    var names: Set<String> {
        Set(made.withLock { $0 }.compactMap { made in made.object.map(made.name) })
    }

    var code: AppCode {
        AppCode(
            coordinators: { flow, parent in
                guard let coordinator = ShopInSwift.coordinators(flow, parent) else { return nil }
                self.watch(coordinator) { _ in "coordinator \(flow)" }
                return coordinator
            },
            screens: { scene in Factory(living: self, scene: scene) }
        )
    }

    private func watch(_ object: AnyObject, _ name: @escaping @Sendable (AnyObject) -> String) {
        let new = Made(name: name, object: object)
        made.withLock { $0.append(new) }
    }

    private final class Factory: ScreenFactory {
        private let living: Living
        private let spies: SpyScreenFactory

        init(living: Living, scene: SceneHandle) {
            self.living = living
            spies = SpyScreenFactory(scene: scene)
        }

        func makeScreen(for destination: Destination, flow: String) throws -> AnyObject {
            let screen = try spies.makeScreen(for: destination, flow: flow)
            living.watch(screen) { object in
                (object as? SpyScreen).map { "screen \($0.destination)" } ?? "screen"
            }
            return screen
        }

        func update(_ screen: AnyObject, to destination: Destination) throws {
            try spies.update(screen, to: destination)
        }
    }
}

/// A coordinator with the mistake of keeping what was started from it, by itself or from below.
private final class Clinging: FlowCoordinator {
    private let generic: any FlowCoordinator
    var children: [Clinging] = []

    init(_ flow: String) {
        generic = flow == "root" ? RootCoordinator() : ManifestCoordinator(flow: flow)
    }

    func start(context: FlowContext) -> [Destination] { generic.start(context: context) }

    func handle(_ intent: Intent, from screen: Destination, context: FlowContext) throws -> [FlowCommand]? {
        try generic.handle(intent, from: screen, context: context)
    }

    func finished(_ result: FlowResult, context: FlowContext) -> [FlowCommand] {
        generic.finished(result, context: context)
    }
}

/// A seam with the mistake of keeping every window that it showed.
private final class ClingingSeam: NavigationSeam {
    private var windows: [WindowScreens] = []

    func open(_ window: WindowState, screens: WindowScreens) throws { windows.append(screens) }
    func begin(_ step: NavigationStep) throws { windows.append(step.screens) }
    func close() {}
}

/// A factory whose home keeps the product above it, and whose category keeps itself.
private final class CirclingFactory: ScreenFactory {
    final class Screen {
        var above: AnyObject?
        var action: (() -> Screen)?
    }

    private weak var home: Screen?

    func makeScreen(for destination: Destination, flow: String) throws -> AnyObject {
        let screen = Screen()
        switch destination.id {
        case "home": home = screen
        case "product": home?.above = screen
        case "category": screen.action = { screen }
        default: break
        }
        return screen
    }

    func update(_ screen: AnyObject, to destination: Destination) throws {}
}
