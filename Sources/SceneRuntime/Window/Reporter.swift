internal import SceneNavigation
internal import SceneRouting

/// What reports an intent: a screen of a window, or a container for what it holds (<doc:Windows#What-reports-by-itself>).
struct Reporter {
    let container: FlowPlace.Container
    /// The screen, or the one that the container shows.
    let screen: Destination
    /// Its place in ``WindowState/destinations``.
    let place: Int
    /// The place of the screen whose owner is asked first: the screen itself, or the container's lowest.
    let owned: Int
    let isContainer: Bool

    /// Finds the topmost of this name. A screen wins over a container.
    ///
    /// - Parameter name: The ID of a screen, or a container as ``FlowPlace/Container/name(in:)`` has it; `nil` for the screen on top.
    /// - Returns: `nil` if the window shows none.
    init?(_ name: String?, in window: WindowState) {
        let stacks = Self.stacks(of: window)
        guard let name else {
            guard let top = stacks.first, !top.stack.isEmpty else { return nil }
            self.init(top, at: top.stack.count - 1)
            return
        }
        for stack in stacks {
            guard let index = stack.stack.lastIndex(where: { $0.id == name }) else { continue }
            self.init(stack, at: index)
            return
        }
        guard let stack = stacks.first(where: { $0.container.name(in: window) == name }), !stack.stack.isEmpty else {
            return nil
        }
        self.init(stack, at: stack.stack.count - 1, isContainer: true)
    }

    private typealias Stack = (container: FlowPlace.Container, stack: [Destination], first: Int)

    private init(_ stack: Stack, at index: Int, isContainer: Bool = false) {
        container = stack.container
        screen = stack.stack[index]
        place = stack.first + index
        owned = isContainer ? stack.first : place
        self.isContainer = isContainer
    }

    /// The stacks of a window: what is presented from the top, the selected tab, the other tabs in order.
    private static func stacks(of window: WindowState) -> [Stack] {
        var first = 0
        var tabs: [Stack] = []
        for tab in window.tabs {
            let stack = (FlowPlace.Container.tab(tab.id), tab.stack, first)
            tabs.insert(stack, at: tab.id == window.selectedTab ? 0 : tabs.count)
            first += tab.stack.count
        }
        var modals: [Stack] = []
        for (index, modal) in window.modals.enumerated() {
            modals.insert((.modal(index), modal.stack, first), at: 0)
            first += modal.stack.count
        }
        return modals + tabs
    }
}

extension FlowPlace.Container {
    /// The container in words: `tab home`, `sheet of auth`, `sheet`.
    func name(in window: WindowState) -> String {
        switch self {
        case .tab(let tab): return "tab \(tab)"
        case .modal(let index):
            guard window.modals.indices.contains(index) else { return "" }
            let modal = window.modals[index]
            return modal.flow.map { "\(modal.style) of \($0)" } ?? "\(modal.style)"
        }
    }
}

extension WindowState {
    /// Whether a window of the app can have a container of this name.
    static func isContainer(_ name: String, of manifest: AppManifest) -> Bool {
        let words = name.split(separator: " ", omittingEmptySubsequences: false)
        if words.count == 2, words[0] == "tab" {
            return words[1] == rootTab || manifest.tabs.contains { $0.id == words[1] }
        }
        guard let style = words.first, ModalStyle(rawValue: String(style)) != nil else { return false }
        return words.count == 1
            || words.count == 3 && words[1] == "of" && manifest.flows.contains { $0.name == words[2] }
    }
}
