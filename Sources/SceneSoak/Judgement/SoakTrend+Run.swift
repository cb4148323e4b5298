extension SoakTrend {
    /// All trends of a run: what the daemon uses, for each host, and the latency.
    package static func all(of run: SoakRun) -> [SoakTrend] {
        var hosts: [String] = []
        var samples: [String: [(time: Duration, sample: SoakSample)]] = [:]
        for interval in run.intervals where !interval.isWarmUp {
            guard let sample = interval.sample else { continue }
            if samples[sample.host] == nil { hosts.append(sample.host) }
            samples[sample.host, default: []].append((interval.start + interval.length, sample))
        }
        var trends: [SoakTrend] = []
        for subject in Subject.watched {
            for (index, host) in hosts.enumerated() {
                let series = samples[host, default: []]
                // A restarted daemon warms up like the first one.
                let begin =
                    index == 0 ? .zero : (series.first?.time ?? .zero) + max(.seconds(30), run.plan?.warmUp ?? .zero)
                let values = series.compactMap { time, sample in
                    time >= begin ? subject.value(sample).map { (time: time, value: $0) } : nil
                }
                if !values.isEmpty { trends.append(SoakTrend(subject, host: host, samples: values)) }
            }
        }
        if let latency = latency(of: run) { trends.append(latency) }
        return trends
    }

    /// The trend of the latency in intervals that no fault disturbed; `nil` if none was measured.
    private static func latency(of run: SoakRun) -> SoakTrend? {
        let measured = run.intervals.filter { !$0.isWarmUp && !$0.percentiles.isEmpty }
        guard let rank = measured.first?.percentiles.keys.filter({ $0 < 100 }).min(by: { abs($0 - 99) < abs($1 - 99) })
        else { return nil }
        let values = measured.compactMap { interval -> (time: Duration, value: Double)? in
            let end = interval.start + interval.length
            // Events that a fault delayed are answered in the interval after it.
            let isDisturbed = run.faults.contains { $0.start < end && $0.end + interval.length > interval.start }
            guard !isDisturbed, let value = interval.percentiles[rank] else { return nil }
            return (interval.start + interval.length / 2, Double(value))
        }
        return values.isEmpty ? nil : SoakTrend(.latency, host: nil, samples: values)
    }

    /// A fault that may have caused a step, because it went on then or shortly before.
    func cause(in run: SoakRun) -> SoakFault? {
        guard case .stepped(let time, _) = state else { return nil }
        let slack = Duration.seconds(max(60, hours * 3600 / Double(Self.most) * 2))
        return run.faults.first { $0.start - slack <= time && time <= $0.end + slack }
    }
}
