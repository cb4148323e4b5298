import Histogram
import Basics
import Testing

@testable import SceneSoak

@Suite("The load generator, in virtual time")
struct LoadGeneratorTests {
    /// A call that was handed over, with the time it was due and the time it happened.
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
    ) -> (handed: [Handed], totals: LoadCounters.Totals) {
        let counters = LoadCounters(warmUp: plan.warmUp, percentiles: plan.percentiles)
        let stop = StopFlag()
        let handed = Guarded<[Handed]>([])
        let users = (0..<plan.clients).map {
            SoakUser(number: $0, scenes: ["soak-1"], seed: plan.seed, mix: [:], actions: ShopActions())
        }
        var generator = LoadGenerator(plan: plan, users: users, clock: clock, counters: counters, stop: stop) {
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
        return (handed.withLock { $0 }, counters.totals)
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

    @Test("hands over events late after a stall, with the time they were due, and counts how late it was")
    func late() {
        // The machine is busy for a second after the hundredth event.
        let (handed, totals) = run(.test(rate: 1_000, duration: .seconds(3)), busy: { $0 == 100 ? .seconds(1) : .zero })
        #expect(handed.count == 3_000)
        #expect(handed.map(\.due) == handed.map(\.due).sorted())
        #expect(handed[100].at - handed[100].due >= .milliseconds(990))
        let worst = totals.generatorLag.max
        #expect(worst >= 990_000_000)
        // A thousand of three thousand events were late, by up to a second.
        let usual = totals.generatorLag.valueAtPercentile(80)
        #expect(usual > 300_000_000)
    }

    @Test("does the same with the same seed: the same users, calls and times")
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

/// A clock that advances only when a test waits or lets time pass.
final class VirtualClock: SoakClock {
    private let time = Guarded(Duration.zero)

    var now: Duration { time.withLock { $0 } }

    func wait(until moment: Duration) { time.withLock { $0 = max($0, moment) } }

    /// Advances as if the machine were busy with something else.
    func pass(_ length: Duration) { time.withLock { $0 += length } }
}
