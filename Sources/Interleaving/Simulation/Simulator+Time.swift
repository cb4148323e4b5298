internal import CInterleaving

/// Virtual time, which goes on only when nothing else can.
extension Simulator {
    /// Moves time to the next deadline and makes what waits for it possible.
    /// - Returns: Whether there was one.
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
        return true
    }

    /// When time sets something free next.
    func nextDeadline() -> Int64? {
        let first = timers.lazy.map(\.deadline).min()
        guard let until = held.lazy.map(\.until).min() else { return first }
        return min(first ?? .max, until)
    }

    /// Lets the executors go on whose time of waiting is over.
    func letGo(at time: Int64) {
        held.removeAll { hold in
            guard hold.until <= time else { return false }
            // From here on it is time that set the jobs free, not who enqueued them.
            for index in choices.indices where choices[index].executor == hold.executor { pending[index].enabler = -1 }
            return true
        }
    }
}
