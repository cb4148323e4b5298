/// Divides the run into intervals, samples the daemon at the end of each, and reports progress.
struct IntervalLog {
    let plan: SoakPlan
    let clock: any SoakClock
    let counters: LoadCounters
    let sampler: Sampler
    let clients: LoadClients
    let follower: RecordFollower?
    let faults: FaultRunner
    let file: IntervalFile?
    let progress: @Sendable (SoakProgress) -> Void
    private(set) var intervals: [SoakInterval] = []

    /// Intervals end at multiples of their length, counted from the start of the warm-up and again from its end.
    static func cut(after time: Duration, _ plan: SoakPlan) -> Duration {
        let origin = time < plan.warmUp ? Duration.zero : plan.warmUp
        let cut = origin + plan.every * (Int((time - origin) / plan.every) + 1)
        return time < plan.warmUp ? min(cut, plan.warmUp) : cut
    }

    /// Runs until the load ends.
    mutating func run(until flag: StopFlag) async {
        var nextCut = Self.cut(after: .zero, plan)
        var nextLook = Duration.seconds(1)
        while !flag.isRaised, clients.failure == nil {
            let now = clock.now
            if now >= nextCut {
                await cut(at: now)
                nextCut = Self.cut(after: now, plan)
            } else if now >= nextLook {
                let status = await sampler.look()
                var interval = counters.current(at: clock.now)
                interval.sample = status?.sample
                await tell(interval, endsInterval: false)
                nextLook = clock.now + .seconds(1)
            }
            try? await Task.sleep(for: max(.milliseconds(1), min(.milliseconds(20), nextCut - clock.now)))
        }
        if clients.failure != nil { flag.raise() }
    }

    /// Ends the last interval, if anything happened in it.
    mutating func end() async {
        let rest = counters.current(at: clock.now)
        guard rest.due + rest.sent + rest.answered + rest.cutOff > 0 else { return }
        await cut(at: clock.now)
    }

    private mutating func cut(at now: Duration) async {
        var interval = counters.cut(at: now)
        interval.sample = await sampler.look()?.sample
        intervals.append(interval)
        file?.append(interval)
        await tell(interval, endsInterval: true)
    }

    private func tell(_ interval: SoakInterval, endsInterval: Bool) async {
        progress(
            SoakProgress(
                elapsed: clock.now,
                total: plan.end,
                interval: interval,
                endsInterval: endsInterval,
                inFlight: counters.inFlight,
                waiting: clients.waiting,
                faults: await faults.underWay,
                violations: await follower?.violations ?? 0
            )
        )
    }
}
