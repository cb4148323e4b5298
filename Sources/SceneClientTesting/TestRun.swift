internal import Basics
internal import SceneClient
internal import SceneHistory
internal import SceneRouting
internal import StrictJSON
internal import Testing

/// A test with its daemon, from its begin to the verdict.
final class TestRun: Sendable {
    /// How long the daemon has for an answer, in real time: longer than any busy machine needs.
    static let patience = Duration.seconds(60)
    /// The connection of the adapter that is being asked: the call about which it is asked keeps the test's own busy.
    @TaskLocal static var adapterClient: SceneClient?

    struct State {
        /// Whether a virtual clock goes on while the test waits.
        var isAutomatic: Bool
        /// The holds that are in force.
        var holds: [TestHold] = []
        /// The last event that the test sent to each window.
        var last: [String: TestEvent] = [:]
        var adapters: [TestAdapter] = []
        var changes: [(what: String, task: Task<Void, any Error>)] = []
        /// What a script of the test's calls does not repeat.
        var leftOut: Set<String> = []
        /// The manifest that was in force when it was last asked for.
        var app: KnownApp?
    }

    let daemon: PrivateDaemon
    private let ownClient: SceneClient
    let isVirtual: Bool
    /// The end of a transition is never further away, in milliseconds.
    private let longest: Int
    let state: Guarded<State>

    private init(_ daemon: PrivateDaemon, _ settings: DaemonTestSettings) async throws {
        self.daemon = daemon
        let client = try await daemon.client()
        ownClient = client
        _ = try await client.reset(seed: settings.seed)
        isVirtual = settings.clock != .real
        state = Guarded(State(isAutomatic: settings.clock == .virtual))
        let status = try await client.call("io.scened.Manager.GetStatus")
        let transition = (status["settings"]?.arrayValue ?? []).first { $0["key"] == "transition" }
        longest = Int(transition?["value"]?.stringValue ?? "") ?? 0
    }

    /// The connection on which to call the daemon.
    var client: SceneClient { Self.adapterClient ?? ownClient }

    // MARK: - From begin to end

    /// Performs a test with a daemon, and judges it.
    static func perform(
        _ test: Test,
        with daemon: PrivateDaemon,
        _ settings: DaemonTestSettings,
        _ body: @Sendable () async throws -> Void
    ) async throws {
        let logged = daemon.logSize
        let artifacts = TestArtifacts(of: test, settings)
        let hasFailed = Guarded(false)
        let watching = IssueHandlingTrait.compactMapIssues { issue in
            if issue.isFailure { hasFailed.withLock { $0 = true } }
            return issue
        }
        let run = try await TestRun(daemon, settings)
        // In a task of its own, because a test that has taken too long is cancelled.
        let end: @Sendable () async -> Void = {
            let isCancelled = Task.isCancelled
            await Task {
                await run.finish(test, isCancelled: isCancelled)
                if daemon.hasEnded || hasFailed.withLock(\.self) {
                    await artifacts.write(run, log: daemon.logged(after: logged), test)
                }
                await run.client.close()
            }.value
        }
        try await watching.provideScope(for: test, testCase: nil) {
            do {
                try await TestApp.$current.withValue(TestApp(run)) { try await body() }
            } catch {
                hasFailed.withLock { $0 = true }
                await end()
                throw error
            }
            await end()
        }
    }

    /// Takes back adapters, waits until everything rests, and judges the history. What is wrong are issues of the test.
    /// - Parameter isCancelled: Whether the test was: a daemon of its own ends with it then.
    private func finish(_ test: Test, isCancelled: Bool) async {
        for adapter in state.withLock(\.adapters) { await adapter.close() }
        if daemon.hasEnded {
            guard !isCancelled else { return }
            Issue.record(
                "\(daemon.program) has ended in this test; its log says why",
                sourceLocation: test.sourceLocation
            )
            return
        }
        do {
            try await settle()
            try await awaitChanges()
            _ = try await isAtRest(within: isVirtual ? .zero : Self.patience)
            if let violations = try await violations() {
                Issue.record("\(violations)", sourceLocation: test.sourceLocation)
            }
        } catch {
            Issue.record(error, sourceLocation: test.sourceLocation)
        }
    }

