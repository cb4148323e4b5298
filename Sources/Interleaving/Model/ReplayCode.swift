/// A run as one word that needs no quotes in a shell: the seed of its data and its deviations, such as
/// `1-9f86d081884c7d65-3.1_17.2x40` for version 1, the seed in hexadecimal, position 1 at step 3, and position 2 at step 17, from where on
/// what came first is held back for 40 steps.
///
/// Version 1 counts jobs that run whole, version 2 jobs that are stopped, version 3 those that are stopped at locks, too: see
/// ``SimulationSettings/Granularity``.
public struct ReplayCode: Hashable, Sendable, CustomStringConvertible {
    /// The seed of the run's data.
    public let seed: UInt64
    /// The order of the run.
    public let schedule: RunSchedule
    /// Where the jobs of the run were stopped, which its steps depend on.
    public let granularity: SimulationSettings.Granularity

    /// - Parameters: As the properties.
    public init(seed: UInt64, schedule: RunSchedule, granularity: SimulationSettings.Granularity = .jobs) {
        self.seed = seed
        self.schedule = schedule
        self.granularity = granularity
    }

    /// The word.
    public var description: String {
        let deviations = schedule.deviations.map { deviation in
            "\(deviation.step).\(deviation.position)" + (deviation.count > 1 ? "x\(deviation.count)" : "")
        }.joined(separator: "_")
        return "\(granularity.version)-\(String(seed, radix: 16))-\(deviations.isEmpty ? "fifo" : deviations)"
    }

    /// Reads the word.
    /// - Throws: ``ReplayCodeError``, which says which part is wrong.
    public init(parsing text: some StringProtocol) throws(ReplayCodeError) {
        let text = String(text)
        let parts = text.split(separator: "-", omittingEmptySubsequences: false)
        guard parts.count == 3 else { throw ReplayCodeError(text: text, problem: "it does not have three parts") }
        guard let granularity = SimulationSettings.Granularity.allCases.first(where: { "\($0.version)" == parts[0] })
        else { throw ReplayCodeError(text: text, problem: "its version is \(parts[0]), and only 1, 2 and 3 are known") }
        guard let seed = UInt64(parts[1], radix: 16) else {
            throw ReplayCodeError(text: text, problem: "its seed '\(parts[1])' is not a hexadecimal number of 64 bits")
        }
        var deviations: [RunDeviation] = []
        if parts[2] != "fifo" {
            for part in parts[2].split(separator: "_", omittingEmptySubsequences: false) {
                guard let deviation = Self.deviation(part) else {
                    throw ReplayCodeError(
                        text: text,
                        problem:
                            "'\(part)' is not a step of at least 0, a dot, and a position of at least 1, and, if it lasts, an x and for how many steps"
                    )
                }
                deviations.append(deviation)
            }
        }
        self.init(seed: seed, schedule: RunSchedule(deviations), granularity: granularity)
    }

    /// `3.1`, or `3.1x40`.
    private static func deviation(_ part: Substring) -> RunDeviation? {
        let numbers = part.split(separator: ".", omittingEmptySubsequences: false)
        guard numbers.count == 2, let step = Int(numbers[0]), step >= 0 else { return nil }
        let lengths = numbers[1].split(separator: "x", omittingEmptySubsequences: false).map { Int($0) }
        guard let position = lengths[0], position > 0, lengths.count < 3 else { return nil }
        guard lengths.count == 2 else { return RunDeviation(step: step, position: position) }
        return lengths[1].flatMap { $0 > 0 ? RunDeviation(step: step, position: position, count: $0) : nil }
    }

    /// Whether simulations with these settings take the steps that the code counts.
    /// - Throws: ``ExplorationError/otherSteps(_:_:)`` or ``ExplorationError/cannotStop(_:reason:)``. A first-in-first-out run fits all.
    package func requireSteps(of settings: SimulationSettings) throws(ExplorationError) {
        guard !schedule.deviations.isEmpty, granularity != settings.effectiveGranularity else { return }
        if granularity == settings.granularity, let reason = SimulationSettings.reasonNotToStop {
            throw .cannotStop(granularity, reason: reason)
        }
        throw .otherSteps(self, settings.granularity)
    }
}

extension SimulationSettings.Granularity {
    /// The version of codes that count such steps.
    var version: Int {
        switch self {
        case .jobs: 1
        case .stops: 2
        case .locks: 3
        }
    }
}

/// A text that is not a replay code.
public struct ReplayCodeError: Error, Hashable, Sendable, CustomStringConvertible {
    /// The text.
    public let text: String
    /// What is wrong with it.
    public let problem: String

    /// The text, what is wrong with it, and what would be right.
    public var description: String {
        "'\(text)' is not a replay code: \(problem). Expected 1-SEED-STEP.POSITION_STEP.POSITIONxSTEPS… or 1-SEED-fifo, or the same with 2 or 3, as a failure prints it"
    }
}
