import SceneEntryPoints
import SceneManifest
import SceneNavigation
import SceneRouting
import SceneRuntime
import SceneTesting
import Testing

@Suite("How screens and seam are called, and what becomes of a window when they fail")
struct SeamTests {
    private let home = Destination(id: "home")
    private let cart = Destination(id: "cart")
    private let product = Destination(id: "product", parameters: ["id": "p1"])
    private let login = ModalState(flow: "auth", style: .sheet, stack: [Destination(id: "login")])
    private let checkout = ModalState(flow: "checkout", style: .fullScreen, stack: [Destination(id: "checkout")])

    private func signIn(_ app: AppTest) async throws {
        try await app.signIn("mina", facts: ["cart": .strings(["p1"]), "paymentMethod": .string("card")])
    }

    @Test("the seam opens the window, begins each op, animates only the last of a plan, and closes")
    func calls() async throws {
        try await withApp(.builtInShop(), exhaustivity: .off) { app in
            try await signIn(app)
            let window = try await app.connect("A")
            let start = try window.window
            try await window.open("qcommerce://checkout")
            let other = Destination(id: "product", parameters: ["id": "p2"])
            try await window.open("qcommerce://product/p1")
            try await window.open("qcommerce://product/p2")
            await app.signOut()
            let seam = try #require(window.seam)
            #expect(
                seam.calls == [
                    .open(start), .begin(.push(tab: "home", cart), animated: false),
                    .begin(.present(checkout), animated: true),
                    .begin(.setStack(tab: "home", [home, product]), animated: false),
                    .begin(.dismissModals(keeping: 0), animated: true),
                    .begin(.update(tab: "home", depth: 1, other), animated: false),
                ]
            )
            try await app.host.disconnect(scene: "A")
            #expect(seam.calls.last == .close)
            try await app.host.reconnect(scene: "A")
            #expect(seam.calls.last == .open(try window.window))
        }
    }

    @Test("an op that a coordinator wants without animation is not animated, nor is a sweep's")
    func notAnimated() async throws {
        let code = AppCode(coordinators: { flow, _ in flow == "auth" ? Discreet() : nil })
        try await withApp(.builtInShop(), code: code, exhaustivity: .off) { app in
            let window = try await app.connect("A")
            try await window.open("qcommerce://cart")
            try await window.report("go")
            let seam = try #require(window.seam)
            let stack = [Destination(id: "login"), Destination(id: "createAccount")]
            #expect(seam.calls.last == .begin(.setModalStack(index: 0, stack), animated: false))
            try await app.signIn("mina")
            #expect(
                seam.calls.suffix(2) == [
                    .begin(.dismissModals(keeping: 0), animated: false),
                    .begin(.push(tab: "home", cart), animated: true),
                ]
            )
        }
    }

    @Test("an intent is offered to the screen first, then to its container, and only then to coordinators")
    func responders() async throws {
        try await withApp(.builtInShop(), exhaustivity: .off) { app in
            let window = try await app.connect("A")
            try await window.open("qcommerce://product/p1")
            let seam = try #require(window.seam)
            let screen = try #require(seam.topmost)
            func bubbled() -> [Record.Body] {
                app.records.map(\.body).filter { if case .intentBubbled = $0 { true } else { false } }
            }

            screen.responder.take(["productSelected"])
            seam.container.take(["productSelected"])
            let local = try await window.report("productSelected", ["id": "p7"])
            #expect(local.outcome == .delivered)
            screen.responder.take([])
            try await window.report("productSelected", ["id": "p8"])
            let unmoved = try window.window.topmost
            #expect(unmoved == product)
            seam.container.take([])
            try await window.report("productSelected", ["id": "p9"])
            let moved = try window.window.topmost
            #expect(moved == Destination(id: "product", parameters: ["id": "p9"]))

            let top = "screen product(id: p1)"
            #expect(
                bubbled() == [
                    .intentBubbled(name: "productSelected", chain: [top], handler: top, error: nil),
                    .intentBubbled(name: "productSelected", chain: [top, "tab home"], handler: "tab home", error: nil),
                    .intentBubbled(
                        name: "productSelected",
                        chain: [top, "tab home", "home", "root"],
                        handler: "root",
                        error: nil
                    ),
                ]
            )
            #expect(screen.responder.taken.map(\.parameters) == [["id": "p7"]])
            #expect(seam.container.taken.map(\.parameters) == [["id": "p8"]])
        }
    }

    @Test("an intent over which a screen fails is rejected, and nobody else is asked")
    func failingResponder() async throws {
        try await withApp(.builtInShop(), exhaustivity: .off) { app in
            let window = try await app.connect("A")
            let before = try window.window
            let seam = try #require(window.seam)
            seam.topmost?.responder.fail(with: "no more room")
            let receipt = try await window.report("productSelected", ["id": "p1"])
            #expect(receipt.outcome == .rejected(reason: "intentFailed"))
            let after = try window.window
            #expect(after == before)
            #expect(seam.container.taken.isEmpty)
        }
    }

    @Test("the factory makes new screens, knowing the flow that owns them, and updates those whose parameters change")
    func factory() async throws {
        try await withApp(.builtInShop(), exhaustivity: .off) { app in
            let window = try await app.connect("A")
            try await window.open("qcommerce://product/p1")
            try await window.open("qcommerce://product/p1?ref=mail")
            try await window.open("qcommerce://cart")
            let referred = Destination(id: "product", parameters: ["id": "p1", "ref": "mail"])
            #expect(
                window.screens?.calls == [
                    .make(home, flow: "home"), .make(Destination(id: "orders"), flow: "orders"),
                    .make(Destination(id: "account"), flow: "account"), .make(product, flow: "home"), .update(referred),
                    .make(Destination(id: "login"), flow: "auth"),
                ]
            )
        }
    }

    @Test("if the factory fails, the event is rejected with the reason, the window stays, and the next event works")
    func factoryFails() async throws {
        try await withApp(.builtInShop()) { app in
            let window = try await app.connect("A")
            let before = try window.window
            window.screens?.fail("product", with: "no image")
            let receipt = try await window.open("qcommerce://product/p1")
            #expect(receipt.outcome == .rejected(reason: "screenFailed: no image"))
            #expect(receipt.window == before)
            window.expect(window: before)
            window.expect(ops: [])
            #expect(try !window.status.isTransitioning)
            window.screens?.fail("product", with: nil)
            #expect(try await window.open("qcommerce://product/p1").outcome == .applied)
            window.expect(ops: [.push(tab: "home", product)])
        }
    }

    @Test("if the seam fails half-way, what was done stays and is legal, and the next event works")
    func seamFailsHalfWay() async throws {
        try await withApp(.builtInShop()) { app in
            try await signIn(app)
            let window = try await app.connect("A")
            window.seam?.fail(after: 1, with: "no memory")
            let receipt = try await window.open("qcommerce://checkout")
            #expect(receipt.outcome == .rejected(reason: "seamFailed: no memory"))
            window.expect(ops: [.push(tab: "home", cart)])
            window.expect { $0.tabs[0].stack = [home, cart] }
            #expect(receipt.window == (try window.window))
            window.seam?.fail(with: nil)
            #expect(try await window.open("qcommerce://checkout").outcome == .applied)
            window.expect(ops: [.present(checkout)])
            let status = try window.status
            #expect(status.screensMade - status.screensReleased == status.window.destinations.count)
        }
    }

    @Test("a gate whose flow cannot be shown parks nothing")
    func gateFails() async throws {
        try await withApp(.builtInShop()) { app in
            let window = try await app.connect("A")
            window.screens?.fail("login", with: "no form")
            let receipt = try await window.open("qcommerce://cart")
            #expect(receipt.outcome == .rejected(reason: "screenFailed: no form"))
            let status = try window.status
            #expect(status.parked.isEmpty)
            #expect(!status.coordinators.contains("auth"))
            window.expect(modals: [])
        }
    }

    @Test("an intent whose move fails is rejected, and the flow stays where it was")
    func moveFails() async throws {
        try await withApp(.builtInShop()) { app in
            let window = try await app.connect("A")
            try await window.open("qcommerce://cart")
            window.expect(ops: [.present(login)])
            window.screens?.fail("createAccount", with: "no form")
            let receipt = try await window.report("signUpRequested")
            #expect(receipt.outcome == .rejected(reason: "screenFailed: no form"))
            window.expect(modals: [login])
            #expect(try window.status.parked.count == 1)
        }
    }

    @Test("a gesture over which the seam fails has not happened")
    func gestureFails() async throws {
        try await withApp(.builtInShop()) { app in
            let window = try await app.connect("A")
            try await window.open("qcommerce://product/p1")
            window.expect(ops: [.push(tab: "home", product)])
            window.seam?.fail(with: "stuck")
            #expect(try await window.touch(.back).outcome == .rejected(reason: "seamFailed: stuck"))
            window.expect(stack: [home, product])
        }
    }

    @Test("a sweep that fails is a violation, because what must go is still shown; the next sweep removes it")
    func sweepFails() async throws {
        try await withApp(.builtInShop()) { app in
            try await signIn(app)
            let window = try await app.connect("A")
            try await window.open("qcommerce://cart")
            window.expect(ops: [.push(tab: "home", cart)])
            window.seam?.fail(with: "stuck")
            await app.signOut()
            #expect(window.expect(violation: "seamFailed") == "stuck")
            window.expect(stack: [home, cart])
            window.seam?.fail(with: nil)
            try await app.commit(["market": .string("de")])
            window.expect(ops: [.popTo(tab: "home", depth: 1)])
        }
    }

    @Test("a resume that fails is rejected, and the flow that let it through is gone")
    func resumeFails() async throws {
        try await withApp(.builtInShop()) { app in
            let window = try await app.connect("A")
            let parked = try await window.open("qcommerce://cart")
            window.expect(ops: [.present(login)])
            window.screens?.fail("cart", with: "no list")
            try await window.report("loginCompleted", ["user": "mina"])
            window.expect(ops: [.dismissModals(keeping: 0)])
            #expect(app.host.receipt(event: parked.event)?.outcome == .rejected(reason: "screenFailed: no list"))
            window.expect(stack: [home])
        }
    }

    @Test("a window whose first screens fail is still opened, and the failure is recorded")
    func openingFails() async throws {
        let code = AppCode(screens: { scene in
            let factory = SpyScreenFactory(scene: scene)
            factory.fail("orders", with: "no list")
            return factory
        })
        try await withApp(.builtInShop(), code: code) { app in
            let window = try await app.connect("A")
            #expect(window.expect(violation: "screenFailed") == "no list")
            try await window.open("qcommerce://product/p1")
            window.expect(ops: [.push(tab: "home", product)])
        }
    }

    @Test("a long error description is cut")
    func longReason() async throws {
        try await withApp(.builtInShop()) { app in
            let window = try await app.connect("A")
            window.screens?.fail("product", with: String(repeating: "x", count: 10_000))
            let receipt = try await window.open("qcommerce://product/p1")
            #expect(receipt.outcome.reason?.count == "screenFailed: ".count + 200)
        }
    }

    @Test("without screens and seam a scene counts none")
    func headless() async throws {
        let host = try SceneHost(id: "test", manifest: .builtInShop())
        try host.connect(scene: "A")
        _ = await host.receipt(of: try host.admit(Submission(try .url("qcommerce://product/p1"), scene: "A")))
        let status = try host.scene("A")
        #expect((status.screensMade, status.screensReleased, status.leaks) == (0, 0, 0))
        #expect(status.window.selectedStack == [home, product])
    }
}

/// Pushes without being seen.
private final class Discreet: FlowCoordinator {
    func handle(_ intent: Intent, from screen: Destination, context: FlowContext) throws -> [FlowCommand]? {
        [.push(Destination(id: "createAccount"), animated: false)]
    }
}
