/// Follows a schedule. Where it says nothing, also after its end, what became possible first happens first.
public struct Replay: Strategy {
    public let name = "replay"
    public let schedule: Schedule
    /// How many deviations of the last run could not be followed, because there was no choice at their step or none at their
    /// position: 0 if the schedule belongs to what ran.
    public private(set) var missed = 0

    private var next = 0

    public init(_ schedule: Schedule) {
        self.schedule = schedule
    }

    public var isDivisible: Bool { true }

    public mutating func begin(seed: UInt64, length: Int) {
        next = 0
        missed = 0
    }

    public mutating func choose(among choices: Span<Choice>, at step: Int) -> Int {
        while next < schedule.deviations.count, schedule.deviations[next].step < step {
            next += 1
            missed += 1
        }
        guard next < schedule.deviations.count, schedule.deviations[next].step == step else { return 0 }
        let position = schedule.deviations[next].position
        next += 1
        guard position < choices.count else {
            missed += 1
            return 0
        }
        return position
    }

    public mutating func end(_ steps: Span<Step>) {
        missed += schedule.deviations.count - next
        next = schedule.deviations.count
    }
}
