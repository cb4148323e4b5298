import SceneNavigation
import SceneRouting
import Basics
import Testing

/// Laws over windows and targets made at random, ten for each seed; a failing case prints its seed as its argument.
@Suite("Laws of planning")
struct ReconcilerLawTests {
    private static let rounds = 10

    private struct Case {
        let window: WindowState
        let target: PlacedTarget

        init(using random: inout SplitMix) {
            window = randomWindow(using: &random)
            target = randomTarget(using: &random)
        }

        func plan(_ source: RouteSource, from window: WindowState? = nil) -> [NavOp] {
            Reconciler.plan(from: window ?? self.window, to: target.target, source: source, repeats: mayRepeat)
        }
    }

    @Test("planning again after applying is empty", arguments: 0..<300)
    func idempotent(seed: UInt64) {
        var random = SplitMix(seed: seed)
        for _ in 0..<Self.rounds {
            let test = Case(using: &random)
            for source in RouteSource.allCases {
                let after = applied(test.plan(source), to: test.window)
                #expect(test.plan(source, from: after).isEmpty)
            }
        }
    }

    /// Clean means: the whole window is what the same link makes of a window that shows nothing but roots, except that
    /// the stacks of the other tabs are what they were.
    @Test("a link leads to the same window as from a clean one, except for the other tabs' stacks", arguments: 0..<300)
    func cleanArrival(seed: UInt64) {
        var random = SplitMix(seed: seed)
        for _ in 0..<Self.rounds {
            let test = Case(using: &random)
            let after = applied(test.plan(.external), to: test.window)
            var clean = applied(test.plan(.external, from: shop()), to: shop())
            for index in clean.tabs.indices where clean.tabs[index].id != test.target.tab {
                clean.tabs[index] = test.window.tabs[index]
            }
            #expect(after == clean, "\(WindowDifference.between(expected: clean, actual: after))")
            #expect(after.selectedTab == test.target.tab)
            #expect(after.selectedStack == test.target.path)
            #expect(after.modals == test.target.modals)
        }
    }

    @Test("an in-app request leads to the window that the contract describes", arguments: 0..<300)
    func internalResult(seed: UInt64) {
        var random = SplitMix(seed: seed)
        for _ in 0..<Self.rounds {
            let test = Case(using: &random)
            let after = applied(test.plan(.internal), to: test.window)
            var wanted = test.window
            wanted.selectedTab = test.target.tab
            wanted.modals = test.target.modals
            for index in wanted.tabs.indices where wanted.tabs[index].id == test.target.tab {
                wanted.tabs[index].stack = told(
                    wanted.tabs[index].stack,
                    test.target.path,
                    isPresented: !test.target.modals.isEmpty,
                    isSelected: test.window.selectedTab == test.target.tab
                )
            }
            #expect(after == wanted, "\(WindowDifference.between(expected: wanted, actual: after))")
        }
    }

    /// The contract's sentence on in-app requests, by cases on the leaf.
    private func told(
        _ stack: [Destination],
        _ path: [Destination],
        isPresented: Bool,
        isSelected: Bool
    ) -> [Destination] {
        let leaf = path[path.count - 1]
        if isPresented, stack.contains(leaf) { return stack }
        let isThere = stack.contains { $0.id == leaf.id }
        switch (isSelected, isThere, mayRepeat(leaf.id)) {
        case (true, _, true): return stack.last == leaf ? stack : stack + [leaf]
        case (_, true, _):
            var kept = stack
            while let top = kept.last, top.id != leaf.id { kept.removeLast() }
            kept[kept.count - 1] = leaf
            return kept
        case (true, false, false): return stack + [leaf]
        case (false, false, _):
            let shared = zip(stack, path).prefix { $0.id == $1.id }.count
            return Array(stack.prefix(shared)) + path.dropFirst(shared)
        }
    }

    @Test(
        "no screen comes twice: a link leaves each ID once, a request adds no ID that is there unless it repeats",
        arguments: 0..<300
    )
    func noDuplicates(seed: UInt64) {
        var random = SplitMix(seed: seed)
        for _ in 0..<Self.rounds {
            let test = Case(using: &random)
            let clean = applied(test.plan(.external), to: test.window)
            #expect(Set(clean.selectedStack.map(\.id)).count == clean.selectedStack.count)
            let after = applied(test.plan(.internal), to: test.window)
            for tab in after.tabs {
                for id in Set(tab.stack.map(\.id)) where !mayRepeat(id) {
                    let before = test.window.stack(of: tab.id)?.filter { $0.id == id }.count ?? 0
                    #expect(tab.stack.filter { $0.id == id }.count <= max(before, 1), "\(id) in \(tab)")
                }
            }
        }
    }

