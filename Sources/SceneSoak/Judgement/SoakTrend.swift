internal import Locking

/// What one thing did over the time that one host ran.
package struct SoakTrend: Hashable, Sendable {
    package let subject: Subject
    /// The host it was seen at; `nil` for what is measured from outside, over all of them.
    package let host: String?
    package let state: State
    /// Apart from a step, where there is one; `nil` where there are too few samples for a line.
    package let line: TrendLine?
    package let samples: Int
    /// The time of the first and the last sample that count, since the beginning of the soak.
    package let start: Duration
    package let end: Duration
    /// What is usual, the median.
    package let level: Double

    package enum State: Hashable, Sendable {
        /// Nothing that chance would not do.
        case steady
        /// It grows, for certain and so fast that it matters: a leak, or for latency a drift.
        case growing
        /// It grows for certain, and so slowly that it does not matter.
        case slight
        case falling
        /// It grew and has stopped.
        case settled
        /// It stood still before and after a step, at this time and so high.
        case stepped(at: Duration, by: Double)
        /// It cannot be told, for this reason.
        case unknown(String)
    }

    /// A chance below this is certainty: seven things are watched, and all of them together should be wrong once in thirty
    /// soaks at most (half of the chances are falls).
    static let certainty = 0.01
    /// Fewer samples, or less time, tell nothing.
    static let fewest = 30
    static let shortest = Duration.seconds(600)
    /// How many samples are judged: of more, the medians of stretches, which also are less alike than neighbours.
    static let most = 60

    /// How long it was watched, in hours.
    package var hours: Double { (end - start).seconds / 3600 }

    /// What it gained over the time watched, by the line.
    package var gain: Double { (line?.perHour ?? 0) * hours }

    /// Judges a series.
    /// - Parameter samples: since the beginning of the soak, in their order, without what comes of a warm-up.
    init(_ subject: Subject, host: String?, samples: [(time: Duration, value: Double)]) {
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
                    ? "it was not seen"
                    : "\(Wording.counted(samples.count, "sample")) over \(Wording.duration(end - start)) tell\(samples.count == 1 ? "s" : "") nothing; \(Self.fewest) over \(Wording.duration(Self.shortest)) would"
            )
            return
        }
        let series = Series(samples).thinned(to: Self.most)
        (state, line) = Self.judge(series, subject.relevance(level: level))
    }

    /// What a series does, and the line that says how fast, apart from a step where there is one.
    private static func judge(
        _ series: Series,
        _ relevance: (perHour: Double, gain: Double)
    ) -> (State, TrendLine?) {
        guard let line = TrendLine(hours: series.hours, values: series.values) else { return (.steady, nil) }
        // One step is no leak: without it, nothing may be left that grows.
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
        // What warms up slowly grows ever less; what leaks goes on.
        let late = series.lateHalf
        guard let left = TrendLine(hours: late.hours, values: late.values), left.perHour >= line.perHour / 3 else {
            return .settled
        }
        return .growing
    }
}

extension SoakTrend {
    /// In a few words: `+1.2 MiB/h ± 0.9 MiB, p = 0.003`.
    package var figures: String? {
        guard let line else { return nil }
        let slope = Wording.signed(line.perHour, subject.amount)
        return "\(slope)/h ± \(subject.amount(line.margin)), \(Wording.chance(line.chance))"
    }

    /// What it means, in a few words.
    package var meaning: String {
        switch state {
        case .steady: "steady"
        case .growing: subject == .latency ? "it gets slower" : "it grows"
        case .slight: "grows too little to matter"
        case .falling: "falls"
        case .settled: "grew, and has levelled off"
        case .stepped(let time, let height):
            "steady but for a step of \(Wording.signed(height, subject.amount)) at \(Wording.moment(time))"
        case .unknown(let reason): reason
        }
    }
}
