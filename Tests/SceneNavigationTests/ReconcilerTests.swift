import SceneNavigation
import SceneRouting
import Testing

@Suite("Planning from a window to a target")
struct ReconcilerTests {
    static let checkout = ModalState(flow: "checkout", style: .fullScreen, stack: [place("checkout")])
    static let auth = ModalState(flow: "auth", style: .sheet, stack: [place("login")])

    // MARK: - Stacks, from outside

    @Test("one more screen is pushed, several are set in one transition")
    func pushesOneSetsSeveral() {
        #expect(plan(shop(), "home", ["home", "cart"]) == [.push(tab: "home", place("cart"))])
        #expect(
            plan(shop(), "home", ["home", "category:tea", "product:p1"])
                == [.setStack(tab: "home", places(["home", "category:tea", "product:p1"]))]
        )
    }

    @Test("superfluous screens are popped in one transition")
    func pops() {
        #expect(
            plan(shop(home: ["home", "cart", "product:p1"]), "home", ["home"]) == [.popTo(tab: "home", depth: 1)]
        )
    }

    @Test("a stack that forks is set anew, and what differs below the fork is set with it")
    func setsForkedStack() {
        #expect(
            plan(shop(home: ["home", "product:p1"]), "home", ["home", "cart"])
                == [.setStack(tab: "home", places(["home", "cart"]))]
        )
        #expect(
            plan(shop(home: ["home", "category:tea", "cart"]), "home", ["home", "category:mate", "product:p1"])
                == [.setStack(tab: "home", places(["home", "category:mate", "product:p1"]))]
        )
    }

    @Test("if only parameters differ, screens are updated in place, at every depth")
    func updatesInPlace() {
        #expect(
            plan(shop(home: ["home", "product:p1"]), "home", ["home", "product:p2"])
                == [.update(tab: "home", depth: 1, place("product:p2"))]
        )
        #expect(
            plan(shop(home: ["home", "category:tea", "product:p1"]), "home", ["home", "category:mate", "product:p2"])
                == [
                    .update(tab: "home", depth: 1, place("category:mate")),
                    .update(tab: "home", depth: 2, place("product:p2")),
                ]
        )
    }

    @Test("a screen that stays below a push is updated in place before it")
    func updatesBelowPush() {
        #expect(
            plan(shop(home: ["home", "category:tea"]), "home", ["home", "category:mate", "product:p1"])
                == [
                    .update(tab: "home", depth: 1, place("category:mate")), .push(tab: "home", place("product:p1")),
                ]
        )
    }

    @Test("another tab's stack changes before it is selected, and the tab left keeps its own")
    func selectsTab() {
        let window = shop(home: ["home", "product:p1"])
        let ops = plan(window, "orders", ["orders", "order:o1"])
        #expect(ops == [.push(tab: "orders", place("order:o1")), .selectTab("orders")])
        #expect(applied(ops, to: window).stack(of: "home") == places(["home", "product:p1"]))
        #expect(plan(window, "orders", ["orders"]) == [.selectTab("orders")])
    }

    // MARK: - Presentations

    @Test("superfluous presentations are dismissed in one transition; missing ones are presented from the bottom")
    func dismissesAndPresents() {
        let window = shop(home: ["home", "cart"], modals: [Self.checkout, Self.auth])
        #expect(plan(window, "home", ["home", "cart"]) == [.dismissModals(keeping: 0)])
        #expect(plan(window, "home", ["home", "cart"], modals: [Self.checkout]) == [.dismissModals(keeping: 1)])
        #expect(
            plan(shop(), "home", ["home"], modals: [Self.checkout, Self.auth])
                == [.present(Self.checkout), .present(Self.auth)]
        )
    }

    @Test("the common prefix of the chain is kept, only what is above it changes")
    func keepsCommonPrefix() {
        let note = ModalState(flow: nil, style: .popover, stack: [place("note:n1")])
        #expect(
            plan(shop(modals: [Self.checkout, Self.auth]), "home", ["home"], modals: [Self.checkout, note])
                == [.dismissModals(keeping: 1), .present(note)]
        )
        #expect(
            plan(shop(modals: [Self.checkout]), "home", ["home"], modals: [Self.checkout, Self.auth])
                == [.present(Self.auth)]
        )
    }

    @Test(
        "a presentation of another flow, style or first screen is another presentation",
        arguments: [
            ModalState(flow: "express", style: .fullScreen, stack: [place("checkout")]),
            ModalState(flow: "checkout", style: .sheet, stack: [place("checkout")]),
            ModalState(flow: "checkout", style: .fullScreen, stack: [place("summary")]),
        ]
    )
    func replacesOtherPresentation(other: ModalState) {
        #expect(
            plan(shop(modals: [Self.checkout]), "home", ["home"], modals: [other])
                == [.dismissModals(keeping: 0), .present(other)]
        )
    }

    @Test("a kept presentation's stack is set while what covers it still covers it")
    func setsKeptPresentation() {
        let address = ModalState(flow: "checkout", style: .fullScreen, stack: places(["checkout", "address"]))
        let window = shop(modals: [Self.checkout, Self.auth])
        #expect(
            plan(window, "home", ["home"], modals: [address])
                == [.setModalStack(index: 0, places(["checkout", "address"])), .dismissModals(keeping: 1)]
        )
    }

    @Test("if only parameters differ, a kept presentation is updated in place, at every depth, and nothing moves")
    func updatesKeptPresentation() {
        let note = ModalState(flow: nil, style: .popover, stack: places(["note:n1", "reply:r1"]))
        let other = ModalState(flow: nil, style: .popover, stack: places(["note:n2", "reply:r1"]))
        let both = ModalState(flow: nil, style: .popover, stack: places(["note:n2", "reply:r2"]))
        let ops = plan(shop(modals: [note]), "home", ["home"], modals: [other])
        #expect(ops == [.updateModal(index: 0, depth: 0, place("note:n2"))])
        #expect(ops.allSatisfy { !$0.isTransition })
        #expect(
            plan(shop(modals: [Self.checkout, note]), "home", ["home"], modals: [Self.checkout, both])
                == [
                    .updateModal(index: 1, depth: 0, place("note:n2")),
                    .updateModal(index: 1, depth: 1, place("reply:r2")),
                ]
        )
        #expect(
            plan(
                shop(modals: [note]),
                "home",
                ["home"],
                modals: [ModalState(flow: nil, style: .popover, stack: places(["note:n2"]))]
            )
                == [.setModalStack(index: 0, places(["note:n2"]))]
        )
    }

    // MARK: - From inside

    @Test("an in-app request pushes onto the stack, whereas a link sets the ancestry")
    func internalPushesOnWhatIsThere() {
        let window = shop(home: ["home", "category:tea"])
        #expect(plan(window, "home", ["home", "cart"], source: .internal) == [.push(tab: "home", place("cart"))])
        #expect(
            plan(window, "home", ["home", "cart"], source: .external)
                == [.setStack(tab: "home", places(["home", "cart"]))]
        )
    }

    @Test("an in-app request for a screen in the stack pops to it, and updates it if parameters differ")
    func internalPopsToLeaf() {
        let window = shop(home: ["home", "category:tea", "cart"])
        #expect(plan(window, "home", ["home", "category:tea"], source: .internal) == [.popTo(tab: "home", depth: 2)])
        #expect(
            plan(window, "home", ["home", "category:mate"], source: .internal)
                == [.update(tab: "home", depth: 1, place("category:mate")), .popTo(tab: "home", depth: 2)]
        )
        #expect(plan(window, "home", ["home", "cart"], source: .internal).isEmpty)
        #expect(plan(window, "home", ["home"], source: .internal) == [.popTo(tab: "home", depth: 1)])
    }

    @Test("a repeating destination is pushed onto itself, but not if it is equal to the one on top")
    func repeats() {
        let window = shop(home: ["home", "product:p1"])
        #expect(
            plan(window, "home", ["home", "product:p2"], source: .internal)
                == [.push(tab: "home", place("product:p2"))]
        )
        #expect(plan(window, "home", ["home", "product:p1"], source: .internal).isEmpty)
        let deeper = shop(home: ["home", "product:p1", "product:p2"])
        #expect(
            plan(deeper, "home", ["home", "product:p1"], source: .internal)
                == [.push(tab: "home", place("product:p1"))]
        )
    }

    @Test("without the declaration the same request goes back to it")
    func doesNotRepeat() {
        #expect(
            Reconciler.plan(
                from: shop(home: ["home", "product:p1", "cart"]),
                to: target("home", ["home", "product:p2"]),
                source: .internal
            ) == [.update(tab: "home", depth: 1, place("product:p2")), .popTo(tab: "home", depth: 2)]
        )
    }

    @Test("an in-app request into another tab completes its stack after the common prefix")
    func internalIntoOtherTab() {
        var window = shop(home: ["home", "category:tea"])
        window.selectedTab = "orders"
        #expect(
            plan(window, "home", ["home", "cart"], source: .internal)
                == [.setStack(tab: "home", places(["home", "cart"])), .selectTab("home")]
        )
        #expect(
            plan(window, "home", ["home", "category:tea", "product:p1"], source: .internal)
                == [.push(tab: "home", place("product:p1")), .selectTab("home")]
        )
    }

    @Test("an in-app request into another tab goes back to the screen there, even to one that may repeat")
    func internalBackInOtherTab() {
        var window = shop(home: ["home", "product:p1", "cart"])
        window.selectedTab = "orders"
        #expect(
            plan(window, "home", ["home", "product:p2"], source: .internal)
                == [
                    .update(tab: "home", depth: 1, place("product:p2")), .popTo(tab: "home", depth: 2),
                    .selectTab("home"),
                ]
        )
        #expect(plan(window, "home", ["home", "cart"], source: .internal) == [.selectTab("home")])
    }

    @Test("an in-app request presents over what it pushed, and dismisses what does not belong to it")
    func internalPresents() {
        let window = shop(home: ["home", "product:p1"], modals: [Self.auth])
        #expect(
            plan(window, "home", ["home", "cart"], modals: [Self.checkout], source: .internal)
                == [
                    .push(tab: "home", place("cart")), .dismissModals(keeping: 0), .present(Self.checkout),
                ]
        )
    }

    @Test("an in-app request for something presented keeps what is on top of the screen that it belongs over")
    func internalPresentsOverWhatIsThere() {
        let window = shop(home: ["home", "product:p1", "cart", "category:tea"])
        for (path, ops) in [
            (["home", "cart"], []), (["home"], []), (["home", "product:p1"], []),
            // Over another product it is not what is there.
            (["home", "product:p2"], [.push(tab: "home", place("product:p2"))]),
        ] as [([String], [NavOp])] {
            #expect(
                plan(window, "home", path, modals: [Self.checkout], source: .internal) == ops + [
                    .present(Self.checkout)
                ]
            )
        }
        var other = window
        other.selectedTab = "orders"
        #expect(
            plan(other, "home", ["home", "cart"], modals: [Self.checkout], source: .internal)
                == [.selectTab("home"), .present(Self.checkout)]
        )
        #expect(
            plan(window, "home", ["home", "cart"], modals: [Self.checkout])
                == [.setStack(tab: "home", places(["home", "cart"])), .present(Self.checkout)]
        )
    }

    @Test("a tab that the window does not have is planned as if it were empty, and the window refuses it by name")
    func missingTab() throws {
        let ops = plan(shop(), "inbox", ["inbox", "message:m1"])
        #expect(ops == [.setStack(tab: "inbox", places(["inbox", "message:m1"])), .selectTab("inbox")])
        #expect(plan(shop(), "inbox", ["inbox"], source: .internal).first == .push(tab: "inbox", place("inbox")))
        var window = Window(state: shop(), repeats: mayRepeat)
        let violation = #expect(throws: NavigationViolation.self) { try window.begin(ops[0]) }
        #expect(violation?.rule == .noSuchTab)
    }

    // MARK: - Sweeps

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

    @Test("a sweep removes a pointless flow with what is presented over it, after cutting what it covers")
    func sweepsPointlessFlow() {
        var window = shop(home: ["home", "cart"], modals: [Self.auth, Self.checkout])
        window.tabs[1].stack = places(["orders", "order:o1"])
        let ops = Reconciler.sweep(window, allowed: { $0.id != "cart" }, flowEnds: { $0 == "auth" })
        #expect(ops == [.popTo(tab: "home", depth: 1), .dismissModals(keeping: 0)])
        #expect(
            Reconciler.sweep(window, allowed: { _ in true }, flowEnds: { $0 == "checkout" }) == [
                .dismissModals(keeping: 1)
            ]
        )
        #expect(Reconciler.sweep(window, allowed: { _ in true }).isEmpty)
    }

    @Test("a sweep removes a presentation that has no screen left, with what is presented over it")
    func sweepsEmptyPresentation() {
        var window = shop(home: ["home", "cart"])
        window.modals = [Self.auth, Self.checkout]
        window.modals[1].stack = []
        #expect(Reconciler.sweep(window, allowed: { _ in true }) == [.dismissModals(keeping: 1)])
        window.modals[0].stack = []
        #expect(Reconciler.sweep(window, allowed: { _ in true }) == [.dismissModals(keeping: 0)])
    }
}
