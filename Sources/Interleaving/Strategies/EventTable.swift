/// Numbers by event, with open addressing: looked up at each step of a run, where a dictionary's hash would take most of the
/// time.
struct EventTable: Hashable, Sendable {
    private struct Slot: Hashable, Sendable {
        var event: EventID
        var value: Double
    }

    private var slots: [Slot?] = Array(repeating: nil, count: 64)
    private(set) var count = 0

    subscript(event: EventID) -> Double? {
        get { slots[slot(of: event)]?.value }
        set {
            guard let newValue else { return }
            if count * 2 >= slots.count { grow() }
            let index = slot(of: event)
            if slots[index] == nil { count += 1 }
            slots[index] = Slot(event: event, value: newValue)
        }
    }

    /// Where the event is, or would be put. There is always an empty slot, so the search ends.
    private func slot(of event: EventID) -> Int {
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
