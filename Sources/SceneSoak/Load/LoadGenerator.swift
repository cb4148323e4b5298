internal import SeededRandom

/// Sends what is due when it is due, whatever has become of what was sent before: an open loop.
///
/// It belongs to one thread. Who does what is decided by the seed alone.
struct LoadGenerator {
    private var schedule: ArrivalSchedule
    private var users: [SoakUser]
    private var random: SplitMix
    private let end: Duration
    private let clock: any SoakClock
    private let tally: LoadTally
    private let stop: StopFlag
    /// Hands a call of a user to its connection; must not block.
    private let submit: (Int, SoakCall, Duration) -> Void

    /// The longest time between two looks at the flag.
    private static let patience = Duration.milliseconds(20)

    init(
        plan: SoakPlan,
        users: [SoakUser],
        clock: any SoakClock,
        tally: LoadTally,
        stop: StopFlag,
        submit: @escaping (Int, SoakCall, Duration) -> Void
    ) {
        schedule = ArrivalSchedule(rate: plan.rate, arrival: plan.arrival, seed: plan.seed)
        self.users = users
        random = SplitMix(seed: plan.seed ^ 0x5851_F42D_4C95_7F2D)
        end = plan.warmUp + plan.duration
        self.clock = clock
        self.tally = tally
        self.stop = stop
        self.submit = submit
    }

    /// Goes on until the plan's time is over or somebody says stop.
    mutating func run() {
        guard !users.isEmpty else { return }
        var due = schedule.next()
        while due < end, !stop.isRaised {
            let now = clock.now
            guard due <= now else {
                clock.wait(until: min(due, now + Self.patience))
                continue
            }
            let user = random.below(users.count)
            tally.due()
            tally.lagged(now - due, due: due)
            submit(user, users[user].next(), due)
            due = schedule.next()
        }
    }
}
