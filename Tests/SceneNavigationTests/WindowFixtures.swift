import SceneNavigation
import SceneRouting
import Basics
import Testing

/// `product:p1` is the destination `product` with the ID `p1`.
func place(_ text: String) -> Destination {
    let parts = text.split(separator: ":")
    return Destination(id: String(parts[0]), parameters: parts.count > 1 ? ["id": String(parts[1])] : [:])
}

func places(_ texts: [String]) -> [Destination] { texts.map(place) }

func shop(
    home: [String] = ["home"],
    orders: [String] = ["orders"],
    modals: [ModalState] = []
) -> WindowState {
    WindowState(
        tabs: [
            TabState(id: "home", stack: places(home)), TabState(id: "orders", stack: places(orders)),
            TabState(id: "account", stack: [place("account")]),
        ],
        selectedTab: "home",
        modals: modals
    )
}

func target(_ tab: String, _ path: [String]) -> Target { Target.placed(tab: tab, path: places(path)) }

func plan(
    _ window: WindowState,
    _ tab: String,
    _ path: [String],
    modals: [ModalState] = [],
    source: RouteSource = .external
) -> [NavOp] {
    Reconciler.plan(
        from: window,
        to: Target.placed(tab: tab, path: places(path), modals: modals),
        source: source,
        repeats: mayRepeat
    )
}

/// The window after the ops, by a window that enforces the rules.
func applied(_ ops: [NavOp], to state: WindowState) -> WindowState {
    var window = Window(state: state, repeats: mayRepeat)
    for op in ops {
        do throws(NavigationViolation) {
            try window.begin(op)
        } catch {
            Issue.record("\(op) breaks a rule: \(error)")
        }
        window.completeTransition()
    }
    return window.state
}

/// Which destinations of these tests repeat.
func mayRepeat(_ id: String) -> Bool { id == "product" }

/// A random window within the rules: any stacks, any chain of presentations.
func randomWindow(using random: inout SplitMix) -> WindowState {
    var window = shop(
        home: ["home"] + randomStack(using: &random),
        orders: ["orders"] + (Bool.random(using: &random) ? ["order:o1"] : [])
    )
    window.selectedTab = window.tabs.randomElement(using: &random)?.id ?? "home"
    window.modals = randomModals(using: &random)
    return window
}

/// The parts of a target that has a place.
struct PlacedTarget {
    let tab: String
    let path: [Destination]
    let modals: [ModalState]

    var target: Target { .placed(tab: tab, path: path, modals: modals) }
}

/// A random target that a manifest could declare: no ID is twice in its path.
func randomTarget(using random: inout SplitMix) -> PlacedTarget {
    let modals = randomModals(using: &random)
    let (tab, path) =
        switch Int.random(in: 0..<4, using: &random) {
        case 0: ("orders", ["orders", "order:o\(Int.random(in: 1...2, using: &random))"])
        case 1: ("account", ["account"])
        default: ("home", ["home"] + randomStack(repeating: false, using: &random))
        }
    return PlacedTarget(tab: tab, path: places(path), modals: modals)
}

/// A random presentation, often one that random windows have.
func randomPresentation(using random: inout SplitMix) -> ModalState {
    let all =
        presentations.filter { $0.stack.count == 1 } + [
            ModalState(flow: nil, style: .sheet, stack: [place("product:p1")])
        ]
    return all.randomElement(using: &random) ?? all[0]
}

private func randomStack(repeating: Bool = true, using random: inout SplitMix) -> [String] {
    var stack: [String] = []
    for _ in 0..<Int.random(in: 0...3, using: &random) {
        let next =
            ["category:tea", "category:mate", "product:p1", "product:p2", "product:p3", "cart"]
            .randomElement(using: &random) ?? "cart"
        let id = place(next).id
        guard !stack.contains(where: { place($0).id == id }) || (repeating && mayRepeat(id)) else { continue }
        stack.append(next)
    }
    return stack
}

private func randomModals(using random: inout SplitMix) -> [ModalState] {
    guard Bool.random(using: &random) else { return [] }
    return Array(presentations.shuffled(using: &random).prefix(Int.random(in: 1...2, using: &random)))
}

private let presentations = [
    ModalState(flow: "checkout", style: .fullScreen, stack: places(["checkout"])),
    ModalState(flow: "checkout", style: .fullScreen, stack: places(["checkout", "address"])),
    ModalState(flow: "checkout", style: .sheet, stack: places(["checkout"])),
    ModalState(flow: "auth", style: .sheet, stack: places(["login"])),
    ModalState(flow: "auth", style: .sheet, stack: places(["login", "createAccount"])),
    ModalState(flow: nil, style: .popover, stack: places(["note:n1"])),
    ModalState(flow: nil, style: .popover, stack: places(["note:n2"])),
    ModalState(flow: nil, style: .popover, stack: places(["note:n1", "reply:r1"])),
]
