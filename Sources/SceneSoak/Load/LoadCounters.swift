internal import Histogram
internal import Basics

/// Counts the events that are due, sent and answered, in the current interval and in the whole run.
///
/// The thread that sends uses it, and those that serve the connections.
final class LoadCounters: Sendable {
    private struct State {
        var interval: SoakInterval
        var intervalLatency = SoakRun.histogram()
        var totals = Totals()
    }

    /// The counts of the whole run.
    struct Totals: Sendable {
        var due = 0
        var sent = 0
        var answered = 0
        var cutOff = 0
        var latency = SoakRun.histogram()
        var latencyByKind: [ActionKind: Histogram<UInt64>] = [:]
        var serviceTime = SoakRun.histogram()
        var generatorLag = SoakRun.histogram()
        /// Calls sent that are neither answered nor cut off.
        var inFlight: Int { sent - answered - cutOff }
    }

    private let state: Guarded<State>
    private let warmUp: Duration
    private let percentiles: [Double]

    init(warmUp: Duration, percentiles: [Double]) {
        self.warmUp = warmUp
        self.percentiles = percentiles
        state = Guarded(State(interval: SoakInterval(start: .zero, length: .zero, isWarmUp: warmUp > .zero)))
    }

    func due() {
        state.withLock { state in
            state.interval.due += 1
            state.totals.due += 1
        }
    }

    /// Counts how long after it was due the generator handed over an event.
    func lagged(_ lag: Duration, due: Duration) {
        guard due >= warmUp else { return }
        state.withLock { _ = $0.totals.generatorLag.record(UInt64(clamping: lag.nanoseconds)) }
    }

    func sent() {
        state.withLock { state in
            state.interval.sent += 1
            state.totals.sent += 1
        }
    }

    /// Counts an answer: an outcome or a refusal.
    func answered(_ kind: ActionKind, due: Duration, sent: Duration, at now: Duration, _ answer: Answer) {
        let latency = UInt64(clamping: (now - due).nanoseconds)
        state.withLock { state in
            state.interval.answered += 1
            state.totals.answered += 1
            switch answer {
            case .outcome(let outcome): state.interval.outcomes[outcome, default: 0] += 1
            case .refusal(let error): state.interval.errors[error, default: 0] += 1
            }
            _ = state.intervalLatency.record(latency)
            guard due >= warmUp else { return }
            _ = state.totals.latency.record(latency)
            _ = state.totals.serviceTime.record(UInt64(clamping: (now - sent).nanoseconds))
            _ = state.totals.latencyByKind[kind, default: SoakRun.histogram()].record(latency)
        }
    }

    /// Counts a call whose connection was lost before it was answered.
    func cutOff() {
        state.withLock { state in
            state.interval.cutOff += 1
            state.totals.cutOff += 1
        }
    }

    enum Answer { case outcome(String), refusal(String) }

    /// Ends the current interval and begins the next.
    func cut(at now: Duration) -> SoakInterval {
        state.withLock { state in
            var done = state.interval
            done.length = now - done.start
            done.percentiles = Self.percentiles(percentiles, of: state.intervalLatency)
            state.interval = SoakInterval(start: now, length: .zero, isWarmUp: now < warmUp)
            state.intervalLatency.reset()
            return done
        }
    }

    /// The current interval so far.
    func current(at now: Duration) -> SoakInterval {
        state.withLock { state in
            var interval = state.interval
            interval.length = now - interval.start
            interval.percentiles = Self.percentiles(percentiles, of: state.intervalLatency)
            return interval
        }
    }

    var totals: Totals { state.withLock(\.totals) }

    /// How many calls wait for their reply.
    var inFlight: Int { state.withLock(\.totals.inFlight) }

    /// The values at these percentiles and at 100; empty for an empty histogram.
    static func percentiles(_ percentiles: [Double], of histogram: Histogram<UInt64>) -> [Double: UInt64] {
        guard histogram.totalCount > 0 else { return [:] }
        return Dictionary((percentiles + [100]).map { ($0, histogram.valueAtPercentile($0)) }, uniquingKeysWith: { $1 })
    }
}
