internal import Basics

/// The trend of one subject on one host.
package struct SoakTrend: Hashable, Sendable {
    package let subject: Subject
    /// The host; `nil` for what is measured from outside, over all hosts.
    package let host: String?
    package let state: State
    /// The line through the samples, with a step removed if there is one; `nil` if there are too few samples.
    package let line: TrendLine?
    package let samples: Int
    /// The time of the first sample, since the start of the soak.
    package let start: Duration
    /// The time of the last sample, since the start of the soak.
    package let end: Duration
    /// The median.
    package let level: Double

    /// What the samples show.
    package enum State: Hashable, Sendable {
        /// Nothing that chance does not explain.
        case steady
        /// It certainly grows, and fast enough to matter: a leak, or for latency a drift.
        case growing
        /// It certainly grows, but too slowly to matter.
        case slight
        case falling
        /// It grew and has stopped growing.
        case settled
        /// It was steady before and after a step, at this time and of this height.
        case stepped(at: Duration, by: Double)
        /// It cannot be told, for this reason.
        case unknown(String)
    }

    /// A chance below this counts as certain. Seven subjects are watched, and together they should be wrong in at most one of
    /// thirty soaks; half of the wrong results are falls.
    static let certainty = 0.01
    /// The fewest samples that show a trend.
    static let fewest = 30
    /// The shortest time that shows a trend.
    static let shortest = Duration.seconds(600)
    /// How many samples are judged. A longer series is reduced to medians of stretches, which also depend less on one another.
    static let most = 60

    /// How long it was watched, in hours.
    package var hours: Double { (end - start).seconds / 3600 }

    /// Judges a series.
    /// - Parameter samples: In any order, with times since the start of the soak, without the warm-up.
    init(_ subject: Subject, host: String?, samples: [(time: Duration, value: Double)]) {
        let samples = samples.sorted { $0.time < $1.time }
        self.subject = subject
        self.host = host
        self.samples = samples.count
        start = samples.first?.time ?? .zero
        end = samples.last?.time ?? .zero
        level = samples.map(\.value).median ?? 0
        guard samples.count >= Self.fewest, end - start >= Self.shortest else {
            line = nil
            state = .unknown(
                samples.isEmpty
                    ? "there are no samples"
                    : "too few samples: \(samples.count) over \(Wording.duration(end - start)), and \(Self.fewest) over \(Wording.duration(Self.shortest)) are needed"
            )
            return
        }
        let series = Series(samples).thinned(to: Self.most)
        (state, line) = Self.judge(series, subject.relevance(level: level))
    }

    /// The state of a series, and its line, with a step removed if there is one.
    private static func judge(
        _ series: Series,
        _ relevance: (perHour: Double, gain: Double)
    ) -> (State, TrendLine?) {
        guard let line = TrendLine(hours: series.hours, values: series.values) else { return (.steady, nil) }
        // A single step is not a leak, unless the series also grows without it.
        if let step = series.step(better: line), step.height >= relevance.gain {
            let rest = series.without(step)
            let left = TrendLine(hours: rest.hours, values: rest.values)
            if let left, left.chance < certainty, rest.isRelevant(left, relevance) { return (.growing, left) }
            return (.stepped(at: .seconds(step.hour * 3600), by: step.height), left)
        }
        return (judge(series, as: line, relevance), line)
    }

    private static func judge(
        _ series: Series,
        as line: TrendLine,
        _ relevance: (perHour: Double, gain: Double)
    ) -> State {
        guard line.chance < certainty, line.perHour != 0 else { return .steady }
        guard line.perHour > 0 else { return .falling }
        guard series.isRelevant(line, relevance) else { return .slight }
        // A slow warm-up grows less and less; a leak does not.
        let late = series.lateHalf
        guard let left = TrendLine(hours: late.hours, values: late.values), left.perHour >= line.perHour / 3 else {
            return .settled
        }
        return .growing
    }
}

extension SoakTrend {
    /// The slope as text: `+1.2 MiB/h ± 0.9 MiB, p = 0.003`.
    package var figures: String? {
        guard let line else { return nil }
        let slope = Wording.signed(line.perHour, subject.amount)
        return "\(slope)/h ± \(subject.amount(line.margin)), \(Wording.chance(line.chance))"
    }

    /// The state in a few words.
    package var meaning: String {
        switch state {
        case .steady: "steady"
        case .growing: subject == .latency ? "it gets slower" : "it grows"
        case .slight: "grows too little to matter"
        case .falling: "falls"
        case .settled: "grew, and has levelled off"
        case .stepped(let time, let height):
            "steady except for a step of \(Wording.signed(height, subject.amount)) at \(Wording.moment(time))"
        case .unknown(let reason): reason
        }
    }
}
