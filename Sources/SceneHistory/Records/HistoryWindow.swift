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

    /// The flows that own something here.
    var owners: Set<String> { Set(shown.map(\.coordinator)) }

    /// What the one tab of a window is called that shows a flow instead of tabs.
    static let rootTab = "root"

    /// Whether the flow is presented, or stands instead of tabs.
    func shows(flow: String) -> Bool {
        layout.modals.contains { $0.flow == flow }
            || layout.tabs.count == 1 && layout.tabs[0].id == Self.rootTab && shown.first?.coordinator == flow
    }

    /// Every stack with the details of its screens: the tabs', then the presentations'.
    var stacks: [[(destination: HistoryDestination, shown: Shown)]] {
        var offset = 0
        return (layout.tabs.map(\.stack) + layout.modals.map(\.stack)).map { stack in
            defer { offset += stack.count }
            return zip(stack, shown[offset..<(offset + stack.count)]).map { ($0, $1) }
        }
    }

    /// What is here and was not in the same place of `earlier`.
    func added(since earlier: Layout?) -> [(destination: HistoryDestination, shown: Shown)] {
        var before: [[HistoryDestination]] = []
        for tab in layout.tabs { before.append(earlier?.tabs.first { $0.id == tab.id }?.stack ?? []) }
        for (index, modal) in layout.modals.enumerated() {
            let same = earlier.flatMap { $0.modals.indices.contains(index) ? $0.modals[index] : nil }
            before.append(same?.flow == modal.flow ? same?.stack ?? [] : [])
        }
        return zip(stacks, before).flatMap { stack, before in
            stack.enumerated()
                .filter { !before.indices.contains($0.offset) || before[$0.offset] != $0.element.destination }
                .map(\.element)
        }
    }
}
