public import Interleaving
public import SceneRaces
public import Testing

/// A trait that searches the orders of a scenario's events, in an app with code of its own, for one that goes wrong.
///
/// The scenario is the test. The body of the test runs once, after a search that found nothing, and is usually empty.
///
/// A race is an issue at the test, made as small as possible: what went wrong, the two steps whose order decides, and the line that
/// repeats it. The same is left in a folder of the test's own: `race.json`, which repeats it, and `race.html`, a page about it.
///
/// These variables of the environment win over the code:
///
/// - `INTERLEAVING_SEED`: the seed, decimal, or hexadecimal after `0x`;
/// - `INTERLEAVING_ITERATIONS`: how many orders to run, at least 1;
/// - `INTERLEAVING_TIME_LIMIT`: how long to go on at most, such as `500ms`, `10s`, `5m` or `1h`;
/// - `INTERLEAVING_CHECK_DETERMINISM`: how many orders to repeat, to see whether the app depends on the seed alone, from 0;
/// - `INTERLEAVING_REPLAY`: the one order to repeat, as a failure prints it, or the path of its `race.json`.
public struct RaceTrait: TestTrait, TestScoping {
    let settings: RaceTestSettings

    fileprivate init(
        _ scenario: RaceTestSettings.Source,
        in app: RaceApp,
        _ options: Race.Options,
        artifacts: String,
        file: String
    ) {
        settings = RaceTestSettings(scenario: scenario, app: app, options: options, artifacts: artifacts, file: file)
    }

    /// Searches, records what is found, and then runs the body of the test if nothing was.
    /// - Throws: What the body throws.
    public func provideScope(
        for test: Test,
        testCase: Test.Case?,
        performing function: @Sendable () async throws -> Void
    ) async throws {
        if await RaceTest(settings, of: test).passes() { try await function() }
    }
}

extension Trait where Self == RaceTrait {
    /// Searches the orders of a scenario in a file.
    /// - Parameters:
    ///   - scenario: The scenario's file, YAML or JSON, looked for beside the test's file and in the folder in which the tests run. It
    ///     happens in the manifest of `app`, unless it names another.
    ///   - app: The app, with its code.
    ///   - strategy: The strategy that chooses the orders.
    ///   - iterations: How many orders to run, at least 1.
    ///   - seed: The seed of the orders; `nil` draws a new one each time, which a failure names.
    ///   - timeLimit: How long to go on at most, in real time; `nil` sets no limit.
    ///   - jobs: How many processes run orders, 0 to 256; 0 means that this one does, which an order that traps ends. Others are forks,
    ///     for tests that run while no other test does, as with `swift test --no-parallel`.
    ///   - artifacts: Where a race is left, in a folder of the test's own.
    ///   - file: The test's file.
    public static func race(
        _ scenario: String,
        in app: RaceApp,
        strategy: StrategyName = .portfolio,
        iterations: Int = 1_000,
        seed: UInt64? = nil,
        timeLimit: Duration? = nil,
        jobs: Int = 0,
        artifacts: String = "test-results",
        file: String = #filePath
    ) -> Self {
        let options = Race.Options(
            iterations: iterations,
            timeLimit: timeLimit,
            seed: seed,
            strategy: strategy,
            shrinks: true,
            jobs: jobs
        )
        return Self(.file(scenario), in: app, options, artifacts: artifacts, file: file)
    }

    /// Searches the orders of a scenario that stands in the test.
    /// - Parameters:
    ///   - text: The scenario, YAML or JSON. Files that it names are looked for beside the test's file.
    ///   - app: The app, with its code.
    ///   - strategy: The strategy that chooses the orders.
    ///   - iterations: How many orders to run, at least 1.
    ///   - seed: The seed of the orders; `nil` draws a new one each time, which a failure names.
    ///   - timeLimit: How long to go on at most, in real time; `nil` sets no limit.
    ///   - jobs: As for ``race(_:in:strategy:iterations:seed:timeLimit:jobs:artifacts:file:)``.
    ///   - artifacts: Where a race is left, in a folder of the test's own.
    ///   - file: The test's file.
    public static func race(
        text: String,
        in app: RaceApp,
        strategy: StrategyName = .portfolio,
        iterations: Int = 1_000,
        seed: UInt64? = nil,
        timeLimit: Duration? = nil,
        jobs: Int = 0,
        artifacts: String = "test-results",
        file: String = #filePath
    ) -> Self {
        let options = Race.Options(
            iterations: iterations,
            timeLimit: timeLimit,
            seed: seed,
            strategy: strategy,
            shrinks: true,
            jobs: jobs
        )
        return Self(.text(text), in: app, options, artifacts: artifacts, file: file)
    }
}

/// What a test wants searched, and how.
struct RaceTestSettings: Sendable {
    /// Where the scenario is.
    enum Source: Sendable {
        case file(String)
        case text(String)
    }

    let scenario: Source
    let app: RaceApp
    let options: Race.Options
    /// The folder in which tests leave what they have found.
    let artifacts: String
    /// The test's file.
    let file: String
}
