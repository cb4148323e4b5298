/// Which steps of a run had to come before which others, and which had not.
///
/// Its storage is used again from run to run.
struct HappensBefore: Sendable {
    /// Two steps next to each other in the order that came in the order they did by chance.
    struct Race: Hashable, Sendable {
        let first: Int
        let second: Int
    }

    /// The run, as an array: see `Array(copying:)`.
    private var steps: [Step] = []
    private(set) var footprints: [Footprint] = []
    /// In ascending order of the second step, then descending of the first.
    private(set) var races: [Race] = []

    /// One row of bits for each step: the steps that had to come before it.
    private var rows: [UInt64] = []
    private var words = 0

    /// Reads a run.
    /// - Complexity: The square of the number of steps.
    mutating func read(_ span: Span<Step>, _ dependency: Dependency) {
        steps.removeAll(keepingCapacity: true)
        for index in span.indices { steps.append(span[index]) }
        readFootprints()
        words = (steps.count + 63) / 64
        rows.removeAll(keepingCapacity: true)
        rows.append(contentsOf: repeatElement(0, count: words * steps.count))
        races.removeAll(keepingCapacity: true)
        for second in steps.indices {
            for first in (0..<second).reversed() where !precedes(first, second) {
                let isCaused =
                    steps[first].choice.event.task == steps[second].choice.event.task || steps[second].enabler == first
                guard isCaused || dependency.orders(footprints[first], footprints[second]) else { continue }
                if !isCaused, dependency == .executors(.priority), hasOvertaken(first, second) { continue }
                insert(first, before: second)
                if !isCaused, dependency.canReverse(footprints[first], footprints[second]) {
                    races.append(Race(first: first, second: second))
                }
            }
        }
    }

    /// Whether one step had to come before another.
    func precedes(_ first: Int, _ second: Int) -> Bool {
        rows[second * words + first / 64] & (1 << UInt64(first % 64)) != 0
    }

    /// Whether a job ran before one that was in the mailbox earlier: not because it had to, but because its enqueueing did.
    private func hasOvertaken(_ first: Int, _ second: Int) -> Bool {
        let (one, other) = (steps[first], steps[second])
        guard one.choice.executor == other.choice.executor, one.choice.executor != 0 else { return false }
        guard let early = other.enabler, let late = one.enabler else { return false }
        return early < late && one.choice.priority > other.choice.priority
    }

    private mutating func insert(_ first: Int, before second: Int) {
        for word in 0..<words { rows[second * words + word] |= rows[first * words + word] }
        rows[second * words + first / 64] |= 1 << UInt64(first % 64)
    }

    private mutating func readFootprints() {
        footprints.removeAll(keepingCapacity: true)
        for index in steps.indices {
            let step = steps[index]
            // What nobody enqueued, other than the root, was set free by time or a fault.
            let isFreed = step.enabler == nil && index > 0
            footprints.append(
                Footprint(
                    executor: step.choice.executor,
                    touched: step.touched,
                    isBarrier: step.choice.kind != .job || isFreed
                )
            )
            if let enabler = step.enabler, enabler < index {
                footprints[enabler].enqueues |= Footprint.bit(of: step.choice.executor)
            }
        }
    }
}
