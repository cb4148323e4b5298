internal import Glibc

/// Which shard a process is, of how many: `2/7`, or `7` where an engine says in the environment which one it starts.
package struct ShardNumber: Equatable {
    /// From 1.
    package let number: Int
    package let count: Int
    /// What a person should know who gave no number: which engine's variable counts, if those of several are set; `nil` if there is nothing.
    package let warning: String?

    /// What starts shards, and says in the environment which one.
    package struct Engine: Sendable {
        /// What it is, and what of it.
        package let name: String
        /// The variable in which it counts what it starts.
        package let variable: String
        /// What it calls the first.
        package let first: Int
        /// The variable that says how many there are; `nil` if there is none, or if it counts only those that are started together, as Slurm's does
        /// when it starts one of them again.
        package let count: String?

        init(_ name: String, _ variable: String, from first: Int, count: String? = nil) {
            (self.name, self.variable, self.first, self.count) = (name, variable, first, count)
        }
    }

    /// The engines, in the order in which they are asked.
    package static let engines = [
        Engine("Slurm's arrays", "SLURM_ARRAY_TASK_ID", from: 1),
        Engine("Kubernetes' indexed jobs", "JOB_COMPLETION_INDEX", from: 0),
        Engine("GNU parallel", "PARALLEL_SEQ", from: 1),
        Engine("GitLab", "CI_NODE_INDEX", from: 1, count: "CI_NODE_TOTAL"),
        Engine("CircleCI", "CIRCLE_NODE_INDEX", from: 0, count: "CIRCLE_NODE_TOTAL"),
        Engine("Buildkite", "BUILDKITE_PARALLEL_JOB", from: 0, count: "BUILDKITE_PARALLEL_JOB_COUNT"),
    ]

    /// The engines in a sentence, for help: each with where it counts from, and the variable that has to agree.
    package static let words = engines.map { engine in
        "\(engine.variable) (\(engine.name), from \(engine.first)\(engine.count.map { "; \($0) has to be 7, too" } ?? ""))"
    }.joined(separator: ", ")

    /// - Parameters:
    ///   - text: What was given.
    ///   - most: The most shards.
    ///   - environment: The value of a variable of the environment, if it is set; by default this process's. One that is empty counts as not set.
    /// - Throws: What is wrong with the text, or that no engine says a number that fits.
    package init(
        _ text: String,
        atMost most: Int,
        environment: (String) -> String? = { getenv($0).map { String(cString: $0) } }
    ) throws(CommandError) {
        let parts = text.split(separator: "/", omittingEmptySubsequences: false).map(Self.number)
        guard parts.count <= 2, let last = parts.last, let count = last, 1...most ~= count else {
            throw .usage("--shard \(text): \(Self.expected(most)).")
        }
        self.count = count
        if parts.count == 2 {
            guard let given = parts[0], 1...count ~= given else {
                throw .usage("--shard \(text): \(Self.expected(most)).")
            }
            (number, warning) = (given, nil)
            return
        }
        func value(_ variable: String) -> String? { environment(variable).flatMap { $0.isEmpty ? nil : $0 } }
        let those = Self.engines.filter { value($0.variable) != nil }
        guard let engine = those.first, let index = value(engine.variable) else {
            let names = Self.engines.map(\.variable).joined(separator: ", ")
            throw .usage("--shard \(text): none of \(names) says which shard this is; give it as K/\(count).")
        }
        if let variable = engine.count, let size = value(variable), Self.number(size[...]) != count {
            throw .usage("--shard \(text): \(variable) is '\(size)'; expected \(count), as many as there are shards.")
        }
        guard let given = Self.number(index[...]), engine.first...(count - 1 + engine.first) ~= given else {
            throw .usage(
                "--shard \(text): \(engine.variable) is '\(index)'; expected \(engine.first) to \(count - 1 + engine.first)."
            )
        }
        number = given - engine.first + 1
        let others = those.dropFirst().map(\.variable).joined(separator: ", ")
        warning =
            others.isEmpty
            ? nil
            : "--shard \(text): \(engine.variable) counts, so this is shard \(number); also set: \(others). If one of those should count, give --shard K/\(count)."
    }

    /// A number in decimal digits, without a sign.
    private static func number(_ text: Substring) -> Int? {
        text.utf8.allSatisfy { UInt8(ascii: "0")...UInt8(ascii: "9") ~= $0 } ? Int(text) : nil
    }

    private static func expected(_ most: Int) -> String {
        "expected K/N, such as 2/7, or N alone, with 1 ≤ K ≤ N ≤ \(most)"
    }
}
