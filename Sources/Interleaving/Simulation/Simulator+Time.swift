internal import CInterleaving

/// Virtual time, which advances when nothing else can happen, and by what steps take.
extension Simulator {
    /// Advances time to the next deadline, and enables what waits for it.
    /// - Returns: Whether there was a deadline.
    func advanceTime() -> Bool {
        guard let deadline = nextDeadline() else { return false }
        now = max(now, deadline)
        interleaving_set_now(now)
        timers.removeAll { timer in
            guard timer.deadline == deadline else { return false }
            add(timer.choice, Pending(job: timer.job, target: .generic, enabler: -1))
            return true
        }
        if !held.isEmpty { letGo(at: now) }
        if !stopped.blocked.isEmpty { unblock(byTime: true) }
        return true
    }

    /// Lets time go by, and enables what waits for a time until then.
    func pass(_ nanoseconds: Int64) {
        let sum = now.addingReportingOverflow(nanoseconds)
        let target = sum.overflow ? .max : sum.partialValue
        while let deadline = nextDeadline(), deadline <= target { _ = advanceTime() }
        now = target
        interleaving_set_now(now)
    }

    /// The next time at which a sleep or a pause ends.
    func nextDeadline() -> Int64? {
        var first = timers.lazy.map(\.deadline).min()
        if let until = held.lazy.map(\.until).min() { first = min(first ?? .max, until) }
        if let until = stopped.blocked.lazy.compactMap(\.until).min() { first = min(first ?? .max, until) }
        return first
    }

    /// Lets what runs sleep, as its thread would. Where it can be left, others go on meanwhile; else time only goes by. What makes a global
    /// variable takes no time, because only one run of the process makes it.
    /// - Parameters:
    ///   - moment: What the function takes that says whether the sleep is over.
    ///   - deadline: When that is, in nanoseconds after the run began.
    ///   - place: The address at which it goes on.
    func sleep(_ moment: UnsafeRawPointer, until deadline: Int64, _ isOver: StoppedJobs.LockCheck, at place: UInt) {
        stopped.hadTimers = true
        let fiber = interleaving_fiber()
        if interleaving_makes_global() {
            stopped.wereLate = true
        } else if fiber < 0 || isCleaningUp {
            pass(max(0, deadline - now))
            if isCleaningUp { endSleeping(fiber) }
        } else {
            wait(for: moment, isOver, at: place, until: deadline)
        }
    }

    /// Ends the pauses that are over at a time.
    func letGo(at time: Int64) {
        held.removeAll { hold in
            guard hold.until <= time else { return false }
            // From here on, time has enabled the jobs, not the steps that enqueued them.
            for index in choices.indices where choices[index].executor == hold.executor { pending[index].enabler = -1 }
            return true
        }
    }
}
