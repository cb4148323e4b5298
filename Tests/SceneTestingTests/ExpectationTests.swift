import SceneEntryPoints
import SceneManifest
import SceneNavigation
import SceneRouting
import SceneRuntime
import SceneTesting
import Testing

/// A testing tool has to fail when it should: each of these tests provokes an issue and checks it.
@Suite("Expectations fail when they should, in words and at the right line")
struct ExpectationTests {
    private let home = Destination(id: "home")
    private let product = Destination(id: "product", parameters: ["id": "p1"])
    private let other = Destination(id: "product", parameters: ["id": "p2"])

    /// Runs a test that has to record exactly one issue, at this line or (`nil`) at its end, and returns the issue's text.
    private func issue(
        _ exhaustivity: Exhaustivity = .on,
        code: AppCode = AppCode(),
        line: Int?,
        _ body: @Sendable (AppTest, SceneTest) async throws -> Void
    ) async throws -> [String] {
        let found = Found()
        let end = #line + 2
        try await withKnownIssue {
            try await withApp(.builtInShop(), code: code, exhaustivity: exhaustivity) { app in
                let window = try await app.connect("A")
                try await body(app, window)
            }
        } matching: { issue in
            found.add(issue)
            return true
        }
        #expect(found.lines == [line ?? end])
        return found.texts
    }

    @Test("a window that differs from the expected one names each difference")
    func window() async throws {
        let texts = try await issue(line: #line + 4) { _, window in
            try await window.open("qcommerce://product/p1")
            window.skipOps()
            // No expectation has mentioned the window since it was opened.
            window.expect {
                $0.tabs[0].stack.append(other); $0.selectedTab = "orders"
            }
        }
        #expect(texts.first?.contains("selected tab: expected orders, found home") == true)
        #expect(texts.first?.contains("tab home, depth 1: expected product(id: p2), found product(id: p1)") == true)
    }

    @Test("a stack, a presentation and a tab that does not exist")
    func parts() async throws {
        var texts = try await issue(line: #line + 1) { _, window in
            window.expect(stack: [home, product])
        }
        #expect(texts.first?.contains("tab home, depth 1: expected product(id: p1), found nothing") == true)
        texts = try await issue(line: #line + 1) { _, window in
            window.expect(modals: [ModalState(flow: "auth", style: .sheet, stack: [home])])
        }
        #expect(texts.first?.contains("presentation 0: expected sheet auth[home], found nothing") == true)
        texts = try await issue(line: #line + 1) { _, window in
            window.expect(stack: [home], in: "inbox")
        }
        #expect(texts.first?.contains("no tab 'inbox', only home, orders, account") == true)
    }

    @Test("exhaustively, other ops than expected fail, and so do more or fewer")
    func ops() async throws {
        for expected in [[NavOp.push(tab: "home", other)], [], [.push(tab: "home", product), .selectTab("orders")]] {
            let texts = try await issue(line: #line + 2) { _, window in
                try await window.open("qcommerce://product/p1")
                window.expect(ops: expected)
            }
            #expect(texts.first?.contains("did:\n  push product(id: p1)\nexpected:") == true)
        }
    }

    @Test("exhaustively, an op that was not mentioned fails at the next event, and at the end")
    func unsaid() async throws {
        var texts = try await issue(line: #line + 2) { _, window in
            try await window.open("qcommerce://product/p1")
            try await window.touch(.back)
            window.skipOps()
        }
        #expect(texts == ["window A did what nothing expected:\n  push product(id: p1)"])
        texts = try await issue(line: #line + 2) { app, window in
            try await window.open("qcommerce://product/p1")
            await app.signOut()
        }
        #expect(texts.count == 1)
    }

    @Test("exhaustively, what is left at the end fails the test at its beginning")
    func unsaidAtTheEnd() async throws {
        let found = Found()
        let line = #line + 2
        try await withKnownIssue {
            try await withApp(.builtInShop()) { app in
                try await app.connect().open("qcommerce://product/p1")
            }
        } matching: {
            found.add($0)
        }
        #expect(found.lines == [line])
    }

    @Test("what another window's event causes has to be expected too")
    func otherWindow() async throws {
        let texts = try await issue(line: nil) { app, _ in
            try await app.signIn("mina")
            let other = try await app.connect("B")
            try await other.open("qcommerce://cart")
            other.skipOps()
            await app.signOut()
        }
        #expect(texts == ["window B did what nothing expected:\n  pop home to depth 1"])
    }

    @Test(
        "not exhaustively, ops in between may go unmentioned, but expected ones must not be missing or in another order"
    )
    func nonExhaustive() async throws {
        try await withApp(.builtInShop(), exhaustivity: .off) { app in
            let window = try await app.connect()
            try await window.open("qcommerce://product/p1")
            try await window.open("qcommerce://orders")
            try await window.open("qcommerce://promo/SPRING")
            window.expect(ops: [.push(tab: "home", product), .selectTab("home")])
        }
        for expected in [[NavOp.selectTab("orders"), .push(tab: "home", product)], [.selectTab("account")]] {
            let texts = try await issue(.off, line: #line + 3) { _, window in
                try await window.open("qcommerce://product/p1")
                try await window.open("qcommerce://orders")
                window.expect(ops: expected)
            }
            #expect(texts.first?.contains("did not do all of that in order") == true)
        }
    }

    @Test("a broken rule that was not expected fails in either mode, and so does expecting one that was not broken")
    func violations() async throws {
        for exhaustivity in [Exhaustivity.on, .off] {
            let texts = try await issue(exhaustivity, code: AppCode.hoarding, line: #line + 5) { _, window in
                try await window.open("qcommerce://product/p1")
                window.skipOps()
                try await window.touch(.back)
                window.skipOps()
                try await window.open("qcommerce://account")
                window.skipOps()
            }
            #expect(texts.first?.contains("broke leak: screen product(id: p1)") == true)
        }
        try await withApp(.builtInShop(), code: .hoarding) { app in
            let window = try await app.connect()
            try await window.open("qcommerce://product/p1")
            window.skipOps()
            try await window.touch(.back)
            window.skipOps()
            #expect(window.expect(violation: "leak")?.contains("the factory.all[") == true)
        }
        let texts = try await issue(line: #line + 1) { _, window in
            window.expect(violation: "leak")
        }
        #expect(texts == ["window A broke no rule 'leak'"])
    }

    @Test("time stands still until it is advanced")
    func time() async throws {
        let settings = HostSettings(transitionDuration: .milliseconds(350))
        try await withApp(.builtInShop(), settings: settings) { app in
            let window = try await app.connect()
            let receipt = try await window.open("qcommerce://product/p1")
            #expect(receipt.outcome == .admitted)
            #expect(try window.status.isTransitioning)
            window.expect(ops: [.push(tab: "home", product)])
            #expect(try await window.touch(.back).outcome == .ignored(reason: "inTransition"))
            await app.advance(by: .milliseconds(349))
            #expect(try window.status.isTransitioning)
            await app.advance(by: .milliseconds(1))
            #expect(try !window.status.isTransitioning)
            #expect(app.host.receipt(event: receipt.event)?.outcome == .applied)
        }
    }

    @Test("an event without a window goes where the host sends it, and the window says what it did")
    func hostChooses() async throws {
        try await withApp(.builtInShop()) { app in
            let first = try await app.connect("A")
            _ = try await app.connect("B")
            let receipt = try await app.send(.url("qcommerce://product/p1"))
            #expect(receipt.scene == "B")
            first.expect(ops: [])
            #expect(app.scene("B") != nil)
            app.scene("B")?.expect(ops: [.push(tab: "home", product)])
        }
    }
}
