/// A typed place in the app, as records write it.
public struct HistoryDestination: Hashable, Sendable {
    public let id: String
    public let parameters: [String: String]

    /// A destination of this name with these parameters.
    public init(id: String, parameters: [String: String] = [:]) {
        self.id = id
        self.parameters = parameters
    }
}

extension HistoryDestination: CustomStringConvertible {
    /// As people write it: `cart`, `product(id: p1004)`.
    public var description: String {
        guard !parameters.isEmpty else { return id }
        let list = parameters.sorted { $0.key < $1.key }.map { "\($0.key): \($0.value)" }
        return "\(id)(\(list.joined(separator: ", ")))"
    }
}

/// A window with what is needed to judge it without the app's manifest.
public struct HistoryWindow: Hashable, Sendable {
    public var layout: Layout
    /// One for each of ``Layout/destinations``, in the same order.
    public var shown: [Shown]

    /// Tabs with their stacks, and the presentations over them.
    public struct Layout: Hashable, Sendable {
        public var tabs: [Tab]
        public var selectedTab: String
        /// Bottom first.
        public var modals: [Modal]

        /// Every destination: the tabs' stacks in order, root first, then the presentations'.
        public var destinations: [HistoryDestination] { tabs.flatMap(\.stack) + modals.flatMap(\.stack) }
    }

    public struct Tab: Hashable, Sendable {
        public var id: String
        /// Root first.
        public var stack: [HistoryDestination]
    }

    public struct Modal: Hashable, Sendable {
        public var flow: String?
        public var style: String
        /// Root first.
        public var stack: [HistoryDestination]
    }

    /// What a shown destination needs and belongs to.
    public struct Shown: Hashable, Sendable {
        /// The names of its preconditions and conditions.
        public var needs: [String]
        /// The flow whose coordinator owns it.
        public var coordinator: String
        /// Whether it may stand on itself.
        public var repeats: Bool
    }

    /// The flows that own something here, each as often as it does.
    var owners: some Sequence<String> { shown.lazy.map(\.coordinator) }

    /// Whether the flow owns something here.
    func isOwner(_ flow: String) -> Bool { shown.contains { $0.coordinator == flow } }

    /// What the one tab of a window is called that shows a flow instead of tabs.
    static let rootTab = "root"

    /// Whether the flow is presented, or stands instead of tabs.
    func shows(flow: String) -> Bool {
        layout.modals.contains { $0.flow == flow }
            || layout.tabs.count == 1 && layout.tabs[0].id == Self.rootTab && shown.first?.coordinator == flow
    }

    /// Calls `body` with every stack and the details of its screens: the tabs', then the presentations'.
    func forEachStack(_ body: (_ stack: [HistoryDestination], _ shown: ArraySlice<Shown>) -> Void) {
        var rest = shown[...]
        for tab in layout.tabs {
            body(tab.stack, rest.prefix(tab.stack.count))
            rest = rest.dropFirst(tab.stack.count)
        }
        for modal in layout.modals {
            body(modal.stack, rest.prefix(modal.stack.count))
            rest = rest.dropFirst(modal.stack.count)
        }
    }

    /// What is here and was not in the same place of `earlier`.
    func added(since earlier: Layout?) -> [(destination: HistoryDestination, shown: Shown)] {
        var added: [(destination: HistoryDestination, shown: Shown)] = []
        var place = 0
        forEachStack { stack, shown in
            let before = earlier.map { stackBefore(place, $0) } ?? []
            place += 1
            for (depth, (destination, shown)) in zip(stack, shown).enumerated()
            where !before.indices.contains(depth) || before[depth] != destination {
                added.append((destination, shown))
            }
        }
        return added
    }

    /// What stood where the stack at `place`, presentations counted on from the tabs, stands now.
    private func stackBefore(_ place: Int, _ earlier: Layout) -> [HistoryDestination] {
        guard place >= layout.tabs.count else {
            let tab = layout.tabs[place].id
            return earlier.tabs.first { $0.id == tab }?.stack ?? []
        }
        let index = place - layout.tabs.count
        guard earlier.modals.indices.contains(index), earlier.modals[index].flow == layout.modals[index].flow else {
            return []
        }
        return earlier.modals[index].stack
    }
}
