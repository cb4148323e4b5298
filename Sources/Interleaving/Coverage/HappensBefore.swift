/// Which steps of a run had to come before which others, and which had not.
///
/// Its storage is used again from run to run.
struct HappensBefore: Sendable {
    /// Two steps next to each other in the order that came in the order they did by chance.
    struct Race: Hashable, Sendable {
        let first: Int
        let second: Int
    }

    private(set) var footprints: [Footprint] = []
    /// In ascending order of the second step, then descending of the first.
    private(set) var races: [Race] = []

    /// One row of bits for each step: the steps that had to come before it.
    private var rows: [UInt64] = []
    private var words = 0
    private var families = TaskFamilies()

    /// Reads a run.
    /// - Complexity: The square of the number of steps.
    mutating func read(_ steps: Span<Step>, _ dependency: Dependency) {
        readFootprints(of: steps)
        words = (steps.count + 63) / 64
        rows.removeAll(keepingCapacity: true)
        rows.append(contentsOf: repeatElement(0, count: words * steps.count))
        races.removeAll(keepingCapacity: true)
        for second in steps.indices {
            let later = steps[second]
            for first in (0..<second).reversed() {
                if precedes(first, second) { continue }
                let earlier = steps[first]
                let isCaused = earlier.choice.event.task == later.choice.event.task || later.enabler == first
                if !isCaused {
                    guard dependency.orders(footprints[first], footprints[second]) else { continue }
                    if dependency.mailboxes == .priority, hasOvertaken(earlier, later) { continue }
                    if dependency.canReverse(footprints[first], footprints[second]) {
                        races.append(Race(first: first, second: second))
                    }
                }
                insert(first, before: second)
            }
        }
    }

    /// Whether one step had to come before another.
    func precedes(_ first: Int, _ second: Int) -> Bool {
        rows[second * words + first / 64] & (1 << UInt64(first % 64)) != 0
    }

    /// Whether a job ran before one that was in the mailbox earlier: not because it had to, but because its enqueueing did.
    private func hasOvertaken(_ first: Step, _ second: Step) -> Bool {
        guard first.choice.executor == second.choice.executor, first.choice.executor != 0 else { return false }
        guard let early = second.enabler, let late = first.enabler else { return false }
        return early < late && first.choice.priority > second.choice.priority
    }

    private mutating func insert(_ first: Int, before second: Int) {
        for word in 0..<words { rows[second * words + word] |= rows[first * words + word] }
        rows[second * words + first / 64] |= 1 << UInt64(first % 64)
    }

    private mutating func readFootprints(of steps: Span<Step>) {
        footprints.removeAll(keepingCapacity: true)
        families.read(steps)
        for index in steps.indices {
            let step = steps[index]
            // What nobody enqueued, other than the root, was set free by time or a fault.
            let isFreed = step.enabler == nil && index > 0
            footprints.append(
                Footprint(
                    executor: step.choice.executor,
                    touched: step.touched,
                    task: 1 << UInt64(step.choice.task & 63),
                    endsFor: families.parent(endedBy: index, step.choice.task).map { 1 << UInt64($0 & 63) } ?? 0,
                    isBarrier: step.choice.kind != .job || isFreed
                )
            )
            if let enabler = step.enabler, enabler < index {
                footprints[enabler].enqueues |= Footprint.bit(of: step.choice.executor)
            }
        }
    }
}
