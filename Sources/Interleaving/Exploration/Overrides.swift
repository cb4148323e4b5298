internal import CInterleaving

/// Settings from the environment that win over the code, for investigating a failure.
package struct Overrides: Hashable, Sendable {
    /// `INTERLEAVING_SEED`: decimal, or hexadecimal after `0x`.
    package var seed: UInt64?
    /// `INTERLEAVING_ITERATIONS`: at least 1.
    package var iterations: Int?
    /// `INTERLEAVING_TIME_LIMIT`: a number and `ms`, `s`, `m` or `h`.
    package var timeLimit: Duration?
    /// `INTERLEAVING_CHECK_DETERMINISM`: how many runs are repeated; 0 turns the check off.
    package var determinismChecks: Int?
    /// `INTERLEAVING_REPLAY`: the run to repeat instead of exploring.
    package var replay: ReplayCode?
    /// `INTERLEAVING_ARGUMENTS`: the arguments of the only case of a parameterised test to run; all cases run if it is not set.
    package var arguments: String?

    package init() {}

    /// Reads the environment of the process.
    package static func fromEnvironment() throws(OverrideError) -> Overrides {
        try Overrides { name in interleaving_environment(name).map { String(cString: $0) } }
    }

    /// - Parameter value: The value of a variable, or nil if it is not set. An empty value counts as not set.
    package init(_ value: (String) -> String?) throws(OverrideError) {
        arguments = value("INTERLEAVING_ARGUMENTS").flatMap { $0.isEmpty ? nil : $0 }
        func read<T>(_ name: String, _ right: String, _ parse: (String) -> T?) throws(OverrideError) -> T? {
            guard let text = value(name), !text.isEmpty else { return nil }
            guard let parsed = parse(text) else {
                throw OverrideError(name: name, value: text, problem: "expected \(right)")
            }
            return parsed
        }
        seed = try read("INTERLEAVING_SEED", "a number from 0 to \(UInt64.max), or 0x and hexadecimal") { text in
            text.hasPrefix("0x") ? UInt64(text.dropFirst(2), radix: 16) : UInt64(text)
        }
        iterations = try read("INTERLEAVING_ITERATIONS", "a number of at least 1") { text in
            Int(text.filter { $0 != "_" }).flatMap { $0 >= 1 ? $0 : nil }
        }
        timeLimit = try read("INTERLEAVING_TIME_LIMIT", "a number above 0 and a unit, such as 500ms, 10s, 5m or 1h") {
            Self.duration($0)
        }
        determinismChecks = try read("INTERLEAVING_CHECK_DETERMINISM", "the number of runs to repeat, from 0") { text in
            Int(text).flatMap { $0 >= 0 ? $0 : nil }
        }
        if let text = value("INTERLEAVING_REPLAY"), !text.isEmpty {
            do throws(ReplayCodeError) {
                replay = try ReplayCode(parsing: text)
            } catch {
                throw OverrideError(name: "INTERLEAVING_REPLAY", value: text, problem: error.description)
            }
        }
    }

    private static func duration(_ text: String) -> Duration? {
        let digits = text.prefix { $0.isASCII && $0.isNumber }
        guard let number = Int64(digits), number > 0 else { return nil }
        return switch text.dropFirst(digits.count) {
        case "ms": .milliseconds(number)
        case "s": .seconds(number)
        case "m": number <= 1_000_000 ? .seconds(number * 60) : nil
        case "h": number <= 10_000 ? .seconds(number * 3600) : nil
        default: nil
        }
    }
}

/// An environment variable has a value that it cannot have.
package struct OverrideError: Error, Hashable, Sendable, CustomStringConvertible {
    /// The variable.
    package let name: String
    /// The value that was found.
    package let value: String
    /// What is wrong, and what would be right.
    package let problem: String

    package var description: String { "\(name)=\(value): \(problem)" }
}

extension ExplorationOptions {
    /// The options, with the settings of the environment where it has any.
    package func overridden(by overrides: Overrides) -> ExplorationOptions {
        var options = self
        if let seed = overrides.seed { options.seed = seed }
        if let iterations = overrides.iterations { options.iterations = iterations }
        if let limit = overrides.timeLimit { options.timeLimit = limit }
        if let checks = overrides.determinismChecks { options.determinismChecks = checks }
        return options
    }
}
