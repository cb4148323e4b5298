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
        /// The epoch since which it is shown there; `nil` in records of older versions.
        package var since: Int?
        /// Whether it goes when the user leaves.
        package var isPersonal: Bool
        /// Whether it was shown like this to a user who has left, if that is known; not in the record.
        var isLeft: Bool? = false
        /// Whether it may be directly above itself in a stack.
        package var repeats: Bool
    }

    /// Whether all of it certainly belongs to nobody who has left.
    var isOfNobodyWhoLeft: Bool { shown.allSatisfy { $0.isLeft == false } }

    /// The flows that own something here, once for each destination.
    var owners: some Sequence<String> { shown.lazy.map(\.coordinator) }

    /// Whether the flow owns something here.
    func isOwner(_ flow: String) -> Bool { shown.contains { $0.coordinator == flow } }

    /// The presentation that has the destination at this place of ``shown``; `nil` for one on a tab.
    func modal(at place: Int) -> Int? {
        var rest = place - layout.tabs.reduce(0) { $0 + $1.stack.count }
        guard rest >= 0 else { return nil }
        return layout.modals.firstIndex { modal in
            rest -= modal.stack.count
            return rest < 0
        }
    }

    /// Whether the destination at this place of ``shown`` is in the presentation of a flow, which is its user's if she has begun
    /// it or gone on with it.
    func isOfPresentedFlow(_ place: Int) -> Bool { modal(at: place).map { layout.modals[$0].flow != nil } ?? false }

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
    func added(since earlier: HistoryWindow?) -> [(destination: Destination, shown: Shown)] {
        var added: [(destination: Destination, shown: Shown)] = []
        compare(with: earlier) { destination, shown, before in
            if before == nil { added.append((destination, shown)) }
        }
        return added
    }

    /// Calls `body` with each destination, its details, and the details of the same one at the same place in `earlier`.
    func compare(
        with earlier: HistoryWindow?,
        _ body: (_ destination: Destination, _ shown: Shown, _ before: Shown?) -> Void
    ) {
        var old: [(stack: [Destination], shown: ArraySlice<Shown>)] = []
        earlier?.forEachStack { old.append(($0, $1)) }
        var place = 0
        forEachStack { stack, shown in
            let before = earlier.flatMap { placeBefore(place, $0) }.map { old[$0] }
            place += 1
            for (depth, (destination, shown)) in zip(stack, shown).enumerated() {
                guard let before, depth < before.stack.count, before.stack[depth] == destination else {
                    body(destination, shown, nil)
                    continue
                }
                body(destination, shown, before.shown.dropFirst(depth).first)
            }
        }
    }

    /// The place among the earlier stacks of a present one; presentations are counted after tabs.
    private func placeBefore(_ place: Int, _ earlier: HistoryWindow) -> Int? {
        let (tabs, earlierTabs) = (layout.tabs, earlier.layout.tabs)
        guard place >= tabs.count else {
            // Nearly always the tabs are the same.
            if place < earlierTabs.count, earlierTabs[place].id == tabs[place].id { return place }
            return earlierTabs.firstIndex { $0.id == tabs[place].id }
        }
        let index = place - tabs.count
        guard earlier.layout.modals.indices.contains(index),
            earlier.layout.modals[index].flow == layout.modals[index].flow
        else { return nil }
        return earlierTabs.count + index
    }
}
