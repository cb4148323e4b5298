/// Follows a schedule. At every other step, also after its end, it takes what became possible first of what is not held back.
package struct Replay: ExplorationStrategy {
    package let name = "replay"
    /// The order to follow.
    package let schedule: RunSchedule
    /// How many deviations the last run could not follow, because their step had no choice or fewer positions; 0 if the schedule fits.
    package private(set) var missed = 0

    private var next = 0
    /// What the last deviation holds back.
    private var held: RunEventID?
    /// The first step at which it does not any more.
    private var end = 0

    package init(_ schedule: RunSchedule) {
        self.schedule = schedule
    }

    package var isDivisible: Bool { true }

    package mutating func begin(seed: UInt64, length: Int) {
        next = 0
        missed = 0
        held = nil
        end = 0
    }

    package mutating func choose(among choices: Span<RunChoice>, at step: Int) -> Int {
        while next < schedule.deviations.count, schedule.deviations[next].step < step {
            next += 1
            missed += 1
        }
        guard next < schedule.deviations.count, schedule.deviations[next].step == step else {
            // A fault happens only where the schedule says so.
            guard step < end, choices.count > 1 else { return 0 }
            let first = choices[0]
            let second = choices[1]
            return first.event == held && second.kind != .fault ? 1 : 0
        }
        let deviation = schedule.deviations[next]
        next += 1
        guard deviation.position < choices.count else {
            missed += 1
            held = nil
            return 0
        }
        let first = choices[0]
        held = first.event
        let sum = step.addingReportingOverflow(deviation.count)
        end = sum.overflow ? .max : sum.partialValue
        return deviation.position
    }

    package mutating func end(_ steps: Span<RunStep>, _ accesses: RunAccesses) {
        missed += schedule.deviations.count - next
        next = schedule.deviations.count
    }
}

/// Takes what became possible first: the run with which all others are compared.
package struct FirstInFirstOut: ExplorationStrategy {
    package let name = "fifo"

    package init() {}

    package var isDivisible: Bool { true }

    package mutating func begin(seed: UInt64, length: Int) {}

    package mutating func choose(among choices: Span<RunChoice>, at step: Int) -> Int { 0 }
}

/// Takes the events in the order of another run, as far as they come up; unknown events go after known ones.
///
/// A schedule counts steps, but this strategy names events, so its order still means the same after a step was removed or moved.
package struct FollowOrder: ExplorationStrategy {
    package let name = "follow"
    private var ranks = EventTable()

    package init(_ events: some Sequence<RunEventID>) {
        for (rank, event) in events.enumerated() where ranks[event] == nil { ranks[event] = Double(rank) }
    }

    package mutating func begin(seed: UInt64, length: Int) {}

    package mutating func choose(among choices: Span<RunChoice>, at step: Int) -> Int {
        var first = 0
        var lowest = Double.infinity
        for index in choices.indices {
            if let rank = ranks[choices[index].event], rank < lowest { (first, lowest) = (index, rank) }
        }
        return first
    }
}
