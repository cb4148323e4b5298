import Interleaving
import InterleavingTesting
import Basics
import Foundation
import Synchronization
import TestFixtures
import Testing

@Suite("The trait")
struct TraitTests {
    actor Account {
        nonisolated let executor = SimulatedExecutor(name: "account")
        nonisolated var unownedExecutor: UnownedSerialExecutor { executor.asUnownedSerialExecutor() }
        var balance = 0
        func read() -> Int { balance }
        func write(_ value: Int) { balance = value }
        func add(_ value: Int) { balance += value }
    }

    static let runs = Atomic<Int>(0)

    @Test("runs a correct body many times", .interleavings(iterations: 200, strategy: .random, seed: 1))
    func passes() async {
        Self.runs.add(1, ordering: .relaxed)
        let account = Account()
        await withTaskGroup { group in
            for _ in 0..<3 { group.addTask { await account.add(1) } }
        }
        #expect(await account.balance == 3)
        #expect(isSimulated)
    }

    @Test(
        "finds an expectation that fails in some orders, and reports it once, at its place, with the line that repeats it",
        .expectedIssue { issue in
            issue.sourceLocation?.fileName == "TraitTests.swift"
                && issue.description.contains("Expectation failed")
                && issue.comments.contains {
                    // The line stands by itself, with what this process was given.
                    let version = SimulationSettings().granularity == .jobs ? 1 : 2
                    return $0.rawValue.contains("  \(DeterministicHashing.prefix)INTERLEAVING_REPLAY=\(version)-")
                }
        },
        .interleavings(iterations: 500, strategy: .random, seed: 1)
    )
    func finds() async {
        let account = Account()
        await withTaskGroup { group in
            for _ in 0..<2 {
                group.addTask {
                    let balance = await account.read()
                    await account.write(balance + 1)
                }
            }
        }
        let balance = await account.balance
        #expect(balance == 2)
    }

    @Test(
        "reports a deadlock at the test",
        .expectedIssue { $0.description.contains("deadlock: task 0 waits for a continuation") },
        .interleavings(iterations: 10, strategy: .random, seed: 1)
    )
    func deadlocks() async {
        await withUnsafeContinuation { (_: UnsafeContinuation<Void, Never>) in }
    }

    @Test(
        "reports what a body throws",
        .expectedIssue { $0.description.contains("LostUpdate") || $0.description.contains("balance is 5") },
        .interleavings(iterations: 10, strategy: .random, seed: 1)
    )
    func throwing() async throws {
        await Task.yield()
        throw LostUpdate(balance: 5)
    }

    @Test(
        "runs every case of a parameterised test",
        .interleavings(iterations: 20, strategy: .random),
        arguments: [2, 3, 4]
    )
    func parameters(count: Int) async {
        let account = Account()
        await withTaskGroup { group in
            for _ in 0..<count { group.addTask { await account.add(1) } }
        }
        #expect(await account.balance == count)
    }

    /// Runs tests of this suite in another process.
    private func run(_ filter: String, _ environment: [String: String]) throws -> (status: Int32, text: String) {
        let tests = try Command(
            [
                try FileManager.default.destinationOfSymbolicLink(atPath: "/proc/self/exe"), "--testing-library",
                "swift-testing", "--filter", "TraitTests/\(filter)",
            ],
            environment: environment,
            mergingErrors: true
        )
        var text = ""
        while let line = tests.line() { text += line + "\n" }
        return (tests.end(), text)
    }

    @Test("where sets have the same order in every process, the line that repeats a failure says so, and works")
    func hashing() throws {
        let found = try run("finds", ["SWIFT_DETERMINISTIC_HASHING": "1"])
        #expect(found.status == 0, "\(found.text)")
    }

