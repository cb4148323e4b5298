internal import Basics
internal import Interleaving
internal import SceneEntryPoints
internal import SceneHistory
package import SceneModel
internal import SceneNavigation
internal import SceneRouting
package import SceneRuntime
internal import StrictJSON

/// One run of a scenario: it creates a host, takes the setup steps, lets all actors act at once, and judges the result.
///
/// It decides nothing about the order: its creator provides the executors and the clock.
package struct ScenarioRun {
    let scenario: Scenario
    let host: SceneHost
    private let models: [AppModel]
    let secrets: ShownSecrets
    /// Whether code of the app may go on by itself, in tasks of its own.
    private let hasCode: Bool
    /// Whether it decides what the manifest does not say.
    private let codeDecides: Bool
    private let clock: any RuntimeClock
    let results = StepResults()
    private let observed: ObservedOrder
    /// Chooses a number of milliseconds from the range of a step.
    private let choose: @Sendable (ScenarioStep, ClosedRange<Int>) -> Int
    /// Whether only the orders in which the actors act are searched, not those of the set-up and of the host's end.
    private let isProof: Bool

    /// - Parameters:
    ///   - app: The scenario's app, compiled once for all runs.
    ///   - models: The versions of the app, by which the history is judged.
    ///   - secrets: What is secret in them.
    ///   - code: What the app has in Swift besides its adapters, of this run alone.
    ///   - isProof: Whether only the orders in which the actors act are searched, not those of the set-up and of the host's end.
    ///   - choose: Chooses a number of milliseconds from the range of a step.
    package init(
        _ scenario: Scenario,
        app: LoadedApp,
        models: [AppModel],
        secrets: ShownSecrets,
        code: AppCode = AppCode(),
        clock: any RuntimeClock,
        executors: HostExecutors,
        isProof: Bool = false,
        choose: @escaping @Sendable (ScenarioStep, ClosedRange<Int>) -> Int = { $1.lowerBound }
    ) {
        self.scenario = scenario
        self.models = models
        self.secrets = secrets
        hasCode = !code.isEmpty
        codeDecides = code.decides
        self.choose = choose
        self.isProof = isProof
        self.clock = clock
        host = SceneHost(
            id: "race",
            app: app,
            settings: scenario.settings,
            clock: clock,
            executors: executors,
            code: code,
            interrupt: { await Task.yield() }
        )
        observed = ObservedOrder(host)
    }

    /// Signs in, opens the windows, and takes the setup steps, each to its end. ``RaceScript/beginning(of:)`` writes the same as a
    /// script.
    package func prepare() async throws {
        guard isProof else { return try await setUp() }
        try await unexplored { try await setUp() }
    }

    private func setUp() async throws {
        let facts = scenario.facts
        if let user = scenario.user {
            try await host.session.signIn(user: user, facts: facts)
        } else if !facts.isEmpty {
            try await host.session.commit(set: facts)
        }
        for window in scenario.windows {
            try host.connect(scene: window.id, configuration: window.configuration)
            await rest()
        }
        for (index, step) in scenario.setup.enumerated() {
            var revision: Int?
            await take(step, connection: 0, call: index + 1, &revision)
            await rest()
        }
    }

    /// Prepares, and returns the records of that as JSON, one for each.
    package func beginning() async throws -> [String] {
        try await prepare()
        return history().map(\.line)
    }

    /// Lets the actors act, and returns when everything has come to rest and was judged right.
    /// - Returns: The history, and the end.
    /// - Throws: ``RaceFailure``.
    @discardableResult
    package func race() async throws -> (records: [Record], end: EndOfRun) {
        let before = host.records.newestIndex
        await withDiscardingTaskGroup { group in
            for (index, actor) in scenario.actors.enumerated() {
                group.addTask(name: actor.name) { await play(actor, connection: index + 1) }
            }
        }
        await rest()
        let end = end()
        let objections = objections(to: end)
        let course = RaceCourse(
            before: before,
            marks: results.marks,
            results: Dictionary(scenario.steps.flatMap { [$0.name] + $0.events }.map { ($0, result(of: $0)) }) { $1 },
            orders: results.orders
        )
        if isProof { await unexplored { await host.drain() } } else { await host.drain() }
        let records = history()
        do {
            try judge(records)
            let differences = observed.differences(
                from: records,
                ofEvents: hasCode ? Set(scenario.steps.flatMap(\.events)) : nil
            )
            if !differences.isEmpty {
                throw RaceFailure(kind: .history, findings: differences, records: records.map(\.line))
            }
            if !objections.isEmpty {
                throw RaceFailure(kind: .end, findings: objections, records: records.map(\.line))
            }
            return (records, end)
        } catch var failure as RaceFailure {
            failure.end = end
            failure.course = course
            throw failure
        }
    }

    /// Returns once nothing goes on without another event.
    ///
    /// The host does not know of tasks that the app's code has started. The clock of a simulation moves only when none of them can
    /// go on, and an instant that brings no record was the last. What they wait longer for, a step `wait` waits for.
    private func rest() async {
        await host.quiesce()
        guard hasCode else { return }
        while true {
            let newest = host.records.newestIndex
            try? await clock.sleep(until: clock.now + .nanoseconds(1))
            if host.records.newestIndex == newest { return }
            await host.quiesce()
        }
    }

    private func play(_ actor: Scenario.Actor, connection: Int) async {
        var revision: Int?
        for (index, step) in actor.steps.enumerated() {
            let began = host.records.watchedIndex
            await take(step, connection: connection, call: index + 1, &revision)
            results.mark(step.name, StepMark(began: began, done: host.records.watchedIndex))
        }
    }

    private func history() -> [Record] {
        var records: [Record] = []
        var next = 0
        while true {
            let read = host.records.read(after: next)
            guard !read.records.isEmpty else { return records }
            records += read.records
            next = read.next
        }
    }

    /// Judges the history by the invariants.
    private func judge(_ records: [Record]) throws {
        var checker = HistoryChecker(apps: models)
        for record in records {
            var text = JSONText()
            record.write(to: &text)
            checker.check(try HistoryRecord(JSONDocument(parsing: text.bytes).root))
        }
        let report = checker.finish()
        guard report.conclusion != .holds else { return }
        var kind: RaceFailure.Kind?
        var findings: [String] = []
        for verdict in report.hosts.flatMap(\.verdicts) {
            switch verdict.verdict {
            case .holds: continue
            // What code decides, no manifest says.
            case .unknown where codeDecides && verdict.invariant == .agreement: continue
            case .unknown(let reason): findings.append("invariant \(verdict.invariant.rawValue) undecided: \(reason)")
            case .violated(let violations, _):
                kind = kind ?? .invariant(verdict.invariant)
                findings += violations.map { "invariant \(verdict.invariant.rawValue): \($0.explanation)" }
            }
        }
        let isRead = report.badLineCount == 0 && !report.isOverrun && !report.hosts.isEmpty
        if findings.isEmpty, isRead { return }
        throw RaceFailure(kind: kind ?? .history, findings: findings, records: records.map(\.line))
    }

    // MARK: - Steps

    private func take(_ step: ScenarioStep, connection: Int, call: Int, _ revision: inout Int?) async {
        let origin = CommitOrigin(connection: connection)
        do {
            switch step.action {
            case .submit(let event, let scene, let stage):
                return await submit(event, step, scene, stage, connection: connection, call: call)
            case .submitSet(let urls, let scene, let stage):
                return await submit(urls, step, scene, stage, connection: connection, call: call)
            case .signIn(let user, let facts, let lifetime, let freshness):
                try await host.session.signIn(
                    user: user,
                    facts: facts,
                    expiresAfter: lifetime,
                    staleAfter: freshness,
                    origin: origin
                )
            case .signOut: await host.session.signOut(origin: origin)
            case .markStale: await host.session.markStale(origin: origin)
            case .commit(let set, let remove, let isBasedOnRead):
                try await host.session.commit(
                    set: set,
                    remove: remove,
                    expectedRevision: isBasedOnRead ? revision : nil,
                    origin: origin
                )
            case .read:
                let read = host.session.snapshot.revision
                revision = read
                return results.note(ExpectedResult(outcome: "done", detail: "revision \(read)"), of: step.name)
            case .connect(let scene, let configuration, let inBackground):
                try await connect(scene, configuration, inBackground: inBackground)
            case .activate(let scene, let activation): try await activate(scene, activation)
            case .disconnect(let scene): try await host.disconnect(scene: scene)
            case .discard(let scene): try await host.discard(scene: scene)
            case .reload(let app): try await host.reload(app)
            case .wait(let range):
                let time = range.count > 1 ? choose(step, range) : range.lowerBound
                // Even a moment would put it behind all that can go on now.
                if time > 0 { try? await clock.sleep(until: clock.now + .milliseconds(time)) }
            }
            results.note(ExpectedResult(outcome: "done"), of: step.name)
        } catch let error as SessionError {
            results.note(ExpectedResult(outcome: "refused", detail: error.name.rawValue), of: step.name)
        } catch let error as SceneError {
            results.note(ExpectedResult(outcome: "refused", detail: error.name.rawValue), of: step.name)
        } catch {
            results.note(ExpectedResult(outcome: "refused", detail: "\(error)"), of: step.name)
        }
    }

    private func submit(
        _ event: SubmittedEvent,
        _ step: ScenarioStep,
        _ scene: String?,
        _ stage: ReceiptStage,
        connection: Int,
        call: Int
    ) async {
        let submission =
            switch event {
            case .entry(let entry):
                Submission(entry, scene: scene, eventID: step.event, connection: connection, call: call)
            case .action(let action):
                Submission(action, scene: scene, eventID: step.event, connection: connection, call: call)
            }
        let began = host.records.watchedIndex
        do throws(AdmissionError) {
            let admission = try host.admit(submission)
            let during = StepMark(began: began, done: host.records.watchedIndex)
            results.mark(step.name, during)
            if !admission.receipt.isDuplicate { observed.admitted(step.event, admission.receipt, during: during) }
            if admission.receipt.isDuplicate { results.note(ExpectedResult(outcome: "duplicate"), of: step.name) }
            _ = await host.receipt(of: admission, at: stage)
        } catch {
            results.note(ExpectedResult(outcome: "refused", detail: error.name.rawValue), of: step.name)
        }
    }

    private func submit(
        _ urls: URLSet,
        _ step: ScenarioStep,
        _ scene: String?,
        _ stage: ReceiptStage,
        connection: Int,
        call: Int
    ) async {
        let order = await order(of: urls, step)
        results.note(order: order, of: step.name)
        let began = host.records.watchedIndex
        do throws(AdmissionError) {
            let admissions = try host.admit(
                SetSubmission(
                    urls,
                    order: order,
                    scene: scene,
                    eventID: step.event,
                    connection: connection,
                    call: call
                )
            )
            let during = StepMark(began: began, done: host.records.watchedIndex)
            results.mark(step.name, during)
            let isDuplicate = admissions.contains(where: \.receipt.isDuplicate)
            results.note(ExpectedResult(outcome: isDuplicate ? "duplicate" : "done"), of: step.name)
            if !isDuplicate {
                for place in order {
                    observed.admitted(step.events[place - 1], admissions[place - 1].receipt, during: during)
                }
            }
            for admission in admissions { _ = await host.receipt(of: admission, at: stage) }
        } catch {
            results.note(ExpectedResult(outcome: "refused", detail: error.name.rawValue), of: step.name)
        }
    }

    /// The order in which the URLs of a set come, as their places from 1: that in which a task for each of them runs, so that it is
    /// chosen, repeated and made smaller like any other order.
    private func order(of urls: URLSet, _ step: ScenarioStep) async -> [Int] {
        let order = Guarded<[Int]>([])
        await withTaskGroup { group in
            for (index, event) in step.events.enumerated() {
                group.addTask(name: event) { order.withLock { $0.append(index + 1) } }
            }
        }
        return order.withLock { $0 }
    }

    private func connect(_ scene: String, _ configuration: String?, inBackground: Bool) async throws {
        let result: Result<SceneStatus, SceneError> = await withCheckedContinuation { continuation in
            do throws(SceneError) {
                try host.connect(scene: scene, configuration: configuration, inBackground: inBackground) {
                    continuation.resume(returning: $0)
                }
            } catch {
                continuation.resume(returning: .failure(error))
            }
        }
        _ = try result.get()
    }

    /// Brings a window into a state as `scenectl activate` does, by way of the one state between those that are not neighbours. What else
    /// happens to it meanwhile, such as a tap, does not keep it from there.
    private func activate(_ scene: String, _ target: Activation) async throws(SceneError) {
        let between = Activation.foregroundInactive
        while true {
            let now = try host.scene(scene).activation
            let isLast = [now, target].contains(between) || now == target || now == .unattached
            do throws(SceneError) {
                try await host.setActivation(isLast ? target : between, of: scene)
                if isLast { return }
            } catch {
                // On from where somebody else has brought it.
                guard case .illegalActivation(_, let from, _) = error, from != now.rawValue, now != .unattached else {
                    throw error
                }
            }
        }
    }
}

extension Record {
    /// The record as a line of a history.
    var line: String { JSONValue.object(json).text() }
}
