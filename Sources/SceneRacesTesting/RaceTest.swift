internal import Basics
internal import Interleaving
internal import SceneRaces
internal import SceneRouting
internal import Testing

/// One search for a test, or one replay, and the issues that come of it.
struct RaceTest {
    private let settings: RaceTestSettings
    private let test: Test
    private let environment: @Sendable (String) -> String?
    private let patience: Duration

    /// - Parameters:
    ///   - environment: The value of a variable of the environment, `nil` if it is not set.
    ///   - patience: How long nothing may happen in an order, in real time, until the code counts as blocked. Orders take milliseconds.
    init(
        _ settings: RaceTestSettings,
        of test: Test,
        environment: @escaping @Sendable (String) -> String? = Environment.value,
        patience: Duration = .seconds(30)
    ) {
        self.settings = settings
        self.test = test
        self.environment = environment
        self.patience = patience
    }

    /// Searches or replays, and records what is found, or what makes a search impossible, as an issue of the test.
    /// - Returns: Whether nothing is wrong.
    func passes() async -> Bool {
        do {
            // Read first: the file to repeat may be what an earlier run left in the folder that this one empties.
            let orders = try RaceOrders(environment)
            let artifacts = RaceArtifacts(of: test, in: settings.artifacts, clears: orders.code == nil)
            let (text, path) = try scenario()
            let race = try settings.app.race(
                text,
                file: path,
                mailbox: orders.file?.mailbox ?? .fifo,
                readFile: TextFile.read
            )
            for warning in race.scenario.warnings { record("\(warning)", severity: .warning) }
            let (report, found) =
                if let code = orders.code {
                    (nil, try await replayed(code, orders, race)) as (RaceReport?, FoundRace?)
                } else {
                    try await searched(race, orders.applied(to: settings.options))
                }
            guard let found else { return true }
            record(found, report, artifacts, race.scenario.name)
        } catch {
            record("\(error)")
        }
        return false
    }

    /// - Throws: ``RaceTestError`` if the scenario has one order alone.
    private func searched(_ race: Race, _ options: Race.Options) async throws -> (RaceReport?, FoundRace?) {
        var options = options
        options.countsEnds = true
        let report = try await watching(race) { [options] in try await race.search(options) }
        guard report.exploration.hadChoices else {
            throw RaceTestError(
                "\(race.scenario.name): nothing happens at the same time, so there is nothing to choose; give it at least two actors"
            )
        }
        return (report, report.found)
    }

    /// Runs orders, and tells of code that does not return, which would keep the test waiting without a word.
    private func watching<Result: Sendable>(
        _ race: Race,
        _ run: @escaping @Sendable () async throws -> Result
    ) async throws -> Result {
        let watch = Task { await tellIfBlocked(race) }
        defer { watch.cancel() }
        return try await run()
    }

    /// Tells, once for each record, that nothing has followed it for too long. It goes on until it is cancelled.
    private func tellIfBlocked(_ race: Race) async {
        var last = race.progress
        var isTold = false
        while (try? await Task.sleep(for: patience)) != nil {
            let now = race.progress
            let isStill = now.isStill(since: last)
            if isStill, !isTold {
                record(
                    "\(race.scenario.name): the app's code blocks its thread: nothing has happened for \(patience), and the last was \(now.doing ?? "the beginning"). Let it await what it waits for, in a task, or put something else in its place in tests"
                )
            }
            (last, isTold) = (now, isStill)
        }
    }

    private func replayed(_ code: ReplayCode, _ orders: RaceOrders, _ race: Race) async throws -> FoundRace? {
        for mismatch in orders.file?.mismatches(test: race.scenario.name) ?? [] { record(mismatch, severity: .warning) }
        // Nobody watches: somebody may have stopped it in a debugger.
        let (run, found, _) = try await race.replay(code, inWorker: settings.options.jobs > 0)
        for difference in orders.file?.differences(from: run) ?? [] {
            record("the order was repeated, but \(difference)", severity: .warning)
        }
        return found
    }

    private func record(_ found: FoundRace, _ report: RaceReport?, _ artifacts: RaceArtifacts, _ scenario: String) {
        let filter = ([test.id.moduleName] + test.id.nameComponents.map { String($0.prefix { $0 != "(" }) })
        let command = "swift test --filter \("\(filter[0]).\(filter.dropFirst().joined(separator: "/"))".shellWord)"
        let replay = { (code: ReplayCode) in "INTERLEAVING_REPLAY=\(code) \(command)" }
        let told = found.report(of: scenario, report, replay: replay(found.code))
        guard found.run.verdict.isFailure else {
            let first = report?.exploration.failure?.verdict.description ?? "it went wrong"
            return record(
                "\(scenario): \(first), but not when the same order was repeated: the app depends on something other than the seed, such as a real clock, a thread, or state that outlives a run\n\(told.withoutRepetition.summary)"
            )
        }
        let page = RacePage.text(found, told, report, replay: replay)
        let kept = artifacts.kept(found.file(of: scenario), page: page, command: command)
        record("\(told.summary)\n\(kept)")
    }

    private func record(_ text: String, severity: Issue.Severity = .error) {
        Issue.record(Comment(rawValue: text), severity: severity, sourceLocation: test.sourceLocation)
    }

    /// The scenario's text, and the path that problems name.
    private func scenario() throws(RaceTestError) -> (text: String, path: String) {
        switch settings.scenario {
        case .text(let text): return (text, settings.file)
        case .file(let name):
            let folder = settings.file.lastIndex(of: "/").map { String(settings.file[..<$0]) } ?? "."
            for path in name.hasPrefix("/") ? [name] : ["\(folder)/\(name)", name] where TextFile.exists(path) {
                return (try TextFile.read(path), path)
            }
            throw RaceTestError(
                name.hasPrefix("/")
                    ? "there is no scenario '\(name)'"
                    : "there is no scenario '\(name)' in \(folder) or in the folder in which the tests run"
            )
        }
    }
}

/// Why a race cannot be searched as the test says: what is wrong, and what would be right.
struct RaceTestError: Error, Hashable, CustomStringConvertible {
    /// One sentence without full stop.
    let description: String

    init(_ description: String) { self.description = description }
}
