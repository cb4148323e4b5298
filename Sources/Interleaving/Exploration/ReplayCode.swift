/// A run in one word that a shell needs no quotes for: the seed of its data and its deviations, such as
/// `1-9f86d081884c7d65-3.1_17.2` for version 1, the seed in hexadecimal, and position 1 at step 3 and 2 at step 17.
public struct ReplayCode: Hashable, Sendable, CustomStringConvertible {
    public let seed: UInt64
    public let schedule: Schedule

    public init(seed: UInt64, schedule: Schedule) {
        self.seed = seed
        self.schedule = schedule
    }

    public var description: String {
        let deviations = schedule.deviations.map { "\($0.step).\($0.position)" }.joined(separator: "_")
        return "1-\(String(seed, radix: 16))-\(deviations.isEmpty ? "fifo" : deviations)"
    }

    /// Reads the word.
    public init(parsing text: some StringProtocol) throws(ReplayCodeError) {
        let text = String(text)
        let parts = text.split(separator: "-", omittingEmptySubsequences: false)
        guard parts.count == 3 else { throw ReplayCodeError(text: text, problem: "it has not three parts") }
        guard parts[0] == "1" else {
            throw ReplayCodeError(text: text, problem: "it is of version \(parts[0]), and only 1 is known")
        }
        guard let seed = UInt64(parts[1], radix: 16) else {
            throw ReplayCodeError(text: text, problem: "its seed '\(parts[1])' is not hexadecimal of 64 bits")
        }
        var deviations: [Deviation] = []
        if parts[2] != "fifo" {
            for part in parts[2].split(separator: "_", omittingEmptySubsequences: false) {
                let numbers = part.split(separator: ".", omittingEmptySubsequences: false).map { Int($0) }
                guard numbers.count == 2, let step = numbers[0], let position = numbers[1], step >= 0, position > 0
                else {
                    throw ReplayCodeError(
                        text: text,
                        problem: "'\(part)' is not a step from 0 and a position from 1 with a dot between"
                    )
                }
                deviations.append(Deviation(step: step, position: position))
            }
        }
        self.init(seed: seed, schedule: Schedule(deviations))
    }
}

/// A word that names no run.
public struct ReplayCodeError: Error, Hashable, Sendable, CustomStringConvertible {
    public let text: String
    public let problem: String

    public var description: String {
        "'\(text)' is no run: \(problem). Right would be 1-SEED-STEP.POSITION_STEP.POSITION… or 1-SEED-fifo, as a failure prints it"
    }
}
