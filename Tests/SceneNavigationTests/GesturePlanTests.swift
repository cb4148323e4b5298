import SceneNavigation
import SceneRouting
import Testing

@Suite("The effect of a gesture on a window")
struct GesturePlanTests {
    private static let deep = shop(home: ["home", "product:p1", "product:p2"])
    private static let covered: WindowState = {
        var window = deep
        window.modals = [
            ModalState(flow: "checkout", style: .fullScreen, stack: [place("checkout")]),
            ModalState(flow: "auth", style: .sheet, stack: [place("login"), place("createAccount")]),
        ]
        return window
    }()
    private static func presenting(_ style: ModalStyle) -> WindowState {
        var window = shop()
        window.modals = [ModalState(flow: nil, style: style, stack: [place("login")])]
        return window
    }

    @Test(
        "each gesture has its op",
        arguments: [
            (Gesture.back, deep, NavOp.popTo(tab: "home", depth: 2)),
            (.swipeBack(), deep, .popTo(tab: "home", depth: 2)),
            (.swipeBack(cancelled: true), deep, .popTo(tab: "home", depth: 2)),
            (.back, covered, .setModalStack(index: 1, [place("login")])),
            (.dismiss, covered, .dismissModals(keeping: 1)), (.swipeDown(), covered, .dismissModals(keeping: 1)),
            (.swipeDown(), presenting(.popover), .dismissModals(keeping: 0)),
            (.dismiss, presenting(.alert), .dismissModals(keeping: 0)),
            (.dismiss, presenting(.fullScreen), .dismissModals(keeping: 0)),
            (.selectTab("orders"), deep, .selectTab("orders")),
            (.selectTab("home"), deep, .popTo(tab: "home", depth: 1)),
        ]
    )
    func does(gesture: Gesture, window: WindowState, op: NavOp) throws {
        #expect(try gesture.op(in: window, hidesBack: false, hasTabs: true) == op)
        var shown = Window(state: window, repeats: { $0 == "product" })
        try shown.begin(op)
        #expect(shown.isTransitioning)
        #expect(throws: NavigationViolation.self) { try shown.begin(op) }
    }

    @Test(
        "each gesture without effect has a reason",
        arguments: [
            (Gesture.back, shop(), Gesture.NoEffect.nothingToPop), (.swipeBack(), shop(), .nothingToPop),
            (.dismiss, deep, .nothingPresented), (.swipeDown(), deep, .nothingPresented),
            (.swipeDown(), presenting(.fullScreen), .notSwipeable), (.swipeDown(), presenting(.alert), .notSwipeable),
            (.back, presenting(.sheet), .nothingToPop), (.selectTab("home"), covered, .tabsCovered),
            (.selectTab("home"), shop(), .atRoot), (.selectTab("nowhere"), shop(), .noSuchTab),
        ]
    )
    func ignored(gesture: Gesture, window: WindowState, reason: Gesture.NoEffect) {
        #expect(throws: reason) { try gesture.op(in: window, hidesBack: false, hasTabs: true) }
    }

    @Test("a screen hides the way back only if there is one, and a root flow has no tabs")
    func hidden() {
        #expect(throws: Gesture.NoEffect.backHidden) {
            try Gesture.back.op(in: Self.deep, hidesBack: true, hasTabs: true)
        }
        #expect(throws: Gesture.NoEffect.nothingToPop) {
            try Gesture.back.op(in: shop(), hidesBack: true, hasTabs: true)
        }
        #expect(throws: Gesture.NoEffect.noTabs) {
            try Gesture.selectTab("home").op(in: Self.deep, hidesBack: false, hasTabs: false)
        }
    }

    @Test("a cancelled swipe is a transition in which nothing changes")
    func cancelled() throws {
        var window = Window(state: Self.deep, repeats: { $0 == "product" })
        try window.beginCancelled(.popTo(tab: "home", depth: 2))
        #expect(window.state == Self.deep)
        #expect(window.isTransitioning)
        #expect(throws: NavigationViolation.self) { try window.begin(.selectTab("orders")) }
        window.completeTransition()
        #expect(throws: NavigationViolation.self) { try window.beginCancelled(.popTo(tab: "home", depth: 9)) }
        #expect(!window.isTransitioning)
    }
}
