internal import SceneNavigation

/// What a window showed at one moment, as records and receipts keep it, of which there are many.
///
/// It shares with the window before it whatever is the same: a stack that did not change, and of a stack that did, the screens
/// up to the first that differs. So a history takes memory for what changed and not for what was shown.
final class ShownWindow: Sendable {
    /// A screen with those below it.
    private final class Screen: Sendable {
        let destination: Destination
        let coordinator: String
        /// The epoch since which it is shown at this place with these parameters.
        let since: Int
        let below: Screen?

        init(_ destination: Destination, _ coordinator: String, since: Int, on below: Screen?) {
            self.destination = destination
            self.coordinator = coordinator
            self.since = since
            self.below = below
        }

        /// The screens from the lowest to `top`.
        static func stack(_ top: Screen?) -> [Screen] {
            var screens: [Screen] = []
            var next = top
            while let screen = next {
                screens.append(screen)
                next = screen.below
            }
            screens.reverse()
            return screens
        }
    }

    private struct Container {
        /// The tab's name, or the flow that owns the presentation.
        let name: String?
        /// `nil` for a tab.
        let style: ModalStyle?
        let top: Screen?
    }

    /// The tabs, then the presentations.
    private let containers: [Container]
    private let selectedTab: String
    /// About how many bytes of memory it takes besides what it shares.
    let added: Int

    /// - Parameters:
    ///   - coordinators: For each of the state's ``/SceneVocabulary/WindowState/destinations``, the flow that owns it.
    ///   - epoch: The epoch in which it shows this.
    ///   - previous: What it showed before, to share with.
    ///   - since: For each of those destinations, the epoch since which it is shown, if that is known.
    init(
        _ state: WindowState,
        coordinators: [String],
        in epoch: Int,
        after previous: ShownWindow?,
        since: [Int] = []
    ) {
        var added = 64
        var owners = coordinators[...]
        var since = since[...]
        var containers: [Container] = []
        func add(_ name: String?, _ style: ModalStyle?, _ stack: [Destination]) {
            let old = previous?.stack(name, isTab: style == nil, state.tabs.count, containers.count)
            var top: Screen?
            var isShared = true
            for (depth, destination) in stack.enumerated() {
                let owner = owners.popFirst() ?? ""
                let known = since.popFirst()
                if isShared, let old, depth < old.count, old[depth].destination == destination,
                    old[depth].coordinator == owner
                {
                    top = old[depth]
                    continue
                }
                isShared = false
                let before = old.flatMap { depth < $0.count && $0[depth].destination == destination ? $0[depth] : nil }
                top = Screen(destination, owner, since: known ?? before?.since ?? epoch, on: top)
                added += 64 + destination.footprint
            }
            containers.append(Container(name: name, style: style, top: top))
            added += 48
        }
        for tab in state.tabs { add(tab.id, nil, tab.stack) }
        for modal in state.modals { add(modal.flow, modal.style, modal.stack) }
        self.containers = containers
        self.added = added
        selectedTab = state.selectedTab
    }

    /// The stack at the place of one of another window: that of a tab by its name, that of a presentation by its place above
    /// the tabs and its flow.
    /// - Parameters:
    ///   - tabs: How many tabs the other window has.
    ///   - index: The other stack's place among its tabs and presentations.
    private func stack(_ name: String?, isTab: Bool, _ tabs: Int, _ index: Int) -> [Screen] {
        if isTab { return Screen.stack(containers.first { $0.style == nil && $0.name == name }?.top) }
        let modals = containers.drop { $0.style == nil }
        let place = modals.startIndex + index - tabs
        guard modals.indices.contains(place), modals[place].name == name else { return [] }
        return Screen.stack(modals[place].top)
    }

    /// What the window showed.
    var state: WindowState {
        var state = WindowState(tabs: [], selectedTab: selectedTab)
        for container in containers {
            let stack = Screen.stack(container.top).map(\.destination)
            if let style = container.style {
                state.modals.append(ModalState(flow: container.name, style: style, stack: stack))
            } else {
                state.tabs.append(TabState(id: container.name ?? "", stack: stack))
            }
        }
        return state
    }

    /// For each of the state's ``/SceneVocabulary/WindowState/destinations``, the flow whose coordinator owns it.
    var coordinators: [String] { containers.flatMap { Screen.stack($0.top).map(\.coordinator) } }

    /// For each of the state's ``/SceneVocabulary/WindowState/destinations``, the epoch since which it is shown there.
    var epochs: [Int] { containers.flatMap { Screen.stack($0.top).map(\.since) } }
}
