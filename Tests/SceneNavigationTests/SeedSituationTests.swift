import SceneNavigation
import SceneRouting
import Testing

/// The situations that hand-written navigation gets wrong.
///
/// The list of the ten is here: each is a test of this suite with its name, but for three pushes that race for one window, which need
/// a host (`RacingPushesTests`). `SituationTests` plays all ten to a daemon.
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

    @Test("the system's back during a push is refused, and the push goes on")
    func backDuringPush() throws {
        var window = Window(state: shop(), repeats: mayRepeat)
        try window.begin(.push(tab: "home", place("product:p1")))
        let back = try Gesture.back.op(in: window.state, hidesBack: false, hasTabs: true)
        let violation = #expect(throws: NavigationViolation.self) { try window.begin(back) }
        #expect(violation?.rule == .transitionInProgress)
        #expect(window.isTransitioning && window.state.selectedStack == places(["home", "product:p1"]))
        window.completeTransition()
        try window.begin(back)
        #expect(window.state.selectedStack == places(["home"]), "one screen, once")
    }

    @Test(
        "a swipe cancelled half-way takes its time and changes nothing",
        arguments: [
            (Gesture.swipeBack(cancelled: true), Gesture.swipeBack(), shop(home: ["home", "product:p1"]), shop()),
            (
                .swipeDown(cancelled: true), .swipeDown(),
                shop(home: ["home", "cart"], modals: [ReconcilerTests.auth]), shop(home: ["home", "cart"])
            ),
        ]
    )
    func cancelledSwipe(cancelled: Gesture, whole: Gesture, shown: WindowState, after: WindowState) throws {
        var window = Window(state: shown, repeats: mayRepeat)
        let swipe = try cancelled.op(in: window.state, hidesBack: false, hasTabs: true)
        try window.beginCancelled(swipe)
        #expect(window.isTransitioning && window.state == shown)
        let violation = #expect(throws: NavigationViolation.self) {
            try window.begin(.push(tab: "home", place("order:o1")))
        }
        #expect(violation?.rule == .transitionInProgress)
        window.completeTransition()
        #expect(!window.isTransitioning && window.state == shown)
        // The same swipe, not let go, does what the cancelled one had begun.
        #expect(try whole.op(in: window.state, hidesBack: false, hasTabs: true) == swipe)
        try window.begin(swipe)
        #expect(window.state == after)
    }
}
