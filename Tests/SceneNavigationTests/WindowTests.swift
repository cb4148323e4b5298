import SceneNavigation
import SceneRouting
import Testing

@Suite("A headless window keeps UIKit's rules")
struct WindowTests {
    @Test(
        "a broken rule is named and leaves the window as it was",
        arguments: [
            (NavOp.popTo(tab: "home", depth: 0), NavigationViolation.Rule.popOfRoot),
            (.popTo(tab: "home", depth: 3), .noSuchDepth),
            (.popTo(tab: "nowhere", depth: 1), .noSuchTab),
            (.selectTab("nowhere"), .noSuchTab),
            (.push(tab: "home", place("cart")), .pushedTwice),
            (.setStack(tab: "home", []), .popOfRoot),
            (.update(tab: "home", depth: 1, place("home")), .noSuchDepth),
            (.dismissModals(keeping: 0), .noSuchPresentation),
            (.present(ModalState(flow: nil, style: .sheet, stack: [])), .noSuchPresentation),
            (.setModalStack(index: 0, [place("login")]), .noSuchPresentation),
            (.updateModal(index: 0, depth: 0, place("login")), .noSuchPresentation),
            (.setRoot([], selected: "home"), .noSuchTab),
        ]
    )
    func namesBrokenRule(op: NavOp, rule: NavigationViolation.Rule) {
        let state = shop(home: ["home", "cart"])
        var window = Window(state: state, repeats: { _ in false })
        let violation = #expect(throws: NavigationViolation.self) { try window.begin(op) }
        #expect(violation?.rule == rule)
        #expect(window.state == state)
        #expect(!window.isTransitioning)
    }

    @Test(
        "a chain of presentations, a tab and a presentation's stack are as deep as the app allows",
        arguments: [
            NavOp.present(ModalState(flow: "b", style: .sheet, stack: [place("b")])), .push(tab: "home", place("b")),
            .setModalStack(index: 0, [place("a"), place("b")]),
        ]
    )
    func isFull(op: NavOp) {
        var state = shop()
        state.modals = [ModalState(flow: "a", style: .sheet, stack: [place("a")])]
        var window = Window(state: state, maximumDepth: { 1 }, repeats: { _ in false })
        #expect(throws: NavigationViolation.self) { try window.begin(op) }
        #expect(window.state == state)
        window = Window(state: state, maximumDepth: { 2 }, repeats: { _ in false })
        #expect(throws: Never.self) { try window.begin(op) }
    }

    @Test("one transition at a time: a second is refused until the first has ended")
    func oneTransitionAtATime() throws {
        var window = Window(state: shop(), repeats: { _ in false })
        try window.begin(.push(tab: "home", place("cart")))
        #expect(window.isTransitioning)
        let violation = #expect(throws: NavigationViolation.self) { try window.begin(.selectTab("orders")) }
        #expect(violation?.rule == .transitionInProgress)
        window.completeTransition()
        try window.begin(.selectTab("orders"))
        #expect(window.state.topmost == place("orders"))
    }

    @Test("an update in place is not a transition")
    func updateIsNoTransition() throws {
        var window = Window(state: shop(home: ["home", "product:p1"]), repeats: { _ in false })
        try window.begin(.update(tab: "home", depth: 1, place("product:p2")))
        #expect(!window.isTransitioning)
    }

    @Test("a repeated screen that a reload has forbidden can still be removed")
    func takesAwayWhatRepeats() throws {
        var window = Window(
            state: shop(home: ["home", "product:p1", "product:p2", "product:p3"]),
            repeats: { _ in false }
        )
        try window.begin(.selectTab("orders"))
        window.completeTransition()
        try window.begin(.popTo(tab: "home", depth: 3))
        window.completeTransition()
        let violation = #expect(throws: NavigationViolation.self) {
            try window.begin(.push(tab: "home", place("cart")))
        }
        #expect(violation?.rule == .pushedTwice)
        try window.begin(.popTo(tab: "home", depth: 2))
    }

    @Test("a destination that is declared to repeat may be pushed onto itself")
    func repeats() throws {
        var window = Window(state: shop(home: ["home", "product:p1"]), repeats: { $0 == "product" })
        try window.begin(.push(tab: "home", place("product:p2")))
        #expect(window.state.selectedStack == places(["home", "product:p1", "product:p2"]))
    }
}
