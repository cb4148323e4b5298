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
        try shortenHolds()
    }

    private mutating func leaveOutByPlace() throws(E) {
        var search = self
        _ = try deltaDebug(schedule.deviations) { (rest: [RunDeviation], gap) throws(E) -> [RunDeviation]? in
            let all = search.schedule.deviations
            for fewer in Self.without(all[gap..<gap + all.count - rest.count], rest, gap) {
                guard let trial = try search.failing(Replay(RunSchedule(fewer))) else { continue }
                let left = RunSchedule(following: trial.steps).deviations
                guard left.count < all.count else { continue }
                search.accept(trial)
                return left
            }
            return nil
        } while: {
            search.goesOn()
        }
        self = search
    }

    /// What is left without some deviations, and the same where the one before them holds back for as long as they did what it passes over: so a
    /// strategy that held something back among other things is found out.
    private static func without(
        _ gone: ArraySlice<RunDeviation>,
        _ rest: [RunDeviation],
        _ gap: Int
    ) -> [[RunDeviation]] {
        guard gap > 0, let last = gone.last else { return [rest] }
        var holding = rest
        holding[gap - 1] = rest[gap - 1].lasting(last.step + last.count - rest[gap - 1].step)
        return [rest, holding]
    }

    /// Holds back for as few steps as are needed, by halves.
    private mutating func shortenHolds() throws(E) {
        var index = 0
        while hasBudget, index < schedule.deviations.count {
            var fewest = 1
            while hasBudget {
                let deviations = schedule.deviations
                guard index < deviations.count, fewest < deviations[index].count else { break }
                let half = (fewest + deviations[index].count) / 2
                var shorter = deviations
                shorter[index] = shorter[index].lasting(half)
                if let trial = try failing(Replay(RunSchedule(shorter))),
                    case let left = RunSchedule(following: trial.steps).deviations,
                    left.count <= deviations.count, index < left.count, left[index].count <= half
                {
                    accept(trial)
                } else {
                    fewest = half + 1
                }
            }
            index += 1
        }
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

    /// Tries every schedule with fewer deviations, fewest first, then those with as many that hold nothing back for more than a step, until one
    /// fails.
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
            for first in level.lazy.flatMap({ $0.withOneMore() }) {
                var longer: [RunDeviation]? = first
                while let deviations = longer {
                    guard let trial = try attempt(Replay(RunSchedule(deviations)), without: deleted) else {
                        return depth == count
                    }
                    if trial.failure == kind {
                        accept(trial)
                        return true
                    }
                    guard depth < count else { break }
                    let tried = TriedSchedule(deviations: deviations, steps: trial.steps)
                    next.append(tried)
                    longer = tried.holdingLonger(trial.steps)
                }
            }
            level = next
        }
        return true
    }

    /// Reorders independent steps so that each task goes on as long as it can, if the run still fails with no more deviations.
    mutating func normalize() throws(E) {
        var order = HappensBefore()
        order.read(best.steps.elements, best.accesses, dependency)
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

    /// The next schedule that holds back longer what the last deviation does; nil if that had no choice any more.
    /// - Parameter steps: Those of the run.
    func holdingLonger(_ steps: [RunStep]) -> [RunDeviation]? {
        guard let last = deviations.last, last.step < steps.count, let held = steps[last.step].passedOver,
            let end = steps[last.step...].firstIndex(where: { $0.choice.event == held }),
            steps[end].alternatives > 1, end >= last.step + last.count
        else { return nil }
        return deviations.dropLast() + [last.lasting(end - last.step + 1)]
    }

    /// Every schedule with one more deviation, later than those it has.
    func withOneMore() -> [[RunDeviation]] {
        let first = deviations.last.map { $0.step + $0.count } ?? 0
        return (first..<max(first, alternatives.count)).flatMap { step in
            (1..<max(1, alternatives[step])).map { deviations + [RunDeviation(step: step, position: $0)] }
        }
    }
}
