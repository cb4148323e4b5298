import SceneNavigation
import SceneRouting
import Testing

/// A deterministic generator (SplitMix64), so that a failing case can be run again by its seed.
struct SeededGenerator: RandomNumberGenerator {
    private var state: UInt64

    init(seed: UInt64) {
        state = seed
    }

    mutating func next() -> UInt64 {
        state &+= 0x9E37_79B9_7F4A_7C15
        var value = state
        value = (value ^ (value >> 30)) &* 0xBF58_476D_1CE4_E5B9
        value = (value ^ (value >> 27)) &* 0x94D0_49BB_1331_11EB
        return value ^ (value >> 31)
    }
}

/// `product:p1` is the destination `product` with the ID `p1`.
func place(_ text: String) -> Destination {
    let parts = text.split(separator: ":")
    return Destination(id: String(parts[0]), parameters: parts.count > 1 ? ["id": String(parts[1])] : [:])
}

func places(_ texts: [String]) -> [Destination] { texts.map(place) }

func shop(home: [String] = ["home"], orders: [String] = ["orders"]) -> WindowState {
    WindowState(
        tabs: [
            TabState(id: "home", stack: places(home)), TabState(id: "orders", stack: places(orders)),
            TabState(id: "account", stack: [place("account")]),
        ],
        selectedTab: "home"
    )
}

func target(_ tab: String, _ path: [String]) -> Target { Target(tab: tab, path: places(path)) }

func plan(_ window: WindowState, _ tab: String, _ path: [String], source: RouteSource = .external) -> [NavOp] {
    Reconciler.plan(from: window, to: target(tab, path), source: source)
}

/// The window after the ops, by a window that enforces the rules.
func applied(_ ops: [NavOp], to state: WindowState) -> WindowState {
    var window = Window(state: state, repeats: { $0 == "product" })
    for op in ops {
        #expect(throws: Never.self) { try window.begin(op) }
        window.completeTransition()
    }
    return window.state
}

func randomWindow(using random: inout SeededGenerator) -> WindowState {
    var window = shop(
        home: ["home"] + randomStack(using: &random),
        orders: ["orders"] + (Bool.random(using: &random) ? ["order:o1"] : [])
    )
    window.selectedTab = window.tabs.randomElement(using: &random)?.id ?? "home"
    if Bool.random(using: &random) {
        window.modals.append(ModalState(flow: "checkout", style: .fullScreen, stack: [place("checkout")]))
        if Bool.random(using: &random) {
            window.modals.append(ModalState(flow: "auth", style: .sheet, stack: [place("login")]))
        }
    }
    return window
}

func randomTarget(using random: inout SeededGenerator) -> Target {
    switch Int.random(in: 0..<4, using: &random) {
    case 0: target("orders", ["orders", "order:o\(Int.random(in: 1...2, using: &random))"])
    case 1: target("account", ["account"])
    case 2:
        Target(
            tab: "home",
            path: places(["home", "cart"]),
            modals: [TargetModal(flow: "checkout", style: .fullScreen, stack: [place("checkout")])]
        )
    default: target("home", ["home"] + randomStack(using: &random))
    }
}

private func randomStack(using random: inout SeededGenerator) -> [String] {
    var rest = ["category:tea", "category:mate", "product:p1", "product:p2", "cart"].shuffled(using: &random)
    rest = Array(rest.prefix(Int.random(in: 0...3, using: &random)))
    var ids: Set<String> = []
    return rest.filter { ids.insert(place($0).id).inserted }
}
