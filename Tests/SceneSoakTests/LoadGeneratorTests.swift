import Histogram
import Locking
import Testing

@testable import SceneSoak

@Suite("The load generator, in virtual time")
struct LoadGeneratorTests {
    /// What was handed over: when it was due, and when that happened.
    private struct Handed: Sendable {
        let user: Int
        let call: SoakCall
        let due: Duration
        let at: Duration
    }

    private func run(
        _ plan: SoakPlan,
        clock: VirtualClock = VirtualClock(),
        busy: @escaping @Sendable (Int) -> Duration = { _ in .zero },
        stopAfter: Int = .max
    ) -> (handed: [Handed], totals: LoadTally.Totals) {
        let tally = LoadTally(warmUp: plan.warmUp, percentiles: plan.percentiles)
        let stop = StopFlag()
        let handed = Guarded<[Handed]>([])
        let users = (0..<plan.clients).map {
            SoakUser(number: $0, scenes: ["soak-1"], seed: plan.seed, mix: [:], vocabulary: ShopVocabulary())
        }
        var generator = LoadGenerator(plan: plan, users: users, clock: clock, tally: tally, stop: stop) {
            user,
            call,
            due in
            let count = handed.withLock { handed in
                handed.append(Handed(user: user, call: call, due: due, at: clock.now))
                return handed.count
            }
            clock.pass(busy(count))
            if count == stopAfter { stop.raise() }
        }
        generator.run()
        return (handed.withLock { $0 }, tally.totals)
    }

    @Test("hands over every event of the plan when it is due")
    func onTime() {
        let (handed, totals) = run(.test(rate: 1_000, duration: .seconds(2), warmUp: .seconds(1)))
        #expect(handed.count == 3_000)
        #expect(totals.due == 3_000)
        #expect(handed.allSatisfy { $0.at == $0.due })
        let counted = totals.generatorLag.totalCount
        #expect(counted == 2_000, "the warm-up's are not counted")
    }

    @Test("hands over late what was due while it could not, with the time it was due, and says how late it was")
    func late() {
        // The machine is busy for a second after the hundredth event.
        let (handed, totals) = run(.test(rate: 1_000, duration: .seconds(3)), busy: { $0 == 100 ? .seconds(1) : .zero })
        #expect(handed.count == 3_000)
        #expect(handed.map(\.due) == handed.map(\.due).sorted())
        #expect(handed[100].at - handed[100].due >= .milliseconds(990))
        let worst = totals.generatorLag.max
        #expect(worst >= 990_000_000)
        // A thousand of three thousand were late by between nothing and a second.
        let usual = totals.generatorLag.valueAtPercentile(80)
        #expect(usual > 300_000_000)
    }

    @Test("does the same with the same seed: who, what and when")
    func seeded() {
        let plan = SoakPlan.test(rate: 500, arrival: .poisson, seed: 77)
        let one = run(plan).handed
        let other = run(plan).handed
        #expect(one.map(\.call) == other.map(\.call))
        #expect(one.map(\.due) == other.map(\.due))
        #expect(one.map(\.user) == other.map(\.user))
        #expect(Set(one.map(\.user)) == [0, 1, 2, 3])
    }

    @Test("stops when it is told to")
    func stops() {
        #expect(run(.test(rate: 1_000), stopAfter: 10).handed.count == 10)
    }
}