    /// What the records violate, with those records; `nil` if nothing is known to be violated.
    private func violations() async throws -> String? {
        let report = try HostReport(check: JSONReader(try await client.call("io.scened.Records.Check")))
        let violated = report.verdicts.compactMap { part -> (InvariantReport, [Violation])? in
            if case .violated(let violations, _) = part.verdict { (part, violations) } else { nil }
        }
        guard !violated.isEmpty else { return nil }
        let records = try await records()
        var lines = ["the records of this test violate what scened promises"]
        for (part, violations) in violated {
            lines.append("  \(part.invariant.rawValue) \(part.invariant.name): \(part.invariant.promise)")
            for violation in violations {
                lines.append("    \(violation.explanation)")
                let named = records.filter { violation.records.suffix(6).contains($0.index) }
                lines += named.map { "      \(JSONValue.object($0.reply).text(.compact).prefix(300))" }
            }
        }
        return lines.joined(separator: "\n")
    }

    /// Everything that was recorded.
    func records() async throws -> [ClientRecord] {
        var records: [ClientRecord] = []
        var position = 0
        while true {
            let (page, next) = try await client.records(after: position, limit: 10_000)
            records += page
            guard next > position else { return records }
            position = next
        }
    }

    // MARK: - Time and rest

    /// Advances a virtual clock.
    /// - Returns: The time, and when the next thing happens by itself, in milliseconds.
    func advance(by milliseconds: Int) async throws -> (now: Int, next: Int?) {
        let reply = try await within("the clock") {
            try await self.client.call("io.scened.Control.Advance", ["milliseconds": .integer(milliseconds)])
        }
        return (reply["now"]?.integerValue ?? 0, reply["next"]?.integerValue)
    }

    /// Lets everything happen that can, and time pass if the clock is automatic, until `isDone` says so or every window is idle,
    /// held, or waits for something that is further away than a transition lasts. For a virtual clock.
    func runUntil(_ isDone: () async throws -> Bool) async throws {
        try refuseInAdapter("wait for the windows")
        var reply = try await advance(by: 0)
        while try await !isDone(), state.withLock(\.isAutomatic), let next = reply.next, next - reply.now <= longest {
            reply = try await advance(by: next - reply.now)
        }
    }

    func settle() async throws {
        try refuseInAdapter("wait for the windows")
        if isVirtual {
            try await runUntil { false }
        } else if state.withLock(\.holds.isEmpty) {
            _ = try await isAtRest(within: Self.patience)
        }
    }

    /// Whether nothing is going on, nor held, or is so within this time.
    func isAtRest(within limit: Duration = .zero) async throws -> Bool {
        do {
            try await client.quiesce(timeout: limit)
            return true
        } catch {
            if case .timedOut = error.refusal { return false }
            throw error
        }
    }

    /// Begins to change a window's life, behind what is held in it, on a connection of its own: it ends only when that has ended.
    func beginChange(_ what: String, _ act: @escaping @Sendable (SceneClient) async throws -> Void) {
        state.withLock { state in
            let before = state.changes.last?.task
            let daemon = daemon
            let task = Task {
                _ = await before?.result
                let client = try await daemon.client()
                try await act(client)
                await client.close()
            }
            state.changes.append((what, task))
        }
    }

    /// Waits until the windows' lives have changed as asked within holds, unless a hold still keeps them.
    func awaitChanges() async throws {
        while let change = state.withLock({ $0.holds.isEmpty ? $0.changes.first : nil }) {
            try await settle()
            try await within("\(change.what)") { try await change.task.value }
            state.withLock { _ = $0.changes.removeFirst() }
            try await settle()
        }
    }

    /// What `body` returns, if it does so within ``patience``.
    func within<Result: Sendable>(
        _ what: @autoclosure () -> String,
        _ body: @escaping @Sendable () async throws -> Result
    ) async throws -> Result {
        let result = try await withThrowingTaskGroup(of: Result?.self) { group in
            group.addTask { try await body() }
            group.addTask {
                try await Task.sleep(for: Self.patience)
                return nil
            }
            defer { group.cancelAll() }
            return try await group.next() ?? nil
        }
        guard let result else { throw DaemonTestError("waited 60 s for \(what())") }
        return result
    }

    /// - Throws: If an adapter does this: it would wait for the event that waits for its answer.
    func refuseInAdapter(_ what: String) throws(DaemonTestError) {
        guard Self.adapterClient != nil else { return }
        throw DaemonTestError(
            "an adapter cannot \(what): that waits for the event about which it is asked; it can look at session and windows, and send with wait: .admitted"
        )
    }
}
