internal import Basics

extension ShrinkSearch {
    /// The passing run nearest to the failing one: of the runs in which one race is reversed or one deviation is missing, the one with the
    /// fewest dependent steps in another order.
    mutating func nearestPassing() throws(E) -> PassingRun? {
        var order = HappensBefore()
        order.read(best.steps.elements, dependency)
        var nearest: (run: PassingRun, distance: Int)?
        for strategy in neighbours(order) {
            guard let trial = try attempt(strategy, without: deleted) else { break }
            guard trial.failure == nil else { continue }
            let inversions = inversions(order, trial.steps)
            // A step that happened in only one of the runs is a difference, too.
            let distance = inversions.count + abs(trial.steps.count - best.steps.count)
            if let nearest, nearest.distance <= distance { continue }
            let passing = PassingRun(
                steps: trial.steps,
                schedule: RunSchedule(following: trial.steps),
                deciding: deciding(inversions) ?? firstDifference(trial.steps)
            )
            nearest = (passing, distance)
        }
        return nearest?.run
    }

    private func neighbours(_ order: HappensBefore) -> [any ExplorationStrategy] {
        var neighbours: [any ExplorationStrategy] = order.races.reversed().map { race in
            let between = (race.first + 1..<race.second).filter { !order.precedes(race.first, $0) }
            let after = (race.first + 1..<best.steps.count).filter { $0 != race.second && !between.contains($0) }
            let steps = Array(0..<race.first) + between + [race.second, race.first] + after
            return FollowOrder(steps.map { best.steps[$0].choice.event })
        }
        let deviations = schedule.deviations
        for index in deviations.indices.reversed() {
            var fewer = deviations
            fewer.remove(at: index)
            neighbours.append(Replay(RunSchedule(fewer)))
        }
        return neighbours + [FirstInFirstOut()]
    }

    /// The pairs of dependent steps that both runs have in opposite orders.
    private func inversions(_ order: HappensBefore, _ passing: [RunStep]) -> [DecidingPair] {
        var places: [RunEventID: Int] = [:]
        for (place, step) in passing.enumerated() { places[step.choice.event] = place }
        var pairs: [DecidingPair] = []
        for second in best.steps.indices {
            guard let passingSecond = places[best.steps[second].choice.event] else { continue }
            for first in 0..<second {
                guard let passingFirst = places[best.steps[first].choice.event], passingSecond < passingFirst else {
                    continue
                }
                guard dependency.orders(order.footprints[first], order.footprints[second]) else { continue }
                pairs.append(
                    DecidingPair(
                        first: first,
                        second: second,
                        passingFirst: passingFirst,
                        passingSecond: passingSecond
                    )
                )
            }
        }
        return pairs
    }

    /// The pair that explains the others: the earliest, and preferably two steps on one actor rather than two that enqueue on it.
    private func deciding(_ pairs: [DecidingPair]) -> DecidingPair? {
        let onOneActor = pairs.filter {
            let executor = best.steps[$0.first].choice.executor
            return executor != 0 && executor == best.steps[$0.second].choice.executor
        }
        return (onOneActor.isEmpty ? pairs : onOneActor).min {
            ($0.second, $1.first) < ($1.second, $0.first)
        }
    }

    /// The steps at which the two runs diverge, if each of them comes later in the other run. Used if no dependent pair was found.
    private func firstDifference(_ passing: [RunStep]) -> DecidingPair? {
        let first = zip(best.steps, passing).prefix { $0.choice.event == $1.choice.event }.count
        guard first < best.steps.count, first < passing.count else { return nil }
        let second = best.steps.firstIndex { $0.choice.event == passing[first].choice.event }
        let passingFirst = passing.firstIndex { $0.choice.event == best.steps[first].choice.event }
        guard let second, let passingFirst else { return nil }
        return DecidingPair(first: first, second: second, passingFirst: passingFirst, passingSecond: first)
    }
}
