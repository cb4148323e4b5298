import Basics
import Testing

@testable import SceneSoak

@Suite("When events are due")
struct ArrivalScheduleTests {
    private func times(_ count: Int, rate: Double, _ arrival: SoakPlan.Arrival, seed: UInt64 = 3) -> [Duration] {
        var schedule = ArrivalSchedule(rate: rate, arrival: arrival, seed: seed)
        return (0..<count).map { _ in schedule.next() }
    }

    @Test("uniform arrivals are equally spaced and do not drift over a million events")
    func uniform() {
        let times = times(1_000_001, rate: 3_000, .uniform)
        #expect(times[0] == .zero)
        #expect(times[3_000] == .seconds(1))
        let last = times[1_000_000] - .seconds(1_000_000.0 / 3_000)
        #expect(abs(last.seconds) < 1e-6)
    }

    @Test("Poisson arrivals keep the rate, and their intervals are distributed as for independent users")
    func poisson() {
        let count = 200_000
        let times = times(count, rate: 1_000, .poisson)
        #expect(zip(times, times.dropFirst()).allSatisfy { $0 <= $1 })
        let mean = times[count - 1].seconds / Double(count)
        #expect(abs(mean - 0.001) < 0.00002, "\(mean)")
        let gaps = zip(times, times.dropFirst()).map { ($1 - $0).seconds }
        let variance = gaps.reduce(0) { $0 + ($1 - mean) * ($1 - mean) } / Double(gaps.count)
        // The standard deviation of an exponential distribution equals its mean.
        #expect(abs(variance.squareRoot() / mean - 1) < 0.02)
    }

    @Test("the same seed gives the same times, another seed gives others")
    func seeded() {
        let one = times(100, rate: 50, .poisson, seed: 8)
        #expect(one == times(100, rate: 50, .poisson, seed: 8))
        #expect(one != times(100, rate: 50, .poisson, seed: 9))
    }
}
