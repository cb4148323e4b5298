import Histogram
import SceneSoak
import Testing

@Suite("A soak that has begun")
struct SoakRunTests {
    @Test("takes a latency of a microsecond, of an hour and of a day")
    func latencies() {
        var histogram = SoakRun.histogram()
        let taken = [1_000, 3_600_000_000_000, 86_400_000_000_000].map { histogram.record($0) }
        #expect(taken == [true, true, true])
        let count = histogram.totalCount
        #expect(count == 3)
    }
}
