internal import Glibc
public import Testing

/// A trait that gives tests a daemon: one for a suite, whose tests take turns with it, or one for a test alone.
///
/// Each test finds the daemon as at its start, as ``TestApp/current``. At its end everything comes to rest, and the daemon's checker
/// judges what was recorded; a violated invariant is an issue of the test. Suites run in parallel, each with its own daemon.
public struct DaemonTrait: SuiteTrait, TestTrait, TestScoping {
    let settings: DaemonTestSettings

    /// Applied to a suite, the trait applies to every test in it, unless a suite or test within has its own.
    public var isRecursive: Bool { true }

    /// The suite has a scope, for its daemon, and so has each test, for its turn.
    public func scopeProvider(for test: Test, testCase: Test.Case?) -> Self? {
        test.isSuite || testCase != nil ? self : nil
    }

    /// Starts the suite's daemon, or has the test its turn, and judges it.
    /// - Throws: What the test throws, or why there is no daemon.
    @concurrent
    public func provideScope(
        for test: Test,
        testCase: Test.Case?,
        performing function: @concurrent @Sendable () async throws -> Void
    ) async throws {
        // Of several traits the innermost counts.
        guard test.traits.lazy.compactMap({ $0 as? DaemonTrait }).last?.settings == settings else {
            return try await function()
        }
        if test.isSuite {
            guard SuiteDaemon.current?.settings != settings else { return try await function() }
            try await SuiteDaemon.provide(settings) { try await function() }
        } else if !TestApp.current.isLive {
            try await SuiteDaemon.withDaemon(settings, for: test) { daemon in
                try await TestRun.perform(test, with: daemon, settings, function)
            }
        } else {
            try await function()
        }
    }
}

extension Trait where Self == DaemonTrait {
    /// Gives the tests a daemon.
    /// - Parameters:
    ///   - app: The manifest's file, looked for beside the test's file and in the folder in which the tests run; or an example:
    ///     shop, bank, club. By default the one of the daemon itself.
    ///   - clock: What time is for the app's windows.
    ///   - transition: How long a transition takes, in whole milliseconds; by default the daemon's.
    ///   - start: The date with which a virtual clock begins, in UTC, such as `2026-11-27T08:00Z`; by default now.
    ///   - seed: Determines what is random in the daemon.
    ///   - arguments: Further arguments of the daemon, such as `["--set", "mailbox=4"]`.
    ///   - program: The path or name of the daemon: `scened`, or one with the app's own code. By default that of the environment's
    ///     `SCENED`, else `scened` beside the tests, else the one in `PATH`.
    ///   - artifacts: Where a test that fails leaves its records, script and log, in a folder of its own.
    public static func daemon(
        app: String? = nil,
        clock: TestClock.Kind = .virtual,
        transition: Duration? = nil,
        start: String? = nil,
        seed: Int = 0,
        arguments: [String] = [],
        program: String? = nil,
        artifacts: String = "test-results",
        file: String = #filePath
    ) -> Self {
        Self(
            settings: DaemonTestSettings(
                app: app,
                clock: clock,
                transition: transition,
                start: start,
                seed: seed,
                arguments: arguments,
                program: program,
                artifacts: absolute(artifacts),
                folder: file.lastIndex(of: "/").map { String(file[..<$0]) } ?? "."
            )
        )
    }
}

/// The path from the root; a test may change the folder it works in.
private func absolute(_ path: String) -> String {
    guard !path.hasPrefix("/"), let folder = getcwd(nil, 0) else { return path }
    defer { free(folder) }
    return "\(String(cString: folder))/\(path)"
}

/// What a test wants of its daemon.
struct DaemonTestSettings: Hashable, Sendable {
    let app: String?
    let clock: TestClock.Kind
    let transition: Duration?
    let start: String?
    let seed: Int
    let arguments: [String]
    let program: String?
    /// Where tests that fail leave what they leave, from the root.
    let artifacts: String
    /// The folder of the test's file.
    let folder: String

    /// The arguments of the daemon.
    /// - Throws: ``DaemonTestError`` if there is no such manifest.
    func words() throws(DaemonTestError) -> [String] {
        var words = ["--clock", clock == .real ? "real" : "virtual"]
        if let app { words += ["--app", try manifest(app)] }
        if let transition { words += ["--transition", "\(transition.wholeMilliseconds)"] }
        if let start { words += ["--start", start] }
        return words + arguments
    }

    /// The path of a manifest; a word alone is an example, which the daemon knows.
    private func manifest(_ app: String) throws(DaemonTestError) -> String {
        guard app.contains(where: { $0 == "." || $0 == "/" }) else { return app }
        if app.hasPrefix("/") { return app }
        for place in ["\(folder)/\(app)", app] where access(place, R_OK) == 0 { return place }
        throw DaemonTestError(
            "there is no manifest '\(app)' in \(folder) or in the folder in which the tests run; expected a file, or shop, bank or club"
        )
    }
}

/// Why a test cannot go on as it is written: what is wrong, and what would be right.
public struct DaemonTestError: Error, Hashable, Sendable, CustomStringConvertible {
    /// One sentence without full stop.
    public let description: String

    init(_ description: String) { self.description = description }
}
