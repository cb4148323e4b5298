/// Cuts the run into intervals, looks at the daemon at the end of each, and tells how it goes.
struct IntervalLog {
    private let plan: SoakPlan
    private let clock: any SoakClock
    private let tally: LoadTally
    private let sampler: Sampler
    private let crew: LoadCrew
    private let watch: RecordWatch?
    private let faults: FaultRunner
    private let file: IntervalFile?
    private let progress: @Sendable (SoakProgress) -> Void
    private(set) var intervals: [SoakInterval] = []
    private var nextCut: Duration

    init(
        plan: SoakPlan,
        clock: any SoakClock,
        tally: LoadTally,
        sampler: Sampler,
        crew: LoadCrew,
        watch: RecordWatch?,
        faults: FaultRunner,
        file: IntervalFile?,
        progress: @escaping @Sendable (SoakProgress) -> Void
    ) {
        self.plan = plan
        self.clock = clock
        self.tally = tally
        self.sampler = sampler
        self.crew = crew
        self.watch = watch
        self.faults = faults
        self.file = file
        self.progress = progress
        nextCut = Self.cut(after: .zero, plan)
    }

    /// Intervals end at multiples of their length, counted from the beginning and, anew, from the end of the warm-up.
    static func cut(after time: Duration, _ plan: SoakPlan) -> Duration {
        let origin = time < plan.warmUp ? Duration.zero : plan.warmUp
        let cut = origin + plan.every * (Int((time - origin) / plan.every) + 1)
        return time < plan.warmUp ? min(cut, plan.warmUp) : cut
    }

    /// Goes on until the load ends.
    mutating func keep(until flag: StopFlag) async {
        var nextLook = Duration.seconds(1)
        while !flag.isRaised, crew.failure == nil {
            let now = clock.now
            if now >= nextCut {
                await cut(at: now)
                nextCut = Self.cut(after: now, plan)
            } else if now >= nextLook {
                let status = await sampler.look()
                var interval = tally.current(at: clock.now)
                interval.sample = status?.sample
                await tell(interval, isCut: false)
                nextLook = clock.now + .seconds(1)
            }
            try? await Task.sleep(for: max(.milliseconds(1), min(.milliseconds(20), nextCut - clock.now)))
        }
        if crew.failure != nil { flag.raise() }
    }

    /// What came after the last cut is an interval too, if anything came.
    mutating func end() async {
        let rest = tally.current(at: clock.now)
        guard rest.due + rest.sent + rest.answered + rest.cutOff > 0 else { return }
        await cut(at: clock.now)
    }

    private mutating func cut(at now: Duration) async {
        var interval = tally.cut(at: now)
        interval.sample = await sampler.look()?.sample
        intervals.append(interval)
        file?.append(interval)
        await tell(interval, isCut: true)
    }

    private func tell(_ interval: SoakInterval, isCut: Bool) async {
        progress(
            SoakProgress(
                elapsed: clock.now,
                total: plan.warmUp + plan.duration,
                interval: interval,
                isCut: isCut,
                inFlight: tally.inFlight,
                waiting: crew.waiting,
                faults: await faults.underWay,
                violations: await watch?.violations ?? 0
            )
        )
    }
}
