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
        let below: Screen?

        init(_ destination: Destination, _ coordinator: String, on below: Screen?) {
            self.destination = destination
            self.coordinator = coordinator
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
    ///   - previous: What to share with.
    init(_ state: WindowState, coordinators: [String], after previous: ShownWindow?) {
        var added = 64
        var owners = coordinators[...]
        var containers: [Container] = []
        func add(_ name: String?, _ style: ModalStyle?, _ stack: [Destination]) {
            let index = containers.count
            let old = previous.map {
                $0.containers.indices.contains(index) ? Screen.stack($0.containers[index].top) : []
            }
            var top: Screen?
            var isShared = true
            for (depth, destination) in stack.enumerated() {
                let owner = owners.popFirst() ?? ""
                if isShared, let old, depth < old.count, old[depth].destination == destination,
                    old[depth].coordinator == owner
                {
                    top = old[depth]
                    continue
                }
                isShared = false
                top = Screen(destination, owner, on: top)
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
}
