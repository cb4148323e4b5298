internal import CInterleaving
internal import Basics

extension Simulator {
    /// A step at which a fault may happen, or at which a fault pauses an executor. Some job can run.
    func stepWithFaults(_ strategy: inout any ExplorationStrategy) {
        offer()
        let jobs = offered.count
        effects.removeAll(keepingCapacity: true)
        if faultsLeft > 0, !rootHasEnded {
            for (number, kind) in faults.kinds.enumerated() { offer(kind, number: UInt64(number), jobs: jobs) }
        }
        guard offered.count > 1 else { return perform(0, index: offeredIndices[0], alternatives: 1) }
        let position = choice(of: &strategy, among: offered)
        guard position >= jobs else {
            return perform(
                position,
                index: offeredIndices[position],
                alternatives: offered.count,
                first: offered[0].event
            )
        }
        happen(effects[position - jobs], offered[position], position: position)
    }

    private func offer(_ kind: SimulatedFaults.Kind, number: UInt64, jobs: Int) {
        switch kind {
        case .cancellation: offerCancellations()
        case .slowExecutor(let duration):
            for index in 0..<jobs where offered[index].executor != 0 {
                let job = offered[index]
                // If the mailbox offers several jobs of one executor, the first stands for them.
                let isKnown = offered[..<index].contains { $0.executor == job.executor }
                if isKnown { continue }
                // The fault is named after the job that has to wait: an executor has no name that is the same in all runs.
                let event = RunEventID(task: mix(mix(job.event.task, 0x510), number), ordinal: job.event.ordinal)
                offer(
                    event,
                    job.task,
                    job.executor,
                    .hold(executor: job.executor, nanoseconds: Int64(duration.nanoseconds))
                )
            }
        case .clockJump(let durations):
            for (index, duration) in durations.enumerated() {
                let event = RunEventID(task: mix(mix(0xC10C, number), UInt64(index)), ordinal: UInt32(jumps))
                offer(event, 0, 0, .jump(nanoseconds: Int64(duration.nanoseconds)))
            }
        }
    }

    /// Offers the cancellation of each task but the root, because the run is judged by the root's end.
    private func offerCancellations() {
        for task in tasks.entries.indices.dropFirst() where !tasks.entries[task].isTimer {
            guard let object = tasks.entries[task].object ?? pendingObject(of: task),
                !RuntimeTask.isComplete(object), !RuntimeTask.isCancelled(object)
            else { continue }
            let event = RunEventID(task: mix(tasks.entries[task].path, 0xCA), ordinal: 0)
            offer(event, task, 0, .cancel(object))
        }
    }

    private func offer(_ event: RunEventID, _ task: Int, _ executor: Int, _ effect: FaultEffect) {
        offered.append(RunChoice(event: event, task: task, executor: executor, priority: 0, kind: .fault))
        effects.append(effect)
    }

    private func happen(_ effect: FaultEffect, _ choice: RunChoice, position: Int) {
        faultsLeft -= 1
        notes[log.count] = effect.note
        var place: UInt = 0
        if case .cancel(let task) = effect { place = RuntimeTask.place(of: task) }
        log.append(
            RunStep(
                choice: choice,
                position: position,
                alternatives: offered.count,
                enabler: nil,
                time: now,
                passedOver: position > 0 ? offered[0].event : nil
            ),
            at: place
        )
        runningTask = choice.task
        switch effect {
        case .cancel(let task): stopped.isPossible ? begin(.cancellation(task), choice) : RuntimeTask.cancel(task)
        case .hold(let executor, let nanoseconds):
            held.append(HeldExecutor(executor: executor, until: later(nanoseconds)))
        case .jump(let nanoseconds):
            jumps += 1
            pass(nanoseconds)
        }
    }

    private func later(_ nanoseconds: Int64) -> Int64 {
        let sum = now.addingReportingOverflow(nanoseconds)
        return sum.overflow ? .max : sum.partialValue
    }
}

/// The effect of a fault.
enum FaultEffect {
    case cancel(UnsafeRawPointer)
    case hold(executor: Int, nanoseconds: Int64)
    case jump(nanoseconds: Int64)

    /// The words for reports.
    var note: String {
        switch self {
        case .cancel: "is cancelled"
        case .hold(_, let nanoseconds): "is kept waiting for \(Duration.nanoseconds(nanoseconds))"
        case .jump(let nanoseconds): "the clocks jump by \(Duration.nanoseconds(nanoseconds))"
        }
    }
}

/// A serial executor that a fault pauses.
struct HeldExecutor {
    let executor: Int
    /// When it goes on, in nanoseconds of virtual time.
    let until: Int64
}
