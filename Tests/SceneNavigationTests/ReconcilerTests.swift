import SceneNavigation
import SceneRouting
import Testing

@Suite("Planning the way from a window to a target")
struct ReconcilerTests {
    @Test("a target already shown needs nothing")
    func alreadyShown() {
        let window = shop(home: ["home", "product:p1"])
        #expect(Reconciler.plan(from: window, to: target("home", ["home", "product:p1"]), source: .external).isEmpty)
    }

    @Test("one more screen is pushed, several are set in one transition")
    func pushesOneSetsSeveral() {
        #expect(plan(shop(), "home", ["home", "cart"]) == [.push(tab: "home", place("cart"))])
        #expect(
            plan(shop(), "home", ["home", "category:tea", "product:p1"])
                == [.setStack(tab: "home", places(["home", "category:tea", "product:p1"]))]
        )
    }

    @Test("a link to a screen deeper in the stack pops to it and updates what differs")
    func popsToDeeper() {
        let window = shop(home: ["home", "product:p1", "cart"])
        #expect(plan(window, "home", ["home", "product:p1"]) == [.popTo(tab: "home", depth: 2)])
        #expect(
            plan(window, "home", ["home", "product:p2"])
                == [.update(tab: "home", depth: 1, place("product:p2")), .popTo(tab: "home", depth: 2)]
        )
    }

    @Test("only other parameters are an update in place")
    func updatesInPlace() {
        #expect(
            plan(shop(home: ["home", "product:p1"]), "home", ["home", "product:p2"])
                == [.update(tab: "home", depth: 1, place("product:p2"))]
        )
    }

    @Test("a stack that forks is set anew")
    func setsForkedStack() {
        #expect(
            plan(shop(home: ["home", "product:p1"]), "home", ["home", "cart"])
                == [.setStack(tab: "home", places(["home", "cart"]))]
        )
    }

    @Test("another tab's stack changes before it is selected, and the tab left keeps its own")
    func selectsTab() {
        let window = shop(home: ["home", "product:p1"])
        let ops = plan(window, "orders", ["orders", "order:o1"])
        #expect(ops == [.push(tab: "orders", place("order:o1")), .selectTab("orders")])
        #expect(applied(ops, to: window).stack(of: "home") == places(["home", "product:p1"]))
    }

    @Test("an open presentation is dismissed, a fitting one stays")
    func dismissesModals() {
        let checkout = TargetModal(flow: "checkout", style: .fullScreen, stack: [place("checkout")])
        var window = shop(home: ["home", "cart"])
        window.modals = [ModalState(checkout), ModalState(flow: "auth", style: .sheet, stack: [place("login")])]
        #expect(plan(window, "home", ["home", "cart"]) == [.dismissModals(keeping: 0)])
        #expect(
            Reconciler.plan(
                from: window,
                to: Target(tab: "home", path: places(["home", "cart"]), modals: [checkout]),
                source: .external
            )
                == [.dismissModals(keeping: 1)]
        )
        window.modals = []
        #expect(
            Reconciler.plan(
                from: window,
                to: Target(tab: "home", path: places(["home", "cart"]), modals: [checkout]),
                source: .external
            )
                == [.present(ModalState(checkout))]
        )
    }

    @Test("an in-app request pushes on what is there, where a link sets the ancestry")
    func internalPushesOnWhatIsThere() {
        let window = shop(home: ["home", "category:tea"])
        #expect(
            plan(window, "home", ["home", "cart"], source: .internal) == [.push(tab: "home", place("cart"))]
        )
        #expect(
            plan(window, "home", ["home", "cart"], source: .external)
                == [.setStack(tab: "home", places(["home", "cart"]))]
        )
    }

    @Test("an in-app request for a screen in the stack pops to it")
    func internalPopsToLeaf() {
        let window = shop(home: ["home", "cart", "category:tea"])
        #expect(plan(window, "home", ["home", "cart"], source: .internal) == [.popTo(tab: "home", depth: 2)])
    }

    @Test("a repeating destination is pushed over itself, but the one on top is not pushed again")
    func repeats() {
        let window = shop(home: ["home", "product:p1"])
        let again = Reconciler.plan(
            from: window,
            to: target("home", ["home", "product:p2"]),
            source: .internal,
            repeats: { $0 == "product" }
        )
        #expect(again == [.push(tab: "home", place("product:p2"))])
        let same = Reconciler.plan(
            from: window,
            to: target("home", ["home", "product:p1"]),
            source: .internal,
            repeats: { $0 == "product" }
        )
        #expect(same.isEmpty)
    }

    @Test("an in-app request into another tab completes its stack after the common prefix")
    func internalIntoOtherTab() {
        var window = shop(home: ["home", "category:tea"])
        window.selectedTab = "orders"
        #expect(
            plan(window, "home", ["home", "cart"], source: .internal)
                == [.setStack(tab: "home", places(["home", "cart"])), .selectTab("home")]
        )
    }

    @Test(
        "planning again after applying is empty, and a link's result is that of a clean arrival",
        arguments: 0..<2_000
    )
    func laws(seed: UInt64) {
        var random = SeededGenerator(seed: seed)
        let window = randomWindow(using: &random)
        let target = randomTarget(using: &random)
        for source in RouteSource.allCases {
            let after = applied(Reconciler.plan(from: window, to: target, source: source), to: window)
            #expect(Reconciler.plan(from: after, to: target, source: source).isEmpty)
            if source == .external {
                let clean = applied(Reconciler.plan(from: shop(), to: target, source: source), to: shop())
                #expect(after.selectedTab == clean.selectedTab)
                #expect(after.selectedStack == clean.selectedStack)
                #expect(after.modals == clean.modals)
            }
        }
    }

    @Test("nothing comes to the front on the way but what stood there or what the target shows", arguments: 0..<2_000)
    func uncoversNothing(seed: UInt64) {
        var random = SeededGenerator(seed: seed)
        let window = randomWindow(using: &random)
        let target = randomTarget(using: &random)
        var state = window
        for op in Reconciler.plan(from: window, to: target, source: .external) {
            let before = state
            state = applied([op], to: state)
            guard let front = state.topmost, front != before.topmost else { continue }
            let wanted = target.path + target.modals.flatMap(\.stack)
            #expect(wanted.contains(front), "\(op) brings \(front) to the front")
        }
    }

    @Test("a sweep cuts every container back to its deepest allowed prefix")
    func sweeps() {
        var window = shop(home: ["home", "category:tea", "cart", "product:p1"])
        window.modals = [
            ModalState(flow: "checkout", style: .fullScreen, stack: [place("checkout"), place("cart")]),
            ModalState(flow: "auth", style: .sheet, stack: [place("login")]),
        ]
        let ops = Reconciler.sweep(window) { $0.id != "cart" }
        #expect(ops == [.popTo(tab: "home", depth: 2), .setModalStack(index: 0, [place("checkout")])])
        #expect(applied(ops, to: window).destinations.allSatisfy { $0.id != "cart" })
        #expect(Reconciler.sweep(window) { $0.id != "checkout" } == [.dismissModals(keeping: 0)])
    }
}
