/// A hash table from events to numbers, with open addressing. It is read at each step of a run, where hashing by `Dictionary` would take
/// most of the time.
struct EventTable: Hashable, Sendable {
    private struct Slot: Hashable, Sendable {
        var event: RunEventID
        var value: Double
    }

    private var slots: [Slot?] = Array(repeating: nil, count: 64)
    private(set) var count = 0

    subscript(event: RunEventID) -> Double? {
        get { slots[slot(of: event)]?.value }
        set {
            guard let newValue else { return }
            if count * 2 >= slots.count { grow() }
            let index = slot(of: event)
            if slots[index] == nil { count += 1 }
            slots[index] = Slot(event: event, value: newValue)
        }
    }

    /// The slot of an event, or the empty slot where it would go. There is always an empty slot, so the search ends.
    private func slot(of event: RunEventID) -> Int {
        let mask = slots.count - 1
        var index = Int(truncatingIfNeeded: event.word) & mask
        while let slot = slots[index], slot.event != event { index = (index + 1) & mask }
        return index
    }

    private mutating func grow() {
        let old = slots
        slots = Array(repeating: nil, count: old.count * 2)
        for case let slot? in old { slots[self.slot(of: slot.event)] = slot }
    }
}
