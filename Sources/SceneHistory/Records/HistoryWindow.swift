package import SceneVocabulary

/// A window, with all that is needed to judge it without the app's manifest.
package struct HistoryWindow: Hashable, Sendable {
    /// What it shows.
    package var layout: WindowState
    /// The details of each of ``WindowState/destinations``, in the same order.
    package var shown: [Shown]

    /// The details of a destination on screen.
    package struct Shown: Hashable, Sendable {
        /// The names of its preconditions and conditions.
        package var needs: [String]
        /// The flow whose coordinator owns it.
        package var coordinator: String
        /// Whether it may be directly above itself in a stack.
        package var repeats: Bool
    }

    /// The flows that own something here, once for each destination.
    var owners: some Sequence<String> { shown.lazy.map(\.coordinator) }

    /// Whether the flow owns something here.
    func isOwner(_ flow: String) -> Bool { shown.contains { $0.coordinator == flow } }

    /// Whether the flow is presented, or shown in place of tabs.
    func shows(flow: String) -> Bool {
        layout.modals.contains { $0.flow == flow }
            || layout.tabs.count == 1 && layout.tabs[0].id == WindowState.rootTab && shown.first?.coordinator == flow
    }

    /// Calls `body` with each stack and the details of its screens: those of tabs, then those of presentations.
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

    /// The destinations that were not at the same place in `earlier`.
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

    /// The earlier stack at the place of a present one; presentations are counted after tabs.
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
