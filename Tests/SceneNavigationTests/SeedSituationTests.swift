import SceneNavigation
import SceneRouting
import Testing

/// The situations that hand-written navigation gets wrong.
@Suite("Situations known from apps that navigate by hand")
struct SeedSituationTests {
    /// Opens a link in the window and returns what it then shows, having kept every rule on the way.
    private func link(
        _ tab: String,
        _ path: [String],
        modals: [ModalState] = [],
        in window: WindowState
    ) -> WindowState {
        applied(plan(window, tab, path, modals: modals), to: window)
    }

    @Test("home is not pushed onto home")
    func duplicateHome() {
        let window = shop(home: ["home", "product:p1"])
        let after = link("home", ["home"], in: window)
        #expect(after.selectedStack == places(["home"]))
        #expect(link("home", ["home"], in: after) == after)
    }

    @Test("a link never lands in the tab that happens to be selected")
    func wrongTab() {
        var window = shop(home: ["home", "cart"])
        window.selectedTab = "account"
        let after = link("orders", ["orders", "order:o1"], in: window)
        #expect(after.description == "home: home › cart | *orders: orders › order(id: o1) | account: account")
    }

    @Test("a link dismisses an open presentation after correcting what it covers")
    func linkOverModal() {
        var window = shop(home: ["home", "cart"])
        window.modals = [ReconcilerTests.auth]
        let ops = plan(window, "home", ["home", "product:p1"])
        #expect(ops == [.setStack(tab: "home", places(["home", "product:p1"])), .dismissModals(keeping: 0)])
        #expect(applied(ops, to: window).description.hasPrefix("*home: home › product(id: p1)"))
    }

    @Test("dismiss then present: the second begins only when the first has ended, and UIKit's rule is kept")
    func dismissThenPresent() throws {
        var state = shop(home: ["home", "cart"])
        state.modals = [ReconcilerTests.auth]
        let ops = plan(state, "home", ["home", "cart"], modals: [ReconcilerTests.checkout])
        #expect(ops == [.dismissModals(keeping: 0), .present(ReconcilerTests.checkout)])
        var window = Window(state: state, repeats: mayRepeat)
        try window.begin(ops[0])
        let violation = #expect(throws: NavigationViolation.self) { try window.begin(ops[1]) }
        #expect(violation?.rule == .transitionInProgress)
        window.completeTransition()
        try window.begin(ops[1])
        #expect(window.state.modals == [ReconcilerTests.checkout])
    }

    @Test("a link to the screen already shown does nothing, whatever is around it")
    func alreadyShown() {
        var window = shop(home: ["home", "product:p1"], orders: ["orders", "order:o1"])
        #expect(plan(window, "home", ["home", "product:p1"]).isEmpty)
        window.modals = [ReconcilerTests.checkout]
        #expect(plan(window, "home", ["home", "product:p1"], modals: [ReconcilerTests.checkout]).isEmpty)
    }

    @Test("a link to a screen deeper in the stack goes back to it instead of pushing a second one")
    func deeperInStack() {
        let window = shop(home: ["home", "product:p1", "cart"])
        #expect(plan(window, "home", ["home", "product:p1"]) == [.popTo(tab: "home", depth: 2)])
        #expect(link("home", ["home", "product:p2"], in: window).selectedStack == places(["home", "product:p2"]))
    }

    @Test("a link to a screen in another tab's stack goes there and back to it")
    func otherTabsStack() {
        let window = shop(home: ["home", "product:p1"], orders: ["orders", "order:o1", "receipt:r1"])
        let after = link("orders", ["orders", "order:o1"], in: window)
        #expect(
            after.description == "home: home › product(id: p1) | *orders: orders › order(id: o1) | account: account"
        )
    }
}
