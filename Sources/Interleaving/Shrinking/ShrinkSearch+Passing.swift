internal import Basics

extension ShrinkSearch {
    /// The passing run nearest to the failing one: of the runs in which one race is reversed or one deviation is missing or a step shorter, the one with the
    /// fewest dependent steps in another order.
    ///
    /// Of a run that is too long for that, the one that goes the same way for longest; races are not looked for.
    mutating func nearestPassing() throws(E) -> PassingRun? {
        let isTooLong = best.steps.count > HappensBefore.mostSteps
        var order = HappensBefore()
        if !isTooLong { order.read(best.steps.elements, best.accesses, dependency) }
        var nearest: (run: PassingRun, distance: Int)?
        for neighbour in neighbours(order) {
            guard let trial = try attempt(neighbour(), without: deleted) else { break }
            guard trial.failure == nil else { continue }
            let inversions = isTooLong ? [] : inversions(order, trial.steps)
            // A step that happened in only one of the runs is a difference, too.
            let distance =
                isTooLong
                ? best.steps.count - commonSteps(trial.steps)
                : inversions.count + abs(trial.steps.count - best.steps.count)
            if let nearest, nearest.distance <= distance { continue }
            let passing = PassingRun(
                steps: trial.steps,
                schedule: RunSchedule(following: trial.steps),
                deciding: deciding(inversions) ?? firstDifference(trial.steps),
                isTooLong: isTooLong
            )
            nearest = (passing, distance)
        }
        return nearest?.run
    }

    /// Strategies for the runs in which one race is reversed or one deviation is missing or a step shorter. Each is made when it is needed: there can be as many
    /// as steps, and each is as large as a run.
    private func neighbours(_ order: HappensBefore) -> [() -> any ExplorationStrategy] {
        let steps = best.steps
        var neighbours = order.races.reversed().map { race -> () -> any ExplorationStrategy in
            {
                let between = (race.first + 1..<race.second).filter { !order.precedes(race.first, $0) }
                let independent = Set(between)
                let after = (race.first + 1..<steps.count).filter { $0 != race.second && !independent.contains($0) }
                let order = Array(0..<race.first) + between + [race.second, race.first] + after
                return FollowOrder(order.map { steps[$0].choice.event })
            }
        }
        let deviations = schedule.deviations
        for index in deviations.indices.reversed() where deviations[index].count > 1 {
            neighbours.append {
                var shorter = deviations
                shorter[index] = shorter[index].lasting(shorter[index].count - 1)
                return Replay(RunSchedule(shorter))
            }
        }
        for index in deviations.indices.reversed() {
            neighbours.append {
                var fewer = deviations
                fewer.remove(at: index)
                return Replay(RunSchedule(fewer))
            }
        }
        return neighbours + [{ FirstInFirstOut() }]
    }

    /// The pairs of dependent steps that both runs have in opposite orders.
    private func inversions(_ order: HappensBefore, _ passing: [RunStep]) -> [DecidingPair] {
        var places: [RunEventID: Int] = [:]
        for (place, step) in passing.enumerated() { places[step.choice.event] = place }
        var pairs: [DecidingPair] = []
        // The steps so far that both runs have, in the order of the passing run: only those after a step's place were overtaken by it.
        var earlier: [(place: Int, step: Int)] = []
        for second in best.steps.indices {
            guard let passingSecond = places[best.steps[second].choice.event] else { continue }
            var overtaken = earlier.count
            while overtaken > 0, earlier[overtaken - 1].place > passingSecond { overtaken -= 1 }
            for (passingFirst, first) in earlier[overtaken...].sorted(by: { $0.step < $1.step })
            where dependency.orders(order.footprints[first], order.footprints[second]) {
                pairs.append(
                    DecidingPair(
                        first: first,
                        second: second,
                        passingFirst: passingFirst,
                        passingSecond: passingSecond
                    )
                )
            }
            earlier.insert((passingSecond, second), at: overtaken)
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
        let first = commonSteps(passing)
        guard first < best.steps.count, first < passing.count else { return nil }
        let second = best.steps.firstIndex { $0.choice.event == passing[first].choice.event }
        let passingFirst = passing.firstIndex { $0.choice.event == best.steps[first].choice.event }
        guard let second, let passingFirst else { return nil }
        return DecidingPair(first: first, second: second, passingFirst: passingFirst, passingSecond: first)
    }

    /// How many steps the two runs have in common before they part.
    private func commonSteps(_ passing: [RunStep]) -> Int {
        zip(best.steps, passing).prefix { $0.choice.event == $1.choice.event }.count
    }
}
