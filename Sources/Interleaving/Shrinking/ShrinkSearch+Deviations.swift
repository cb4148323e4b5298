internal import Basics

extension ShrinkSearch {
    /// Leaves out deviations, by their steps and by the events that they moved, until neither helps.
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
        _ = try deltaDebug(schedule.deviations) { (rest: [RunDeviation]) throws(E) -> [RunDeviation]? in
            guard let trial = try search.failing(Replay(RunSchedule(rest))) else { return nil }
            let left = RunSchedule(following: trial.steps).deviations
            guard left.count < search.schedule.deviations.count else { return nil }
            search.accept(trial)
            return left
        }
        self = search
    }

    /// Undoes each deviation, latest first: the first choice happens, and all events after it keep their order. Leaving out only the
    /// deviation would move everything after it.
    private mutating func leaveOutByName() throws(E) {
        var index = schedule.deviations.count - 1
        while index >= 0, hasBudget {
            let deviations = schedule.deviations
            let step = deviations[index].step
            // The run with only the deviations before this one shows which event the first choice is.
            guard let plain = try attempt(Replay(RunSchedule(Array(deviations[..<index]))), without: deleted) else {
                return
            }
            index -= 1
            guard step < plain.steps.count else { continue }
            var order = best.steps.map(\.choice.event)
            order.insert(plain.steps[step].choice.event, at: step)
            guard let trial = try failing(FollowOrder(order)) else { continue }
            if RunSchedule(following: trial.steps).deviations.count < deviations.count {
                accept(trial)
                index = min(index, schedule.deviations.count - 1)
            }
        }
    }

    /// Tries every schedule with fewer deviations, fewest first, then those with as many, until one fails.
    /// - Returns: Whether all schedules with fewer deviations were tried, so that the result is a minimum.
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
                guard let trial = try attempt(Replay(RunSchedule(deviations)), without: deleted) else {
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

    /// Reorders independent steps so that each task goes on as long as it can, if the run still fails with no more deviations.
    mutating func normalize() throws(E) {
        var order = HappensBefore()
        order.read(best.steps.elements, dependency)
        var events: [RunEventID] = []
        // A step can come next if no step that is left has to come before it. The first step that is left always can.
        var waitsFor = best.steps.indices.map(order.predecessors)
        var rest = Array(best.steps.indices)
        var task: UInt64?
        while !rest.isEmpty {
            let next =
                rest.firstIndex { waitsFor[$0] == 0 && best.steps[$0].choice.event.task == task } ?? rest.startIndex
            let step = rest.remove(at: next)
            for later in rest[next...] where order.precedes(step, later) { waitsFor[later] -= 1 }
            task = best.steps[step].choice.event.task
            events.append(best.steps[step].choice.event)
        }
        limit += 1
        guard let trial = try failing(FollowOrder(events)) else { return }
        let deviations = RunSchedule(following: trial.steps).deviations.count
        if deviations <= schedule.deviations.count, Self.switches(trial.steps) < Self.switches(best.steps) {
            accept(trial)
        }
    }

    /// How often the run switches to another task.
    private static func switches(_ steps: [RunStep]) -> Int {
        zip(steps, steps.dropFirst()).count { $0.choice.event.task != $1.choice.event.task }
    }
}

/// A schedule that passes, and how many choices each of its steps had.
private struct TriedSchedule {
    let deviations: [RunDeviation]
    let alternatives: [Int]

    init(deviations: [RunDeviation], steps: [RunStep]) {
        self.deviations = deviations
        alternatives = steps.map(\.alternatives)
    }

    /// Every schedule with one more deviation, later than those it has.
    func withOneMore() -> [[RunDeviation]] {
        let first = deviations.last.map { $0.step + 1 } ?? 0
        return (first..<max(first, alternatives.count)).flatMap { step in
            (1..<max(1, alternatives[step])).map { deviations + [RunDeviation(step: step, position: $0)] }
        }
    }
}
