internal import Basics

/// Names the class of a run: the same for two runs that differ only in the order of independent steps.
///
/// A class is the set of its steps, each with what came right before it wherever order matters: the last step on its serial
/// executor, the step that enabled it, the last steps that did something else with the objects of its accesses, and the last timer or fault, which has all before it. A step's name includes its task. The hash is a sum over the set, so that the order of summing is irrelevant.
struct ClassHash: Sendable {
    private var lastOnExecutor: [UInt64] = []
    /// By object: the last step that wrote it, and the sums of those that read it and added to it since.
    private var lastAccesses: [UInt64: (write: UInt64, reads: UInt64, additions: UInt64)] = [:]
    /// By task, where ends of tasks are ordered: its own last step, or the end of a task that it began.
    private var lastOfFamily: [UInt64] = []
    private var families = TaskFamilies()

    /// The class of a run under a relation.
    mutating func hash(_ steps: Span<RunStep>, _ accesses: RunAccesses, _ dependency: StepDependency) -> UInt64 {
        lastOnExecutor.removeAll(keepingCapacity: true)
        if !lastAccesses.isEmpty { lastAccesses.removeAll(keepingCapacity: true) }
        let sharesOutside = if case .unisolated = dependency { true } else { false }
        let additionsEnable = if case .reported = dependency { true } else { false }
        let ends = dependency.endOfTask
        if ends != nil {
            lastOfFamily.removeAll(keepingCapacity: true)
            families.read(steps, dependency.awaited(accesses))
        }
        var lastBarrier: UInt64 = 0
        var previous: UInt64 = 0
        var sum = UInt64(truncatingIfNeeded: steps.count)
        for index in steps.indices {
            let step = steps[index]
            let event = step.choice.event.word
            var name = SplitMix.mix(event ^ lastBarrier.rotated(by: 7))
            // Where additions commute, any of those who add may be the last, and enable who waits for all.
            if !additionsEnable, let enabler = step.enabler, enabler < index {
                name ^= steps[enabler].choice.event.word.rotated(by: 13)
            }
            name = SplitMix.mix(name ^ last(on: step.choice.executor, sharesOutside).rotated(by: 29))
            if !accesses.isEmpty { for access in accesses[index] { name = note(access, by: event, name) } }
            if ends == .write {
                // Each is ordered with all others, so the last one says it.
                name = SplitMix.mix(name ^ joinFamily(of: step.choice.task, event).rotated(by: 47))
                if let parent = families.parent(endedBy: index, step.choice.task) {
                    name = SplitMix.mix(name ^ joinFamily(of: parent, event).rotated(by: 53))
                }
            } else if let ends {
                families.forEachAccess(of: step.choice.task, at: index, ends) { name = note($0, by: event, name) }
            }
            let isBarrier = dependency.isBarrier(step, after: index > 0 ? steps[index - 1] : nil)
            if isBarrier {
                // All that came before, in whichever order.
                name = SplitMix.mix(name ^ sum.rotated(by: 37))
            } else if dependency == .everything {
                name = SplitMix.mix(name ^ previous.rotated(by: 41))
            }
            if isBarrier { lastBarrier = event }
            lastOnExecutor[step.choice.executor] = event
            previous = event
            sum &+= SplitMix.mix(name)
        }
        return SplitMix.mix(sum)
    }

    /// The last step on an executor. Steps on no executor count only where the dependency orders them.
    private mutating func last(on executor: Int, _ sharesOutside: Bool) -> UInt64 {
        while lastOnExecutor.count <= executor { lastOnExecutor.append(0) }
        return executor > 0 || sharesOutside ? lastOnExecutor[executor] : 0
    }

    /// What came before an event among the task's own steps and the ends of the tasks it began.
    @inline(__always)
    private mutating func joinFamily(of task: Int, _ event: UInt64) -> UInt64 {
        while lastOfFamily.count <= task { lastOfFamily.append(0) }
        let last = lastOfFamily[task]
        lastOfFamily[task] = event
        return last
    }

    /// What came before an access that it could not swap places with.
    private mutating func note(_ access: RunAccess, by event: UInt64, _ name: UInt64) -> UInt64 {
        var last = lastAccesses[access.object] ?? (0, 0, 0)
        defer { lastAccesses[access.object] = last }
        switch access.kind {
        case .read:
            last.reads &+= SplitMix.mix(event)
            return SplitMix.mix(name ^ mix(last.write, last.additions))
        case .addition:
            last.additions &+= SplitMix.mix(event)
            return SplitMix.mix(name ^ mix(last.write, last.reads))
        case .write:
            defer { last = (event, 0, 0) }
            return SplitMix.mix(name ^ mix(last.write, mix(last.reads, last.additions)))
        }
    }
}

extension UInt64 {
    fileprivate func rotated(by bits: UInt64) -> UInt64 {
        self << bits | self >> (64 - bits)
    }
}

/// The class of a run: the same for two runs that differ only in the order of independent steps.
package func classHash(
    of steps: [RunStep],
    _ accesses: RunAccesses = RunAccesses(),
    under dependency: StepDependency
) -> UInt64 {
    var hash = ClassHash()
    return hash.hash(steps.elements, accesses, dependency)
}
