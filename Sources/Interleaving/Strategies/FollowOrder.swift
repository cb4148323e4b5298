/// Takes the events in an order that another run had them in, as far as they come up; an event that it does not know goes
/// after those it knows.
///
/// Where a schedule counts steps, this names events, so it still means the same after a step was taken out or moved.
public struct FollowOrder: Strategy {
    public let name = "follow"
    private var ranks = EventTable()

    public init(_ events: some Sequence<EventID>) {
        for (rank, event) in events.enumerated() where ranks[event] == nil { ranks[event] = Double(rank) }
    }

    public mutating func begin(seed: UInt64, length: Int) {}

    public mutating func choose(among choices: Span<Choice>, at step: Int) -> Int {
        var first = 0
        var lowest = Double.infinity
        for index in choices.indices {
            if let rank = ranks[choices[index].event], rank < lowest { (first, lowest) = (index, rank) }
        }
        return first
    }
}
