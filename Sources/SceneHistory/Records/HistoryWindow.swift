public import SceneVocabulary

/// A window with what is needed to judge it without the app's manifest.
public struct HistoryWindow: Hashable, Sendable {
    /// What it shows.
    public var layout: WindowState
    /// One for each of ``WindowState/destinations``, in the same order.
    public var shown: [Shown]

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

    /// Whether the flow is presented, or stands instead of tabs.
    func shows(flow: String) -> Bool {
        layout.modals.contains { $0.flow == flow }
            || layout.tabs.count == 1 && layout.tabs[0].id == WindowState.rootTab && shown.first?.coordinator == flow
    }

    /// Calls `body` with every stack and the details of its screens: the tabs', then the presentations'.
    func forEachStack(_ body: (_ stack: [Destination], _ shown: ArraySlice<Shown>) -> Void) {
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
    func added(since earlier: WindowState?) -> [(destination: Destination, shown: Shown)] {
        var added: [(destination: Destination, shown: Shown)] = []
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
    private func stackBefore(_ place: Int, _ earlier: WindowState) -> [Destination] {
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
