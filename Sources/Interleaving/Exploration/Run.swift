/// One run of a body: what decided it, what happened and how it ended.
public struct Run: Sendable {
    /// What the data of the run came from.
    public let seed: UInt64
    /// The name of the strategy that chose.
    public let strategy: String
    public let steps: [Step]
    public let verdict: Verdict
    /// Where its steps were, for ``labels()``.
    var trail = Trail()

    public init(seed: UInt64, strategy: String, steps: [Step], verdict: Verdict) {
        self.seed = seed
        self.strategy = strategy
        self.steps = steps
        self.verdict = verdict
    }

    /// The order of the run, for a replay.
    public var schedule: Schedule { Schedule(following: steps) }

    /// A number of all that happened, the same in every process: two runs with the same hash took the same steps.
    public var traceHash: UInt64 { steps.span.traceHash }
}

extension Span<Step> {
    /// A number of all that happened, the same in every process.
    public var traceHash: UInt64 {
        var hash = UInt64(count)
        for index in indices {
            let step = self[index]
            hash = mix(hash, step.choice.event.task)
            hash = mix(
                hash,
                UInt64(step.choice.event.ordinal) << 32 | UInt64(step.choice.executor & 0xffff) << 16
                    | UInt64(step.choice.kind.rawValue) << 8 | UInt64(step.choice.priority)
            )
            hash = mix(hash, UInt64(step.alternatives) << 32 | UInt64(step.position))
            hash = mix(hash, UInt64(bitPattern: step.time))
        }
        return hash
    }
}
