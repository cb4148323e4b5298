/// What a machine does at all: objects made, kept in an array, called through a protocol and let go, which is about what a step of a
/// run consists of besides the Swift runtime's part.
enum Reference {
    private protocol Job: AnyObject {
        func run(_ value: UInt64) -> UInt64
    }

    private final class Add: Job {
        let number: UInt64
        init(_ number: UInt64) { self.number = number }
        @inline(never) func run(_ value: UInt64) -> UInt64 { value &+ number }
    }

    private final class Rotate: Job {
        let number: UInt64
        init(_ number: UInt64) { self.number = number }
        @inline(never) func run(_ value: UInt64) -> UInt64 { (value << 7 | value >> 57) ^ number }
    }

    /// The better of two runs.
    static func callsPerSecond() -> Double {
        var best = 0.0
        var result: UInt64 = 0
        for _ in 0..<2 {
            let count = 2_000_000
            let start = ContinuousClock.now
            var jobs: [any Job] = []
            for index in 0..<count {
                jobs.append(index % 2 == 0 ? Add(UInt64(index)) : Rotate(UInt64(index)))
                if jobs.count == 16 {
                    for job in jobs { result = job.run(result) }
                    jobs.removeAll(keepingCapacity: true)
                }
            }
            best = max(best, Double(count) / ((ContinuousClock.now - start) / .seconds(1)))
        }
        precondition(result != 1)
        return best
    }
}
