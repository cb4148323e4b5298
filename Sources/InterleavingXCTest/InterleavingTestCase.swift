internal import Basics
public import Interleaving
public import XCTest

/// A test case of XCTest whose assertions, in an exploration, fail the run that is made, and not the test.
///
/// ```swift
/// final class AccountTests: InterleavingTestCase {
///     func testBothDepositsArrive() async throws {
///         try await assertInEveryOrder {
///             let account = Account()
///             async let one: Void = account.deposit(1)
///             async let other: Void = account.deposit(1)
///             _ = await (one, other)
///             let balance = await account.balance
///             XCTAssertEqual(balance, 2)
///         }
///     }
/// }
/// ```
open class InterleavingTestCase: XCTestCase {
    /// Runs a body in many orders of its tasks, and fails the test if an order fails: once, with a report and the word that repeats it. It
    /// fails by an assertion, by an error that it throws, or by what ``/Interleaving/RunVerdict`` has besides.
    ///
    /// The variables of the environment that `InterleavingTesting` knows win over the options; `INTERLEAVING_REPLAY` repeats one order.
    /// - Parameters:
    ///   - options: How much to explore, and how.
    ///   - requiresComplete: Whether the test fails unless every order was explored, by a strategy that can tell.
    ///   - file: The file of a failure that no assertion has a place for.
    ///   - line: The line of it.
    ///   - body: What is explored. It must not depend on anything that differs from run to run.
    /// - Throws: `ExplorationError`, or what is wrong with a variable of the environment.
    public func assertInEveryOrder(
        _ options: ExplorationOptions = ExplorationOptions(),
        requiresComplete: Bool = false,
        file: StaticString = #filePath,
        line: UInt = #line,
        _ body: @escaping @Sendable () async throws -> Void
    ) async throws {
        let overrides = try Overrides.fromEnvironment()
        let body: ExplorationBody = { _ in try await body() }
        let name = name
        let command = "swift test --filter '\(name)'"
        if let code = overrides.replay {
            let run = try await replay(code, settings: options.settings, body: body)
            print("repeated “\(name)” in the order \(code): \(run.verdict.kind)")
            if let misfit = run.misfit(with: code, search: command) {
                print("\(file):\(line): warning: \(misfit)")
            }
            if run.verdict.isFailure { XCTFail("\(run.ending())\nreplay of \(code)", file: file, line: line) }
            return
        }
        let exploration = try await explore(options.overridden(by: overrides), body: body)
        guard let failure = exploration.failure else {
            Self.saysWhatIsTakenForGranted
            print("explored “\(name)”: \(exploration.whatWasSeen)")
            if requiresComplete, let reason = exploration.reasonNotComplete(options) {
                XCTFail(reason, file: file, line: line)
            } else if let warning = exploration.warning {
                // XCTest has no warnings.
                print("\(file):\(line): warning: \(warning)")
            }
            return
        }
        var report = try await withExplorationRunner(options.settings, body: body) { runner in
            try runner.report(on: failure, of: exploration, title: name) {
                "\(DeterministicHashing.prefix)INTERLEAVING_REPLAY=\($0) \(command)"
            }
        }
        report.search = command
        XCTFail(report.summary, file: file, line: line)
    }

    /// Says once in a process what each test takes for granted.
    private static let saysWhatIsTakenForGranted: Void = print(
        "explored tests take for granted that \(Exploration.sharing)"
    )

    #if os(Linux)
        /// Fails the run on this thread, if a simulation makes one; else the test, as ever.
        open override func recordFailure(
            withDescription description: String,
            inFile file: String,
            atLine line: Int,
            expected: Bool
        ) {
            let name = file.split(separator: "/").last.map(String.init) ?? file
            guard !failRun("\(description) at \(name):\(line)") else { return }
            super.recordFailure(withDescription: description, inFile: file, atLine: line, expected: expected)
        }
    #endif
}
