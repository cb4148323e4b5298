internal import Basics

/// Names the class of a run: the same for two runs that differ only in the order of independent steps.
///
/// A class is the set of its steps, each with what came right before it wherever order matters: the last step on its serial
/// executor, the step that enabled it, the last step that touched each shared thing, the last timer or fault, and the last step
/// of the task's family. A step's name includes its task. The hash is a sum over the set, so that the order of summing is irrelevant.
struct ClassHash: Sendable {
    private var lastOnExecutor: [UInt64] = []
    private var lastToucher = [UInt64](repeating: 0, count: 64)
    /// By task: its own last step, or the end of a task that it began.
    private var lastOfFamily: [UInt64] = []
    private var families = TaskFamilies()

    /// The class of a run under a relation.
    mutating func hash(_ steps: Span<RunStep>, _ dependency: StepDependency) -> UInt64 {
        lastOnExecutor.removeAll(keepingCapacity: true)
        for bit in lastToucher.indices { lastToucher[bit] = 0 }
        var sharesOutside = false
        if case .unisolated = dependency {
            sharesOutside = true
            lastOfFamily.removeAll(keepingCapacity: true)
            families.read(steps)
        }
        var lastBarrier: UInt64 = 0
        var previous: UInt64 = 0
        var sum = UInt64(truncatingIfNeeded: steps.count)
        for index in steps.indices {
            let step = steps[index]
            let event = step.choice.event.word
            var name = SplitMix.mix(event ^ lastBarrier.rotated(by: 7))
            if let enabler = step.enabler, enabler < index { name ^= steps[enabler].choice.event.word.rotated(by: 13) }
            name = SplitMix.mix(name ^ last(on: step.choice.executor, sharesOutside).rotated(by: 29))
            if step.touched != 0 { name = touch(step.touched, by: event, name) }
            if sharesOutside {
                name = SplitMix.mix(name ^ joinFamily(of: step.choice.task, event).rotated(by: 47))
                if let parent = families.parent(endedBy: index, step.choice.task) {
                    name = SplitMix.mix(name ^ joinFamily(of: parent, event).rotated(by: 53))
                }
            }
            let isBarrier = step.choice.kind != .job || step.enabler == nil && index > 0
            if isBarrier || dependency == .everything { name = SplitMix.mix(name ^ previous.rotated(by: 41)) }
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
    private mutating func joinFamily(of task: Int, _ event: UInt64) -> UInt64 {
        while lastOfFamily.count <= task { lastOfFamily.append(0) }
        let last = lastOfFamily[task]
        lastOfFamily[task] = event
        return last
    }

    private mutating func touch(_ touched: UInt64, by event: UInt64, _ name: UInt64) -> UInt64 {
        var name = name
        var rest = touched
        while rest != 0 {
            let bit = rest.trailingZeroBitCount
            rest &= rest - 1
            name = SplitMix.mix(name ^ lastToucher[bit])
            lastToucher[bit] = event
        }
        return name
    }
}

extension UInt64 {
    fileprivate func rotated(by bits: UInt64) -> UInt64 {
        self << bits | self >> (64 - bits)
    }
}

/// The class of a run: the same for two runs that differ only in the order of independent steps.
package func classHash(of steps: [RunStep], under dependency: StepDependency) -> UInt64 {
    var hash = ClassHash()
    return hash.hash(steps.elements, dependency)
}
