internal import CInterleaving
internal import Locking

extension Simulator {
    /// A step where a fault may happen, or an executor is kept waiting by one. Something can go on.
    func stepWithFaults(_ strategy: inout any Strategy) {
        offer()
        let jobs = offered.count
        effects.removeAll(keepingCapacity: true)
        if faultsLeft > 0, !rootHasEnded {
            for (number, kind) in faults.kinds.enumerated() { offer(kind, number: UInt64(number), jobs: jobs) }
        }
        guard offered.count > 1 else { return perform(0, index: offeredIndices[0], alternatives: 1) }
        let position = choice(of: &strategy, among: offered)
        guard position >= jobs else {
            return perform(position, index: offeredIndices[position], alternatives: offered.count)
        }
        happen(effects[position - jobs], offered[position], position: position)
    }

    private func offer(_ kind: Faults.Kind, number: UInt64, jobs: Int) {
        switch kind {
        case .cancellation: offerCancellations()
        case .slowExecutor(let duration):
            for index in 0..<jobs where offered[index].executor != 0 {
                let job = offered[index]
                // Where the mailbox offers several of one executor, the first stands for them.
                let isKnown = offered[..<index].contains { $0.executor == job.executor }
                if isKnown { continue }
                // It is named by the job that has to wait: an executor has no name that holds for all runs.
                let event = EventID(task: mix(mix(job.event.task, 0x510), number), ordinal: job.event.ordinal)
                offer(
                    event,
                    job.task,
                    job.executor,
                    .hold(executor: job.executor, nanoseconds: Int64(duration.nanoseconds))
                )
            }
        case .clockJump(let durations):
            for (index, duration) in durations.enumerated() {
                let event = EventID(task: mix(mix(0xC10C, number), UInt64(index)), ordinal: UInt32(jumps))
                offer(event, 0, 0, .jump(nanoseconds: Int64(duration.nanoseconds)))
            }
        }
    }

    /// Offers each task but the root, whose end is what the run is judged by.
    private func offerCancellations() {
        for task in tasks.entries.indices.dropFirst() where !tasks.entries[task].isTimer {
            guard let object = tasks.entries[task].object ?? pendingObject(of: task),
                !RuntimeTask.isComplete(object), !RuntimeTask.isCancelled(object)
            else { continue }
            let event = EventID(task: mix(tasks.entries[task].path, 0xCA), ordinal: 0)
            offer(event, task, 0, .cancel(object))
        }
    }

    private func offer(_ event: EventID, _ task: Int, _ executor: Int, _ effect: FaultEffect) {
        offered.append(Choice(event: event, task: task, executor: executor, priority: 0, kind: .fault))
        effects.append(effect)
    }

    private func happen(_ effect: FaultEffect, _ choice: Choice, position: Int) {
        faultsLeft -= 1
        notes[log.count] = effect.note
        var place: UInt = 0
        if case .cancel(let task) = effect { place = RuntimeTask.place(of: task) }
        log.append(
            Step(choice: choice, position: position, alternatives: offered.count, enabler: nil, time: now),
            at: place
        )
        runningTask = choice.task
        switch effect {
        case .cancel(let task): RuntimeTask.cancel(task)
        case .hold(let executor, let nanoseconds):
            held.append(HeldExecutor(executor: executor, until: later(nanoseconds)))
        case .jump(let nanoseconds):
            jumps += 1
            let target = later(nanoseconds)
            while let deadline = nextDeadline(), deadline <= target { _ = advanceTime() }
            now = target
            interleaving_set_now(now)
        }
    }

    private func later(_ nanoseconds: Int64) -> Int64 {
        let sum = now.addingReportingOverflow(nanoseconds)
        return sum.overflow ? .max : sum.partialValue
    }
}
