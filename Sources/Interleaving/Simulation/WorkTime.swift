internal import Basics

/// How long each step of a run takes.
struct WorkTime {
    /// The bounds in nanoseconds, at least 0.
    private let shortest: Int64
    private let longest: Int64
    /// The seed of the run.
    var seed: UInt64 = 0

    init(_ range: ClosedRange<Duration>) {
        shortest = Int64(max(0, range.lowerBound.nanoseconds))
        longest = Int64(max(0, range.upperBound.nanoseconds))
    }

    /// Whether any step takes time.
    var passes: Bool { longest > 0 }

    /// How long a step takes, in nanoseconds: the same in whichever order the steps come.
    func duration(of event: RunEventID) -> Int64 {
        let span = UInt64(longest - shortest)
        let number = mix(seed, event.word)
        return shortest + Int64(span == .max ? number : number % (span + 1))
    }
}
