extension ShrinkSearch {
    /// Leaves out deviations, by their places and by the names of what they moved, until neither makes fewer.
    mutating func leaveOutDeviations() throws(E) {
        var count: Int
        repeat {
            count = schedule.deviations.count
            try leaveOutByPlace()
            try leaveOutByName()
        } while schedule.deviations.count < count && hasBudget
    }

    private mutating func leaveOutByPlace() throws(E) {
        var search = self
        _ = try deltaDebug(schedule.deviations) { (rest: [Deviation]) throws(E) -> [Deviation]? in
            guard let trial = try search.failing(Replay(Schedule(rest))) else { return nil }
            let left = Schedule(following: trial.steps).deviations
            guard left.count < search.schedule.deviations.count else { return nil }
            search.accept(trial)
            return left
        }
        self = search
    }

    /// Of each deviation, latest first, lets what came first happen first, and what follows in the order it had: leaving it out
    /// by its place would move everything after it.
    private mutating func leaveOutByName() throws(E) {
        var index = schedule.deviations.count - 1
        while index >= 0, hasBudget {
            let deviations = schedule.deviations
            let step = deviations[index].step
            // Up to there the first deviations, and then as before: what should have come first is the first that the order
            // does not hold back.
            guard let plain = try attempt(Replay(Schedule(Array(deviations[..<index]))), without: deleted) else {
                return
            }
            index -= 1
            guard step < plain.steps.count else { continue }
            var order = best.steps.map(\.choice.event)
            order.insert(plain.steps[step].choice.event, at: step)
            guard let trial = try failing(FollowOrder(order)) else { continue }
            if Schedule(following: trial.steps).deviations.count < deviations.count {
                accept(trial)
                index = min(index, schedule.deviations.count - 1)
            }
        }
    }

    /// Tries every schedule with fewer deviations, fewest first, and of those with as many the first that fails.
    /// - Returns: Whether all with fewer were tried, so that what is left is a minimum.
    mutating func tryFewerDeviations() throws(E) -> Bool {
        let count = schedule.deviations.count
        guard count > 0 else { return true }
        guard let plain = try attempt(FirstInFirstOut(), without: deleted) else { return false }
        if plain.failure == kind {
            accept(plain)
            return true
        }
        var level = [TriedSchedule(deviations: [], steps: plain.steps)]
        for depth in 1...count {
            var next: [TriedSchedule] = []
            for deviations in level.lazy.flatMap({ $0.withOneMore() }) {
                guard let trial = try attempt(Replay(Schedule(deviations)), without: deleted) else {
                    return depth == count
                }
                if trial.failure == kind {
                    accept(trial)
                    return true
                }
                if depth < count { next.append(TriedSchedule(deviations: deviations, steps: trial.steps)) }
            }
            level = next
        }
        return true
    }

    /// Orders independent steps so that a task goes on as long as it can, where that still fails with no more deviations.
    mutating func normalize() throws(E) {
        var order = HappensBefore()
        order.read(best.steps.span, dependency)
        var events: [EventID] = []
        var rest = Array(best.steps.indices)
        var task: UInt64?
        while !rest.isEmpty {
            // A step can come next if nothing that is left has to come before it. The first that is left always can.
            func isReady(_ step: Int) -> Bool { !rest.contains { $0 < step && order.precedes($0, step) } }
            let next =
                rest.firstIndex { best.steps[$0].choice.event.task == task && isReady($0) } ?? rest.startIndex
            let step = best.steps[rest.remove(at: next)]
            task = step.choice.event.task
            events.append(step.choice.event)
        }
        limit += 1
        guard let trial = try failing(FollowOrder(events)) else { return }
        let deviations = Schedule(following: trial.steps).deviations.count
        if deviations <= schedule.deviations.count, Self.switches(trial.steps) < Self.switches(best.steps) {
            accept(trial)
        }
    }

    /// How often another task goes on.
    private static func switches(_ steps: [Step]) -> Int {
        zip(steps, steps.dropFirst()).count { $0.choice.event.task != $1.choice.event.task }
    }
}

/// A schedule that passes, and how many choices each step of it had.
private struct TriedSchedule {
    let deviations: [Deviation]
    let alternatives: [Int]

    init(deviations: [Deviation], steps: [Step]) {
        self.deviations = deviations
        alternatives = steps.map(\.alternatives)
    }

    /// Each schedule with one deviation more, after those it has.
    func withOneMore() -> [[Deviation]] {
        let first = deviations.last.map { $0.step + 1 } ?? 0
        return (first..<max(first, alternatives.count)).flatMap { step in
            (1..<max(1, alternatives[step])).map { deviations + [Deviation(step: step, position: $0)] }
        }
    }
}
