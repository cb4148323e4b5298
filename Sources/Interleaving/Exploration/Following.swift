/// Follows a schedule as far as it fits: where it asks for more than there is, and after its end, the run is first-in-first-out.
struct Following: Strategy {
    private let deviations: [Deviation]
    private var next = 0

    init(_ schedule: Schedule) {
        deviations = schedule.deviations
    }

    var name: String { deviations.isEmpty ? "fifo" : "replay" }

    mutating func begin(seed: UInt64, length: Int) {
        next = 0
    }

    mutating func choose(among choices: Span<Choice>, at step: Int) -> Int {
        while next < deviations.count, deviations[next].step < step { next += 1 }
        guard next < deviations.count, deviations[next].step == step, deviations[next].position < choices.count else {
            return 0
        }
        return deviations[next].position
    }
}
