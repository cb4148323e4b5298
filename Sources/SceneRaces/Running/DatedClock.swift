internal import Basics
internal import SceneRuntime

/// The clock of the machine, which in a simulation stands until everything waits, with a date of its own.
struct DatedClock: RuntimeClock {
    private let clock = SystemClock()
    /// The date when the clock was made, in seconds since 1970-01-01T00:00:00Z.
    let start: Double

    init(start: Double) { self.start = start }

    var now: Duration { clock.now }

    var wallTime: Double { start + now.seconds }

    func sleep(until deadline: Duration) async throws { try await clock.sleep(until: deadline) }
}
