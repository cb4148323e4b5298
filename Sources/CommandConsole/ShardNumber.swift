internal import Glibc

/// Which shard a process is, of how many: `2/7`, or `7` where an engine says in the environment which one it starts.
package struct ShardNumber: Equatable {
    /// From 1.
    package let number: Int
    package let count: Int

    /// The variables in which engines count what they start, with what they call the first.
    package static let engines: [(variable: String, first: Int, engine: String)] = [
        ("SLURM_ARRAY_TASK_ID", 1, "Slurm's arrays, from 1"), ("JOB_COMPLETION_INDEX", 0, "Kubernetes' indexed jobs"),
        ("PARALLEL_SEQ", 1, "GNU parallel"), ("CI_NODE_INDEX", 1, "GitLab"), ("CIRCLE_NODE_INDEX", 0, "CircleCI"),
        ("BUILDKITE_PARALLEL_JOB", 0, "Buildkite"),
    ]

    /// - Parameters:
    ///   - text: What was given.
    ///   - most: The most shards.
    ///   - environment: The value of a variable of the environment, if it is set; by default this process's.
    /// - Throws: What is wrong with the text, or that no engine says a number that fits.
    package init(
        _ text: String,
        atMost most: Int,
        environment: (String) -> String? = { getenv($0).map { String(cString: $0) } }
    ) throws(CommandError) {
        let parts = text.split(separator: "/", omittingEmptySubsequences: false).map { Int($0) }
        guard parts.count <= 2, let last = parts.last, let count = last, 1...most ~= count else {
            throw .usage("--shard \(text): \(Self.expected(most)).")
        }
        self.count = count
        if parts.count == 2 {
            guard let given = parts[0], 1...count ~= given else {
                throw .usage("--shard \(text): \(Self.expected(most)).")
            }
            number = given
            return
        }
        guard let engine = Self.engines.first(where: { environment($0.variable) != nil }) else {
            let names = Self.engines.map(\.variable).joined(separator: ", ")
            throw .usage("--shard \(text): none of \(names) says which shard this is; give it as K/\(count).")
        }
        let value = environment(engine.variable) ?? ""
        guard let index = Int(value), engine.first...(count - 1 + engine.first) ~= index else {
            throw .usage(
                "--shard \(text): \(engine.variable) is '\(value)'; expected \(engine.first) to \(count - 1 + engine.first)."
            )
        }
        number = index - engine.first + 1
    }

    private static func expected(_ most: Int) -> String {
        "expected K/N, such as 2/7, or N alone, with 1 ≤ K ≤ N ≤ \(most)"
    }
}
