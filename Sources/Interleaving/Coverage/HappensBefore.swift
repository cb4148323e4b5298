internal import Basics

/// The order that the steps of a run had to have, and the races: pairs whose order was chance.
///
/// Its storage is reused from run to run.
struct HappensBefore: Sendable {
    /// The most steps of a run that it is asked about where a person waits: more would take minutes, and hundreds of megabytes.
    static let mostSteps = 2_000

    /// Two dependent steps whose order was chance, with nothing that had to come between them.
    struct Race: Hashable, Sendable {
        let first: Int
        let second: Int
    }

    private(set) var footprints: [StepFootprint] = []
    /// In ascending order of the second step, then descending of the first.
    private(set) var races: [Race] = []

    /// One row of bits for each step: the steps that had to come before it.
    private var rows: [UInt64] = []
    private var words = 0
    private var families = TaskFamilies()

    /// What steps did with mailboxes, each with the index of what the same step did before; -1 for nothing.
    private var mailboxUses: [(access: RunAccess, previous: Int)] = []
    /// By step: the index of the last of these.
    private var lastMailboxUse: [Int] = []
    /// What the step that is read did.
    private var accessesOfStep: [RunAccess] = []

    /// Reads a run.
    /// - Complexity: The square of the number of steps.
    mutating func read(_ steps: Span<RunStep>, _ accesses: RunAccesses, _ dependency: StepDependency) {
        readFootprints(of: steps, accesses, dependency)
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

    /// How many steps had to come before one.
    func predecessors(of step: Int) -> Int {
        rows[step * words..<(step + 1) * words].reduce(0) { $0 + $1.nonzeroBitCount }
    }

    /// Whether a job of higher priority overtook one that was enqueued earlier. Their order follows from the order of enqueueing.
    private func hasOvertaken(_ first: RunStep, _ second: RunStep) -> Bool {
        guard first.choice.executor == second.choice.executor, first.choice.executor != 0 else { return false }
        guard let early = second.enabler, let late = first.enabler else { return false }
        return early < late && first.choice.priority > second.choice.priority
    }

    private mutating func insert(_ first: Int, before second: Int) {
        for word in 0..<words { rows[second * words + word] |= rows[first * words + word] }
        rows[second * words + first / 64] |= 1 << UInt64(first % 64)
    }

    private mutating func readFootprints(
        of steps: Span<RunStep>,
        _ accesses: RunAccesses,
        _ dependency: StepDependency
    ) {
        if dependency.endOfTask != nil { families.read(steps, dependency.awaited(accesses)) }
        // What a step did with mailboxes is known from the jobs that it enqueued, which come later.
        mailboxUses.removeAll(keepingCapacity: true)
        lastMailboxUse.removeAll(keepingCapacity: true)
        for index in steps.indices {
            lastMailboxUse.append(-1)
            let executor = accesses.name(ofExecutor: steps[index].choice.executor)
            if let access = dependency.running(on: executor) { noteMailbox(access, at: index) }
            if let enabler = steps[index].enabler, enabler < index,
                let access = dependency.enqueueing(on: executor)
            {
                noteMailbox(access, at: enabler)
            }
        }
        // Most steps are those of the run before, in a search that goes back as little as it can.
        if footprints.count > steps.count { footprints.removeLast(footprints.count - steps.count) }
        for index in steps.indices {
            let step = steps[index]
            accessesOfStep.removeAll(keepingCapacity: true)
            var use = lastMailboxUse[index]
            while use >= 0 {
                accessesOfStep.append(mailboxUses[use].access)
                use = mailboxUses[use].previous
            }
            if let ends = dependency.endOfTask {
                families.forEachAccess(of: step.choice.task, at: index, ends) { accessesOfStep.append($0) }
            }
            accesses.appendAccesses(of: index, to: &accessesOfStep)
            accessesOfStep.joinByObject()
            if index == footprints.count { footprints.append(StepFootprint()) }
            footprints[index].executor = accesses.name(ofExecutor: step.choice.executor)
            footprints[index].isBarrier = dependency.isBarrier(step, after: index > 0 ? steps[index - 1] : nil)
            footprints[index].setAccesses(accessesOfStep)
        }
    }

    private mutating func noteMailbox(_ access: RunAccess, at step: Int) {
        mailboxUses.append((access, lastMailboxUse[step]))
        lastMailboxUse[step] = mailboxUses.count - 1
    }
}

/// The parent of each task of a run, and the last step of each.
struct TaskFamilies: Sendable {
    /// By the number of a task: the task that began it, or -1.
    private var parents: [Int] = []
    /// By the number of a task: its last step, or -1.
    private var lasts: [Int] = []
    /// By the number of a task: the name of its event, the same in every run, if it has children; else 0.
    private var families: [UInt64] = []

    /// - Parameter accesses: Say which tasks others may wait for; `nil` is all.
    mutating func read(_ steps: Span<RunStep>, _ accesses: RunAccesses?) {
        parents.removeAll(keepingCapacity: true)
        lasts.removeAll(keepingCapacity: true)
        families.removeAll(keepingCapacity: true)
        for index in steps.indices {
            let step = steps[index]
            let task = step.choice.task
            while lasts.count <= task {
                lasts.append(-1)
                parents.append(-1)
                families.append(0)
            }
            if lasts[task] < 0, let enabler = step.enabler, enabler < index,
                accesses?.isAwaited(task) ?? true
            {
                let parent = steps[enabler].choice
                parents[task] = parent.task
                families[parent.task] = mix(parent.event.task, 0xFA)
            }
            lasts[task] = index
        }
    }

    /// The parent of a task that may wait for its end, if the task ended with this step.
    func parent(endedBy step: Int, _ task: Int) -> Int? {
        lasts[task] == step && parents[task] >= 0 ? parents[task] : nil
    }

    /// What a step does with the ends of tasks: each task looks at those of its children, and ends for its parent.
    /// - Parameter ends: What the end of a task is for its parent's other children.
    @inline(__always)
    func forEachAccess(of task: Int, at step: Int, _ ends: SharedAccess, _ body: (RunAccess) -> Void) {
        // The order of a group's results, and whether its parent has to wait for them.
        if let parent = parent(endedBy: step, task) { body(RunAccess(families[parent], ends)) }
        if families[task] != 0 { body(RunAccess(families[task], .read)) }
    }
}
