internal import CoreMetrics
internal import Basics
internal import Synchronization

/// A backend of swift-metrics that prints all metrics as OpenMetrics text.
///
/// Counters become counters, meters become gauges, recorders and timers become summaries of count and sum. Handlers are kept for
/// ever, because the daemon has a bounded number of metrics.
final class OpenMetricsRegistry: MetricsFactory {
    private enum Family: String {
        case counter, gauge, summary
    }

    private struct State {
        var counters: [MetricKey: CounterValue] = [:]
        var meters: [MetricKey: MeterValue] = [:]
        var summaries: [MetricKey: SummaryValue] = [:]
    }

    private let state = Guarded(State())

    func makeCounter(label: String, dimensions: [(String, String)]) -> any CounterHandler {
        metric(MetricKey(label, dimensions), in: \.counters, or: CounterValue())
    }

    func makeMeter(label: String, dimensions: [(String, String)]) -> any MeterHandler {
        metric(MetricKey(label, dimensions), in: \.meters, or: MeterValue())
    }

    func makeRecorder(label: String, dimensions: [(String, String)], aggregate: Bool) -> any RecorderHandler {
        metric(MetricKey(label, dimensions), in: \.summaries, or: SummaryValue())
    }

    func makeTimer(label: String, dimensions: [(String, String)]) -> any TimerHandler {
        metric(MetricKey(label, dimensions), in: \.summaries, or: SummaryValue())
    }

    func destroyCounter(_ handler: any CounterHandler) {}
    func destroyMeter(_ handler: any MeterHandler) {}
    func destroyRecorder(_ handler: any RecorderHandler) {}
    func destroyTimer(_ handler: any TimerHandler) {}

    /// All metrics in the text format of https://prometheus.io/docs/specs/om/open_metrics_spec/.
    /// - Parameter gauges: Further ones, which are not kept: those whose labels come and go.
    func text(with gauges: [(key: MetricKey, value: Int)] = []) -> String {
        let snapshot = state.withLock { $0 }
        var lines: [String] = []
        let passing = Dictionary(gauges.map { ($0.key, $0.value) }) { first, _ in first }
        write(passing, .gauge, to: &lines) { key, value in ["\(key.sample()) \(value)"] }
        write(snapshot.counters, .counter, to: &lines) { key, counter in
            ["\(key.sample("_total")) \(counter.value)"]
        }
        write(snapshot.meters, .gauge, to: &lines) { key, meter in ["\(key.sample()) \(meter.value)"] }
        write(snapshot.summaries, .summary, to: &lines) { key, summary in
            let (count, sum) = summary.value
            return ["\(key.sample("_count")) \(count)", "\(key.sample("_sum")) \(sum)"]
        }
        return (lines + ["# EOF", ""]).joined(separator: "\n")
    }

    private func write<Value>(
        _ values: [MetricKey: Value],
        _ family: Family,
        to lines: inout [String],
        _ samples: (MetricKey, Value) -> [String]
    ) {
        var name = ""
        for (key, value) in values.sorted(by: { $0.key < $1.key }) {
            if key.name != name {
                name = key.name
                lines.append("# TYPE \(name) \(family.rawValue)")
                if let help = MetricHelp.texts[name] { lines.append("# HELP \(name) \(help)") }
            }
            lines += samples(key, value)
        }
    }

    private func metric<Value>(
        _ key: MetricKey,
        in family: WritableKeyPath<State, [MetricKey: Value]>,
        or new: Value
    ) -> Value {
        state.withLock { state in
            let value = state[keyPath: family][key] ?? new
            state[keyPath: family][key] = value
            return value
        }
    }
}

private final class CounterValue: CounterHandler {
    private let count = Atomic<Int64>(0)

    var value: Int64 { count.load(ordering: .relaxed) }

    func increment(by amount: Int64) { count.wrappingAdd(amount, ordering: .relaxed) }

    func reset() { count.store(0, ordering: .relaxed) }
}

private final class MeterValue: MeterHandler {
    private let reading = Guarded(0.0)

    var value: Double { reading.withLock { $0 } }

    func set(_ value: Int64) { reading.withLock { $0 = Double(value) } }

    func set(_ value: Double) { reading.withLock { $0 = value } }

    func increment(by amount: Double) { reading.withLock { $0 += amount } }

    func decrement(by amount: Double) { reading.withLock { $0 -= amount } }
}

private final class SummaryValue: RecorderHandler, TimerHandler {
    private let total = Guarded((count: 0, sum: 0.0))

    var value: (count: Int, sum: Double) { total.withLock { $0 } }

    func record(_ value: Int64) { record(Double(value)) }

    func record(_ value: Double) {
        total.withLock { total in
            total.count += 1
            total.sum += value
        }
    }

    /// Records seconds, as OpenMetrics requires.
    func recordNanoseconds(_ duration: Int64) { record(Double(duration) / 1e9) }
}
