internal import Basics

/// Sends each event when it is due, whether or not earlier ones were answered: an open loop.
///
/// It runs on one thread. The seed alone decides which user does what.
struct LoadGenerator {
    private var schedule: ArrivalSchedule
    private var users: [SoakUser]
    private var random: SplitMix
    private let end: Duration
    private let clock: any SoakClock
    private let counters: LoadCounters
    private let stop: StopFlag
    /// Hands a user's call to its connection. Must not block.
    private let submit: (Int, SoakCall, Duration) -> Void

    /// How long it waits at most before it looks at the flag again.
    private static let patience = Duration.milliseconds(20)

    init(
        plan: SoakPlan,
        users: [SoakUser],
        clock: any SoakClock,
        counters: LoadCounters,
        stop: StopFlag,
        submit: @escaping (Int, SoakCall, Duration) -> Void
    ) {
        schedule = ArrivalSchedule(rate: plan.rate, arrival: plan.arrival, seed: plan.ownSeed)
        self.users = users
        random = SplitMix(seed: plan.ownSeed ^ 0x5851_F42D_4C95_7F2D)
        end = plan.end
        self.clock = clock
        self.counters = counters
        self.stop = stop
        self.submit = submit
    }

    /// Runs until the plan's time is over or the flag is raised.
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
            counters.due()
            counters.lagged(now - due, due: due)
            submit(user, users[user].next(), due)
            due = schedule.next()
        }
    }
}
