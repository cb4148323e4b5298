import SceneEntryPoints
import SceneManifest
import SceneNavigation
import SceneRouting
@testable import SceneRuntime
import Testing

@Suite("A stack is only as deep as the app allows", .timeLimit(.minutes(15)))
struct StackFullTests {
    private static let full = Outcome.rejected(reason: "stackFull")

    @Test("by default a hundred screens; the event that would need one more is rejected and changes nothing")
    func usual() async throws {
        let test = try TestHost(windows: ["A"])
        for number in 1..<100 {
            #expect(try await test.tap("productSelected", ["id": "p\(number)"]).outcome == .applied)
        }
        let before = try test.window()
        #expect(before.selectedStack.count == 100)
        let receipt = try await test.tap("productSelected", ["id": "p100"])
        #expect(receipt.outcome == Self.full && receipt.window == before)
        #expect(try test.window() == before)
        #expect(test.records(of: .violation).isEmpty)
        #expect(try await test.act(.gesture(.back)).outcome == .applied)
        #expect(try await test.tap("productSelected", ["id": "p100"]).outcome == .applied)
    }

    @Test("links, fallbacks, coordinators' moves, their routes and resumed intents all keep to it")
    func ways() async throws {
        func app(depth: Int, fallback: Destination? = nil) throws -> TestHost {
            try TestHost(
                windows: ["A"],
                edit: {
                    $0.policies.maximumStackDepth = depth
                    $0.fallback = fallback
                },
                coordinators: { flow, _ in flow == "auth" ? Pushing() : nil }
            )
        }
        let product = Destination(id: "product", parameters: ["id": "p1"])
        let link = try app(depth: 1)
        #expect(try await link.open("product/p1").outcome == Self.full)
        let fallback = try app(depth: 1, fallback: product)
        try await fallback.host.session.commit(set: ["unavailable": .strings(["p9"])])
        #expect(try await fallback.open("product/p9").outcome == .rejected(reason: "inStock"))
        let route = try app(depth: 2)
        #expect(try await route.open("product/p1").outcome == .applied)
        #expect(try await route.tap("productSelected", ["id": "p2"]).outcome == Self.full)
        #expect(try route.shown() == "home › product(id: p1)")
        let move = try app(depth: 1)
        #expect(try await move.open("cart").outcome == .gated(precondition: "signedIn"))
        #expect(try move.shown() == "home › auth[login]", "a flow starts with as many screens as may be")
        #expect(try await move.tap("push").outcome == Self.full)
        #expect(try move.shown() == "home › auth[login]")
        let resumed = try app(depth: 1)
        let cart = try resumed.admit("cart")
        #expect(await resumed.host.receipt(of: cart).outcome == .gated(precondition: "signedIn"))
        try await resumed.host.session.signIn(user: "anna")
        #expect(await resumed.host.receipt(of: cart, at: .finished).outcome == Self.full)
        for test in [link, fallback, resumed] {
            await test.host.quiesce()
            #expect(try test.shown() == "home")
        }
        for test in [link, fallback, route, move, resumed] { #expect(test.records(of: .violation).isEmpty) }
    }

    @Test("a window is bounded by its bytes as well, and a smaller one may always follow")
    func bytes() {
        func screen(_ bytes: Int) -> Destination {
            Destination(id: "wide", parameters: ["text": String(repeating: "x", count: bytes)])
        }
        var window = Window(
            state: WindowState(tabs: [TabState(id: "home", stack: [Destination(id: "home")])], selectedTab: "home"),
            repeats: { _ in true }
        )
        #expect(window.isFull(for: [.push(tab: "home", screen(300_000))]))
        #expect(!window.isFull(for: [.push(tab: "home", screen(200_000))]))
        #expect(window.isFull(for: [.push(tab: "home", screen(200_000)), .push(tab: "home", screen(200_000))]))
        #expect(throws: NavigationViolation.self) { try window.begin(.push(tab: "home", screen(300_000))) }
        #expect(!window.isTransitioning, "what is refused changes nothing")
        window = Window(
            state: WindowState(tabs: [TabState(id: "home", stack: [screen(300_000)])], selectedTab: "home"),
            repeats: { _ in true }
        )
        #expect(throws: Never.self) { try window.begin(.update(tab: "home", depth: 0, screen(290_000))) }
    }

    @Test("a window that is restored is cut back, and one that a reload makes too deep may only become smaller")
    func restoration() async throws {
        let deep = (1...9).map { Destination(id: "product", parameters: ["id": "p\($0)"]) }
        func saved(_ test: TestHost) throws -> WindowState {
            var saved = try test.window()
            saved.tabs[0].stack += deep
            saved.modals = (0..<9).map { _ in ModalState(flow: "auth", style: .sheet, stack: [Destination(id: "login")])
            }
            return saved
        }
        let test = try TestHost(windows: ["A"]) { $0.policies.maximumStackDepth = 4 }
        try test.host.connect(scene: "B", restoring: saved(test))
        await test.host.quiesce()
        let window = try test.window("B")
        #expect(window.tabs[0].stack.count == 4 && window.modals.count <= 4)
        let swept = try #require(test.records(of: .sceneSwept, scene: "B").first)
        guard case .sceneSwept(let removed) = swept.body else { return }
        #expect(removed.contains { $0.reason.contains("no deeper stack") })

        for number in 1...3 { try await test.tap("productSelected", ["id": "p\(number)"]) }
        var manifest = test.host.manifest
        manifest.policies.maximumStackDepth = 2
        try await test.host.reload(manifest)
        await test.host.quiesce()
        #expect(try test.window().selectedStack.count == 4)
        #expect(try await test.tap("productSelected", ["id": "p9"]).outcome == Self.full)
        #expect(try await test.act(.gesture(.back)).outcome == .applied)
        #expect(try await test.act(.gesture(.selectTab("orders"))).outcome == .applied)
        #expect(test.records(of: .violation).isEmpty)
    }

    private final class Pushing: FlowCoordinator {
        func start(context: FlowContext) -> [Destination] {
            [Destination(id: "login"), Destination(id: "createAccount")]
        }

        func handle(_ intent: Intent, from screen: Destination, context: FlowContext) -> [FlowCommand]? {
            intent.name == "push" ? [.push(Destination(id: "createAccount"), animated: false)] : nil
        }
    }
}
