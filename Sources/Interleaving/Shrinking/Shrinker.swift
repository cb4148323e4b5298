/// Makes a failing run small: leaves out external events, then deviations, brings the rest into a normal form, confirms it, and looks
/// for the nearest passing run.
///
/// It knows only how to make a run and whether the run failed. It leaves out by delta debugging (Zeller, Hildebrandt,
/// *Simplifying and Isolating Failure-Inducing Input*, TSE 2002). If the budget allows, it then tries all schedules with fewer
/// deviations in order (delay bounding: Emmi, Qadeer, Rakamarić, POPL 2011), so that the result is a global minimum.
package struct Shrinker: Sendable {
    /// For which steps the order can make a difference.
    package let dependency: StepDependency
    /// The most runs to make, at least 0; up to a quarter as many are added to confirm the result and to find a passing run. Of runs with more
    /// than 1,000 steps it makes fewer, with as many steps in all.
    package let budget: Int
    /// Asked before each run whether to be content with what was found; the result is still confirmed.
    package var isAskedToEnd: @Sendable () -> Bool = { false }

    /// - Parameters: As the properties.
    package init(dependency: StepDependency, budget: Int = 2_000) {
        self.dependency = dependency
        self.budget = max(0, budget)
    }

    /// Makes a failing run small.
    /// - Parameters:
    ///   - failing: The run. One that passed is returned unchanged, as not reproduced.
    ///   - events: How many external events can be left out of its data; they are numbered from 0.
    ///   - run: Makes one run under a strategy, without the events of these numbers.
    package func shrink<E: Error>(
        _ failing: Trial,
        events: Int = 0,
        run: @escaping (_ strategy: any ExplorationStrategy, _ deleted: Set<Int>) throws(E) -> Trial
    ) throws(E) -> ShrunkFailure {
        guard let kind = failing.failure else { return unshrunk(failing, kind: "", trials: 0) }
        var search = ShrinkSearch(kind: kind, best: failing, dependency: dependency, run: run)
        search.limit = budget
        guard try search.reproduce() else { return unshrunk(failing, kind: kind, trials: search.trials) }

        search.isAskedToEnd = isAskedToEnd
        // Each phase may use what the earlier ones left, but not all of it, so that no phase starves the next.
        search.limit = budget * 2 / 5
        try search.leaveOutEvents(events)
        search.limit = budget * 3 / 5
        try search.leaveOutDeviations()
        search.limit = budget
        let isMinimal = try search.tryFewerDeviations()
        if search.best.steps.count <= HappensBefore.mostSteps { try search.normalize() }

        search.limit = search.trials + 2
        search.isAskedToEnd = { false }
        let confirmation = try search.confirm()
        search.isAskedToEnd = isAskedToEnd
        search.limit = search.trials + budget / 4
        let passing = try search.nearestPassing()
        return ShrunkFailure(
            kind: kind,
            steps: search.best.steps,
            schedule: search.schedule,
            deleted: search.deleted,
            original: failing.steps,
            trials: search.trials,
            stepsTaken: search.stepsTaken,
            isCutShort: search.isCutShort,
            isMinimal: isMinimal,
            confirmation: confirmation,
            passing: passing
        )
    }

    private func unshrunk(_ trial: Trial, kind: String, trials: Int) -> ShrunkFailure {
        ShrunkFailure(
            kind: kind,
            steps: trial.steps,
            schedule: RunSchedule(following: trial.steps),
            deleted: [],
            original: trial.steps,
            trials: trials,
            isMinimal: false,
            confirmation: .notReproduced,
            passing: nil
        )
    }
}

/// One run on the way to a smaller failure.
package struct Trial: Sendable {
    /// What happened, in order.
    package let steps: [RunStep]
    /// The kind of failure, the same for the same bug in any schedule; nil for a run that passed.
    package let failure: String?
    /// What the steps did with what tasks share.
    package let accesses: RunAccesses

    /// - Parameters: As the properties.
    package init(steps: [RunStep], accesses: RunAccesses = RunAccesses(), failure: String?) {
        self.steps = steps
        self.accesses = accesses
        self.failure = failure
    }
}
