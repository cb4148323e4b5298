/// Makes a failing run small: leaves out external events, then deviations, brings what is left into a normal form, confirms
/// it, and looks for the nearest run that passes.
///
/// It knows only how to have something run and whether that failed. Leaving out is delta debugging (Zeller, Hildebrandt,
/// *Simplifying and Isolating Failure-Inducing Input*, TSE 2002). Where the budget allows, all schedules with fewer
/// deviations are then tried in order (delay bounding: Emmi, Qadeer, Rakamarić, POPL 2011), so that what is left is not only
/// a minimum that leaving out can reach.
public struct Shrinker: Sendable {
    /// Which steps' order can make a difference.
    public let dependency: Dependency
    /// The most runs to make; confirming and looking for a passing run come on top, with at most a quarter as many.
    public let budget: Int

    public init(dependency: Dependency, budget: Int = 2_000) {
        self.dependency = dependency
        self.budget = max(0, budget)
    }

    /// Makes a failing run small.
    /// - Parameters:
    ///   - failing: The run. One that passed is given back as it is, as not reproduced.
    ///   - events: How many external events can be left out of its data, numbered from 0.
    ///   - run: Runs once under a strategy, without the events of these numbers. It need not remember anything.
    public func shrink<E: Error>(
        _ failing: Trial,
        events: Int = 0,
        run: @escaping (_ strategy: any Strategy, _ deleted: Set<Int>) throws(E) -> Trial
    ) throws(E) -> ShrunkFailure {
        guard let kind = failing.failure else { return unshrunk(failing, kind: "", trials: 0) }
        var search = ShrinkSearch(kind: kind, best: failing, dependency: dependency, run: run)
        search.limit = budget
        guard try search.reproduce() else { return unshrunk(failing, kind: kind, trials: search.trials) }

        // Each part may use what those before left, but not all, so that no part starves the next.
        search.limit = budget * 2 / 5
        try search.leaveOutEvents(events)
        search.limit = budget * 3 / 5
        try search.leaveOutDeviations()
        search.limit = budget
        let isMinimal = try search.tryFewerDeviations()
        try search.normalize()

        search.limit = search.trials + 2
        let confirmation = try search.confirm()
        search.limit = search.trials + budget / 4
        let passing = try search.nearestPassing()
        return ShrunkFailure(
            kind: kind,
            steps: search.best.steps,
            schedule: search.schedule,
            deleted: search.deleted,
            original: failing.steps,
            trials: search.trials,
            isMinimal: isMinimal,
            confirmation: confirmation,
            passing: passing
        )
    }

    private func unshrunk(_ trial: Trial, kind: String, trials: Int) -> ShrunkFailure {
        ShrunkFailure(
            kind: kind,
            steps: trial.steps,
            schedule: Schedule(following: trial.steps),
            deleted: [],
            original: trial.steps,
            trials: trials,
            isMinimal: false,
            confirmation: .notReproduced,
            passing: nil
        )
    }
}
