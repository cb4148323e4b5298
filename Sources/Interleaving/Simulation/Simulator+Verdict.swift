internal import CInterleaving

/// The verdict on a run, when nothing more can happen or the limit on steps is reached.
extension Simulator {
    /// The escape of a task, if one escaped. The first time that a run comes to rest too early, it waits a little: a foreign thread may
    /// be about to resume the task.
    func escape() -> String? {
        while true {
            if let escape = Escapes.take(of: tasks) { return escape }
            // What was handed to another thread is reproached anyhow.
            guard !rootHasEnded, patience > 0, allowsForeignThreads || ForeignWork.done(log) == nil else { return nil }
            interleaving_pause(1)
            patience -= 1
            // It may have signalled a semaphore.
            if !stopped.blocked.isEmpty {
                unblock()
                if canGoOn { return nil }
            }
        }
    }

    func verdictAtRest() -> RunVerdict {
        if let failure { return .failed(failure) }
        if let misuse = interleaving_misuse().map({ String(cString: $0) }) {
            return .lostContinuation(Self.sentence(misuse), rootHasEnded ? [] : waiters())
        }
        if !rootHasEnded { return .deadlock(waiters()) }
        let leaked = allowsTaskLeaks ? [] : waiters()
        return leaked.isEmpty ? .passed : .taskLeak(leaked)
    }

    func livelockVerdict() -> RunVerdict {
        if let failure { return .failed(failure) }
        if !rootHasEnded { return .livelock(steps: log.count, look: looks.words(tasks)) }
        return allowsTaskLeaks ? .passed : .taskLeak(waiters())
    }

    /// The tasks that have not ended, in the order of their creation, without those that the runtime made for a sleep.
    private func waiters() -> [WaitingTask] {
        var found: [Int: WaitingTask] = [:]
        var open = tasks.entries.compactMap { entry in
            entry.object.flatMap { entry.isTimer || RuntimeTask.isComplete($0) ? nil : $0 }
        }
        for one in stopped.blocked where !stopped.isCancellation(one.job.fiber) && RuntimeTask.isTask(one.job.job) {
            open.append(unsafeBitCast(one.job.job, to: UnsafeRawPointer.self))
        }
        // The memory of an `async let` may be gone, unless a task waits for it.
        while let task = open.popLast() {
            guard let number = tasks.index(of: RuntimeTask.id(of: task)), found[number] == nil else { continue }
            let dependency = RuntimeTask.dependency(of: task)
            if case .task(let other) = dependency { open.append(other) }
            let blocked = stopped.blocked.first { $0.choice.task == number && !stopped.isCancellation($0.job.fiber) }
            let place = blocked.map { stopped.place(on: $0.job.fiber) } ?? RuntimeTask.place(of: task)
            waits[number] = place
            found[number] = WaitingTask(
                task: number,
                name: tasks.entries[number].name,
                function: FunctionName.at(place),
                reason: blocked.map { $0.until == nil ? Self.reason($0.isFree) : .sleep }
                    ?? dependency.reason { self.tasks.index(of: RuntimeTask.id(of: $0)) },
                holder: blocked.flatMap { stopped.task(on: interleaving_holder($0.lock)) }
            )
        }
        return found.sorted { $0.key < $1.key }.map(\.value)
    }

    private static func reason(_ isFree: StoppedJobs.LockCheck) -> WaitingTask.Reason {
        switch String(cString: interleaving_awaited(isFree)) {
        case "a semaphore": .semaphore
        case "a dispatch group": .dispatchGroup
        case "a condition": .condition
        default: .lock
        }
    }

    /// The runtime's report without its prefix and line ends.
    private static func sentence(_ report: String) -> String {
        var text = Substring(report)
        if let prefix = text.firstRange(of: "CONTINUATION MISUSE: ") { text = text[prefix.upperBound...] }
        while let last = text.last, last.isNewline { text.removeLast() }
        return String(text)
    }
}
