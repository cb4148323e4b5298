import SceneNavigation
import SceneRouting
import Testing

/// Compares plans with the cheapest sequences of ops, found by trying every op in every state of a small world.
///
/// What a way costs is, first, the transitions that a person sees, one after the other; second, the screens that are
/// handed to a container, each of which may have to be built: one for an update or a push, all of its stack for an op
/// that sets one. Swapping the root is no navigation and left out.
@Suite("A plan is the cheapest one")
struct ReconcilerMinimalityTests {
    @Test("no sequence of legal ops leads from any small window to where a plan leads at a lower cost")
    func minimal() throws {
        let world = try SmallWorld()
        #expect(world.windows.count == 594)
        var plans = 0
        for start in world.windows.indices {
            let cheapest = world.cheapest(from: start)
            for target in world.targets {
                for source in RouteSource.allCases {
                    let ops = Reconciler.plan(from: world.windows[start], to: target.target, source: source)
                    var window = Window(state: world.windows[start], repeats: { _ in false })
                    for op in ops {
                        try window.begin(op)
                        window.completeTransition()
                    }
                    // A request may push deeper than the small world goes.
                    guard let end = world.index(of: window.state) else { continue }
                    let cost = ops.map(SmallWorld.cost).reduce(0, +)
                    if cheapest[end] != cost {
                        Issue.record(
                            "\(world.windows[start]) to \(target), \(source): \(ops) costs \(cost), not \(cheapest[end])"
                        )
                    }
                    plans += 1
                }
            }
        }
        #expect(plans > 25_000)
    }

    /// The rule that nothing forbidden is uncovered orders the ops of a plan. If it cost anything, the plans that keep
    /// it could not be the cheapest of all ways, kept or not; that they do keep it is checked here on every one.
    @Test("a plan uncovers nothing on the way but what the target shows")
    func uncoversNothing() throws {
        let world = try SmallWorld()
        for window in world.windows {
            for target in world.targets {
                var state = Window(state: window, repeats: { _ in false })
                for op in Reconciler.plan(from: window, to: target.target, source: .external) {
                    let before = state.state.topmost
                    try state.begin(op)
                    state.completeTransition()
                    guard let front = state.state.topmost, front != before else { continue }
                    let shown = target.path + target.modals.flatMap(\.stack)
                    if !shown.contains(front) { Issue.record("\(op) of \(window) brings \(front) to the front") }
                }
            }
        }
    }
}

/// All windows of two tabs with short stacks and few presentations, and the ops between them.
private struct SmallWorld {
    private static let homes = [
        "home", "home a:1", "home a:2", "home b", "home a:1 b", "home a:2 b", "home b a:1", "home b a:2",
        "home a:1 b c",
    ].map { places($0.split(separator: " ").map(String.init)) }
    private static let orders = [["orders"], ["orders", "o:1"], ["orders", "o:2"]].map(places)
    private static let sheets = [["s:1"], ["s:2"], ["s:1", "t"]].map(places)

    private static let chains: [[ModalState]] = {
        let sheets = Self.sheets.map { ModalState(flow: "f", style: .sheet, stack: $0) }
        let full = ModalState(flow: "g", style: .fullScreen, stack: [place("u")])
        return [[], [full]] + sheets.flatMap { [[$0], [$0, full], [full, $0]] }
    }()

    let windows: [WindowState]
    let targets: [PlacedTarget]
    private let indices: [WindowState: Int]
    /// For each window, where an op leads and what it costs.
    private var steps: [[(to: Int, cost: Int)]] = []

    init() throws {
        var windows: [WindowState] = []
        var targets: [PlacedTarget] = []
        for chain in Self.chains {
            for home in Self.homes {
                for order in Self.orders {
                    for selected in ["home", "orders"] {
                        let tabs = [TabState(id: "home", stack: home), TabState(id: "orders", stack: order)]
                        windows.append(WindowState(tabs: tabs, selectedTab: selected, modals: chain))
                    }
                }
            }
            let modals = chain.map { ModalState(flow: $0.flow, style: $0.style, stack: $0.stack) }
            targets += Self.homes.map { PlacedTarget(tab: "home", path: $0, modals: modals) }
            targets += Self.orders.map { PlacedTarget(tab: "orders", path: $0, modals: modals) }
        }
        self.windows = windows
        self.targets = targets
        indices = Dictionary(uniqueKeysWithValues: windows.enumerated().map { ($1, $0) })
        let ops = Self.ops
        for state in windows {
            var leads: [(to: Int, cost: Int)] = []
            for op in ops {
                var window = Window(state: state, repeats: { _ in false })
                guard (try? window.begin(op)) != nil, let end = indices[window.state] else { continue }
                leads.append((end, Self.cost(op)))
            }
            steps.append(leads)
        }
    }

    func index(of window: WindowState) -> Int? { indices[window] }

    /// A transition weighs more than all screens that a plan here can hand over.
    static func cost(_ op: NavOp) -> Int {
        let screens =
            switch op {
            case .push, .update, .updateModal: 1
            case .setStack(_, let stack), .setModalStack(_, let stack): stack.count
            case .present(let modal): modal.stack.count
            default: 0
            }
        return (op.isTransition ? 1_000 : 0) + screens
    }

    private static let ops: [NavOp] = {
        var ops: [NavOp] = [.selectTab("home"), .selectTab("orders")]
        ops += (0..<2).map { .dismissModals(keeping: $0) }
        for (tab, stacks) in [("home", homes), ("orders", orders)] {
            ops += (1...3).map { .popTo(tab: tab, depth: $0) }
            ops += stacks.map { .setStack(tab: tab, $0) }
            for screen in Set(stacks.flatMap { $0 }) {
                ops.append(.push(tab: tab, screen))
                ops += (1...3).map { .update(tab: tab, depth: $0, screen) }
            }
        }
        ops += Set(chains.flatMap { $0 }).map { .present($0) }
        for index in 0..<2 {
            ops += sheets.map { .setModalStack(index: index, $0) }
            for screen in Set(sheets.flatMap { $0 }) {
                ops += (0..<2).map { .updateModal(index: index, depth: $0, screen) }
            }
        }
        return ops
    }()

    /// The lowest cost to every window (Bellman and Ford's algorithm with a queue).
    func cheapest(from start: Int) -> [Int] {
        var costs = [Int](repeating: .max, count: windows.count)
        var isQueued = [Bool](repeating: false, count: windows.count)
        var queue = [start]
        costs[start] = 0
        var next = 0
        while next < queue.count {
            let window = queue[next]
            next += 1
            isQueued[window] = false
            for step in steps[window] where costs[window] + step.cost < costs[step.to] {
                costs[step.to] = costs[window] + step.cost
                if !isQueued[step.to] { queue.append(step.to) }
                isQueued[step.to] = true
            }
        }
        return costs
    }
}