    @Test("if only parameters differ nothing moves", arguments: 0..<300)
    func updatesMoveNothing(seed: UInt64) {
        var random = SplitMix(seed: seed)
        for _ in 0..<Self.rounds {
            let window = randomWindow(using: &random)
            func change(_ destination: Destination) -> Destination {
                destination.parameters.isEmpty || Bool.random(using: &random)
                    ? destination : Destination(id: destination.id, parameters: ["id": "other"])
            }
            let target = PlacedTarget(
                tab: window.selectedTab,
                path: window.selectedStack.map(change),
                modals: window.modals.map { modal in
                    ModalState(flow: modal.flow, style: modal.style, stack: modal.stack.map(change))
                }
            )
            let ops = Reconciler.plan(from: window, to: target.target, source: .external)
            #expect(ops.allSatisfy { !$0.isTransition })
            let before = window.selectedStack + window.modals.flatMap(\.stack)
            let after = target.path + target.modals.flatMap(\.stack)
            #expect(ops.count == zip(before, after).filter { $0 != $1 }.count)
        }
    }

    @Test(
        "on the way nothing comes to the front but what was there before or what the target shows",
        arguments: 0..<300
    )
    func uncoversNothing(seed: UInt64) {
        var random = SplitMix(seed: seed)
        for _ in 0..<Self.rounds {
            let test = Case(using: &random)
            for source in RouteSource.allCases {
                let ops = test.plan(source)
                let wanted = applied(ops, to: test.window)
                var state = test.window
                for op in ops {
                    let before = state
                    state = applied([op], to: state)
                    guard let front = state.topmost, front != before.topmost else { continue }
                    let shown = wanted.selectedStack + wanted.modals.flatMap(\.stack)
                    #expect(shown.contains(front), "\(op) brings \(front) to the front")
                }
            }
        }
    }

    @Test("what goes over whatever is shown takes nothing away, unless it covers it already", arguments: 0..<300)
    func overCurrent(seed: UInt64) {
        var random = SplitMix(seed: seed)
        for _ in 0..<Self.rounds {
            let window = randomWindow(using: &random)
            let wanted = randomPresentation(using: &random)
            for source in RouteSource.allCases {
                let ops = Reconciler.plan(from: window, to: .overCurrent(wanted), source: source, repeats: mayRepeat)
                let after = applied(ops, to: window)
                #expect(after.tabs == window.tabs && after.selectedTab == window.selectedTab)
                #expect(after.modals.last == wanted)
                #expect(
                    Reconciler.plan(from: after, to: .overCurrent(wanted), source: source, repeats: mayRepeat).isEmpty
                )
                let places = window.modals.indices.filter { place in
                    let shown = window.modals[place]
                    return shown.flow == wanted.flow && shown.style == wanted.style
                        && shown.stack[0].id == wanted.stack[0].id
                }
                // What it stands on is what it stood on, if that takes no flow away, or all that was shown.
                let place = places.last.flatMap { place in
                    window.modals.dropFirst(place + 1).contains { $0.flow != nil } ? nil : place
                }
                #expect(after.modals.dropLast() == window.modals.prefix(place ?? window.modals.count))
            }
        }
    }

    @Test("one that repeats is presented over itself by a request from inside the app")
    func overItself() {
        let first = ModalState(flow: nil, style: .sheet, stack: [place("product:p1")])
        let second = ModalState(flow: nil, style: .sheet, stack: [place("product:p2")])
        let window = shop(modals: [first])
        func modals(_ wanted: ModalState, _ source: RouteSource) -> [ModalState] {
            let ops = Reconciler.plan(from: window, to: .overCurrent(wanted), source: source, repeats: mayRepeat)
            return applied(ops, to: window).modals
        }
        #expect(modals(second, .internal) == [first, second])
        #expect(modals(first, .internal) == [first])
        #expect(modals(second, .external) == [second])
    }

    @Test("a sweep leaves what is allowed and only that, and sweeping again does nothing", arguments: 0..<300)
    func sweeps(seed: UInt64) {
        var random = SplitMix(seed: seed)
        for _ in 0..<Self.rounds {
            let window = randomWindow(using: &random)
            let ids = Set(window.destinations.map(\.id)).subtracting(["home", "orders", "account"]).sorted()
            let forbidden = Set(ids.filter { _ in Bool.random(using: &random) })
            let allowed = { (destination: Destination) in !forbidden.contains(destination.id) }
            let after = applied(Reconciler.sweep(window, allowed: allowed), to: window)
            #expect(after.destinations.allSatisfy(allowed))
            #expect(Reconciler.sweep(after, allowed: allowed).isEmpty)
            for (tab, swept) in zip(window.tabs, after.tabs) {
                #expect(swept.stack == Array(tab.stack.prefix(while: allowed)))
            }
            for (modal, swept) in zip(window.modals, after.modals) {
                #expect(swept.stack == Array(modal.stack.prefix(while: allowed)))
            }
            let standing = window.modals.prefix { $0.stack.first.map(allowed) ?? false }
            #expect(after.modals.count == standing.count)
        }
    }
}