    @Test("a replay that does not fit names the order of sets as a cause, with the command that finds it again")
    func misfit() throws {
        let environment = ["INTERLEAVING_REPLAY": "2-1-5000.1", "INTERLEAVING_ARGUMENTS": "3"]
        let other = try run("parameters", environment.merging(["SWIFT_DETERMINISTIC_HASHING": "0"]) { $1 })
        #expect(
            other.text.contains("find the order and repeat it with SWIFT_DETERMINISTIC_HASHING=1 set"),
            "\(other.text)"
        )
        #expect(
            other.text.contains(
                "SWIFT_DETERMINISTIC_HASHING=1 INTERLEAVING_ARGUMENTS=3 swift test --filter 'parameters'"
            ),
            "\(other.text)"
        )
        let same = try run("parameters", environment.merging(["SWIFT_DETERMINISTIC_HASHING": "1"]) { $1 })
        #expect(same.text.contains("here SWIFT_DETERMINISTIC_HASHING=1 is set"), "\(same.text)")
    }

    private static let attempts = Atomic<Int>(0)

    @Test(
        "does not say how to run again what its order does not repeat, but why, and what to do instead",
        .expectedIssue { issue in
            let text = issue.description + issue.comments.map(\.rawValue).joined()
            return text.contains("not when the same order was repeated") && !text.contains("Run it again")
                && text.contains("Its order does not repeat it")
                && text.contains(
                    "INTERLEAVING_SEED=0x1 INTERLEAVING_CHECK_DETERMINISM=1000 swift test --filter 'unrepeatable'"
                )
        },
        .interleavings(iterations: 20, strategy: .random, seed: 1)
    )
    func unrepeatable() async {
        await Task.yield()
        // Only one run of the process fails.
        #expect(Self.attempts.add(1, ordering: .relaxed).newValue != 4)
    }

    @Test("one case of a parameterised test is chosen by its arguments; if there is none, the test fails")
    func chosenCase() throws {
        let name = "“runs every case of a parameterised test” with"
        func run(_ arguments: String) throws -> (status: Int32, text: String) {
            try self.run("parameters", ["INTERLEAVING_ARGUMENTS": arguments])
        }
        let chosen = try run("3")
        #expect(chosen.status == 0, "\(chosen.text)")
        #expect(
            chosen.text.contains("left out \(name) 2") && chosen.text.contains("explored \(name) 3: "),
            "\(chosen.text)"
        )
        let none = try run("9")
        #expect(none.status != 0 && none.text.contains("no case of this test has these arguments"), "\(none.text)")
    }

    @Test(
        "a case of a parameterised test is repeated by its arguments",
        .expectedIssue { issue in
            issue.comments.contains {
                $0.rawValue.contains(#"INTERLEAVING_ARGUMENTS='"it'\''s", 2' swift test --filter 'arguments'"#)
            }
        },
        .interleavings(iterations: 20, strategy: .random),
        arguments: ["it's"],
        [2]
    )
    func arguments(word: String, count: Int) async {
        await Task.yield()
        #expect(word.count == count)
    }

    @Test(
        "what is known and what warns is reported once, not in each order",
        .expectedIssue { !$0.isFailure && $0.comments.contains("a warning") },
        .expectedIssue { !$0.isFailure && $0.comments.contains("known") },
        .interleavings(iterations: 50, strategy: .random)
    )
    func known() async {
        await withTaskGroup { group in
            for _ in 0..<2 { group.addTask { await Task.yield() } }
        }
        Issue.record("a warning", severity: .warning)
        withKnownIssue("known") { Issue.record("known") }
    }
}

/// Expects exactly one issue that meets a condition, and removes it. All other issues stay.
struct ExpectedIssue: TestTrait, TestScoping {
    let matches: @Sendable (Issue) -> Bool

    func provideScope(
        for test: Test,
        testCase: Test.Case?,
        performing function: @Sendable () async throws -> Void
    ) async throws {
        let count = Guarded(0)
        try await withoutActuallyEscaping(function) { function in
            let handler = IssueHandlingTrait.compactMapIssues { issue in
                guard self.matches(issue) else { return issue }
                return count.withLock { count in
                    count += 1
                    return count == 1 ? nil : issue
                }
            }
            try await handler.provideScope(for: test, testCase: testCase, performing: function)
        }
        #expect(count.withLock { $0 } == 1, "the expected issue did not occur exactly once")
    }
}

extension Trait where Self == ExpectedIssue {
    static func expectedIssue(_ matches: @escaping @Sendable (Issue) -> Bool) -> Self {
        ExpectedIssue(matches: matches)
    }
}
