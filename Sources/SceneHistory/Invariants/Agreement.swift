internal import SceneModel
internal import SceneVocabulary
internal import StrictJSON

/// Invariant 15: each record says what the app's manifest makes of what came before.
///
/// The order of the records is given; what they say is compared with ``AppModel``. The model starts from what the records
/// before say, so that one mistake is one violation. Where something is not known, as in the records of older daemons, the model
/// has several answers, and the record must be one of them.
struct Agreement: InvariantCheck {
    let invariant = Invariant.agreement

    /// The manifests that were given.
    private let apps: [AppModel]
    /// The app of the host.
    private(set) var running = HistoryRecord.AppVersion(name: nil, version: nil, digest: nil)
    /// The manifest in force; `nil` if it was not given.
    private var app: AppModel?
    /// The app that a reload has replaced, if it is known.
    private(set) var former: AppModel?
    /// What facts have to be after the commit that a reload has just announced; `nil` if it has announced none, or that is not known.
    private(set) var adopted: [String: JSONValue]?
    /// The manifests that have been in force so far, each once; `nil` if one was not given, or may have been before the records.
    private(set) var past: [AppModel]? = []
    /// The format of the host's records.
    private(set) var format = HistoryRecord.newestFormat
    /// Whether coordinators or screens of the app are written in Swift.
    private(set) var hasCode = false
    /// Whether code in Swift has heard of a notification.
    private var hearsInSwift = false
    /// The flows whose coordinators are.
    private var flowsInSwift: Set<String> = []
    private(set) var scenes: [String: Memory] = [:]
    /// What the attempts have done that were going on when the host ended, by scene and ticket.
    private var undone: [String: [Int: Memory]] = [:]
    /// The coordinators of each scene.
    private(set) var attached = AttachedCoordinators()
    /// The facts that anybody sees, as long as they are the same since the epoch began.
    private(set) var publicFacts: [String: JSONValue]?
    /// The most scenes, and the deepest stacks, that the app has allowed so far: a reload takes nothing away.
    private(set) var (mostScenes, deepest) = (0, 0)

    /// What is remembered of a scene, besides ``KnownScene``.
    struct Memory {
        /// What may follow from what somebody did, which is being dispatched.
        var consequences: AppModel.Consequences?
        /// Whether that is up to code in Swift, or not known because it is not known how a flow ended that another started.
        var isDecidedInSwift = false
        /// What followed before, if it follows now from how a flow ended which another started.
        var before: [AppModel.Consequences] = []
        /// Whether it has changed the session.
        var hasCommitted = false
        /// How often.
        var commits = 0
        /// How often attempts before it had, which were going on when the host ended: it does not do so again.
        var commitsBefore = 0
        /// How many windows it has asked for.
        var windows = 0
        /// Whether one of them was denied, so that its own stays.
        var isDenied = false
        /// How many windows it has closed by what they are for, and how many requests to refresh windows it has made.
        var (closings, refreshes) = (0, 0)
        /// Whether it has closed its own.
        var hasClosed = false
        /// All that has followed so far.
        var followed: [AppModel.Consequences] { before + (consequences.map { [$0] } ?? []) }
        /// Whether its gesture has taken a flow off the screen, from which more may follow.
        var hasEndedFlow = false
        /// The index of the record after which the window has to be locked at once.
        var lockDue: Int?
        /// The index of the step that has taken the lock's flow off a locked window, which has to be covered again at once.
        var uncovered: Int?
        /// The session by each step of the sweep that goes on, or by the restoration: commits may come between them.
        var sweptBy: [KnownSession] = []

        /// A sweep begins anew after few commits; more than these are no sweep.
        private static let mostSessions = 64

        /// Notes what attempts before it have done outside of the window.
        mutating func noteEffects(of before: Memory) {
            hasCommitted = before.hasCommitted
            commits = 0
            commitsBefore = before.commitsBefore + before.commits
            windows = before.windows
            isDenied = before.isDenied
            closings = before.closings
            refreshes = before.refreshes
            hasClosed = before.hasClosed
        }

        mutating func noteSweep(by session: KnownSession) {
            guard sweptBy.last?.index != session.index, sweptBy.count < Self.mostSessions else { return }
            sweptBy.append(session)
        }
    }

    init(_ apps: [AppModel]) {
        self.apps = apps
    }

    mutating func judge(_ record: HistoryRecord, after history: KnownHost, _ findings: inout Findings) {
        switch record.body {
        case .hostStarted(let start):
            hasCode = start.hasCode
            format = start.format
            turn(to: start.app, &findings)
        case .hostSnapshot(let known) where history.session.snapshot == nil:
            hasCode = known.hasCode
            format = known.format
            past = nil
            turn(to: known.app, &findings)
        case .hostRestarted(let restart) where history.session.snapshot == nil:
            hasCode = restart.host.hasCode
            format = restart.host.format
            past = nil
            turn(to: restart.host.app, &findings)
        case .hostRestarted(let restart):
            hasCode = hasCode || restart.host.hasCode
            format = restart.host.format
            if restart.host.app != running { turn(to: restart.host.app, &findings) }
        case .coordinatorAttached(let flow, _, inSwift: true): flowsInSwift.insert(flow)
        case .sceneSnapshot(let snapshot): flowsInSwift.formUnion(snapshot.inSwift)
        case .manifestLoaded(let version, let digest, _):
            publicFacts = nil
            turn(to: HistoryRecord.AppVersion(name: running.name, version: version, digest: digest), &findings)
        default: break
        }
        attached.note(record)
        guard let app else { return }
        let late = history.isOwed(record.scene) ? [] : overdue(record, app, history) + uncovered(record, app, history)
        let objections = objections(to: record, by: app, history) + late
        for objection in objections { findings.violated([record.index], objection) }
        note(record, app, history)
    }

    var doubt: String? {
        let heard = hearsInSwift ? "what code in Swift does with notifications is not judged" : nil
        guard hasCode else { return heard }
        let flows = flowsInSwift.isEmpty ? "" : ", and those of \(flowsInSwift.sorted().joined(separator: ", ")) are"
        return "the app has code in Swift, which is not judged: its root's coordinator may be written in it\(flows)"
    }

    func debts(in history: KnownHost, at rest: Rest) -> [Violation] {
        guard rest == .quiet else { return crowd(history) }
        guard let app else { return [] }
        return history.resting.flatMap { id, scene in
            debts(of: id, scene, app, history.session) + leftBehind(in: id, scene, app, history.session)
                + lockDebts(of: id, scene, app, history.session) + misplaced(in: id, scene, app, history.session)
        }
    }

    /// Whether what a flow, or `root`, decides may be decided in Swift.
    func isInSwift(_ flow: String) -> Bool {
        hasCode && (flow == AppModel.root || flowsInSwift.contains(flow))
    }

    /// Puts another manifest in force.
    private mutating func turn(to version: HistoryRecord.AppVersion, _ findings: inout Findings) {
        running = version
        former = app
        app = apps.first { app in
            // Older daemons name only the version.
            version.digest.map { app.digest == $0 } ?? (app.name == version.name && app.version == version.version)
        }
        if format < 3 { app = app?.withGatesFirst }
        if let app {
            if past?.contains(where: { $0.digest == app.digest }) == false { past?.append(app) }
            mostScenes = max(mostScenes, app.maximumScenes)
            deepest = max(deepest, app.maximumStackDepth)
            return
        }
        // Nobody knows what it allows.
        (mostScenes, deepest) = (.max, .max)
        past = nil
        let given = apps.map { "\($0.name) \($0.version) (\($0.digest))" }.joined(separator: ", ")
        let wanted = version.digest.map { " (\($0))" } ?? ""
        findings.doubted(
            "the history is of \(version.name ?? "an app") \(version.version ?? "")\(wanted), the manifest given of \(given)"
        )
    }

    private mutating func note(_ record: HistoryRecord, _ app: AppModel, _ history: KnownHost) {
        if case .manifestLoaded = record.body {
            adopted = record.snapshot == history.session.snapshot ? nil : factsAdopted(by: app, history.session)
        }
        if case .sessionCommitted = record.body {
            adopted = nil
            forgetSessions(after: record, history)
            publicFacts = publicFacts(after: record, app, history.session)
        }
        if case .hostRestarted = record.body { goOn(history) }
        guard let id = record.scene else { return }
        var memory = scenes[id] ?? Memory()
        let uncovered = uncovering(record, app, history)
        if memory.uncovered != uncovered {
            memory.uncovered = uncovered
            scenes[id] = memory
        }
        if app.lockFlow != nil, isInWindow(record.body) {
            memory.lockDue = isLockDue(after: record, app, history) ? record.index : nil
            scenes[id] = memory
        }
        switch record.body {
        case .sceneConnected: memory.sweptBy = [history.session]
        case .navigationStep(_, let cause, let window):
            if cause == .sweep, record.ticket == nil { memory.noteSweep(by: history.session) }
            if let scene = history.scene(of: record), scene.dispatch?.isMeant(by: record) ?? false {
                if cause == .gesture, let before = scene.window,
                    !app.flowsEnded(from: before.layout, to: window.layout).isEmpty
                {
                    memory.hasEndedFlow = true
                }
                follow(from: scene, to: window, cause, &memory, app, history.session)
            }
        case .sceneSwept: memory.sweptBy = []
        case .dispatchBegan(let isResume):
            memory.consequences = nil
            memory.isDecidedInSwift = false
            memory.before = []
            memory.hasEndedFlow = false
            memory.sweptBy = []
            memory.noteEffects(of: record.ticket.flatMap { undone[id]?.removeValue(forKey: $0) } ?? Memory())
            guard !isResume, let arrival = history.arrival(of: record) else { break }
            if arrival.isHeardInSwift {
                hearsInSwift = true
                memory.isDecidedInSwift = true
                break
            }
            if !arrival.isAct, let intent = arrival.name {
                memory.consequences = app.consequences(ofHandingOver: intent, arrival.act)
            }
            guard arrival.kind == "flow", let flow = arrival.name else { break }
            memory.isDecidedInSwift = isInSwift(flow)
            if !memory.isDecidedInSwift { memory.consequences = app.consequences(ofEnding: flow, arrival.act) }
        case .intentBubbled(let bubbling):
            let arrival = history.arrival(of: record)
            guard let handler = bubbling.handler, let window = history.scene(of: record)?.window?.layout,
                let bubble = app.bubble(from: arrival?.reporter, in: window)
            else { break }
            // What was decided before the host ended may have been decided on a screen that is gone.
            let isHere = (bubble.displayed + bubble.responders).starts(with: bubbling.chain)
            memory.isDecidedInSwift = isInSwift(handler) || !isHere
            if memory.isDecidedInSwift { break }
            memory.consequences = app.consequences(
                ofIntent: bubbling.name,
                arrival?.act,
                takenBy: handler,
                from: bubble.screen.id,
                // After what an earlier attempt has committed it may be decided by the session before that, or after.
                by: record.snapshot == history.session.snapshot && memory.commitsBefore == 0
                    ? history.session.state : nil
            )
        // What a gesture is that finds a transition may end meanwhile.
        case .dispatchEnded where history.scenes[id]?.dispatch?.isMeant(by: record) ?? false: memory.consequences = nil
        case .sessionCommitted:
            guard let dispatch = history.scenes[id]?.dispatch,
                history.scenes[id]?.open[dispatch.ticket]?.event == record.event
            else { return }
            memory.hasCommitted = true
            memory.commits += 1
            if let consequences = memory.consequences {
                memory.consequences = app.reported(
                    consequences,
                    to: history.session.state,
                    isSteady: history.session.index < dispatch.began
                )
            }
        case .windowRequested(.open(_, _, _, let error)):
            memory.windows += 1
            // Earlier daemons closed it all the same.
            if error != nil, format > 3 { memory.isDenied = true }
        case .windowRequested(.close(let window)):
            if window.map({ $0.scene == id }) ?? true { memory.hasClosed = true }
            if window != nil { memory.closings += 1 }
        case .windowRequested(.refresh): memory.refreshes += 1
        case .sceneDiscarded:
            scenes[id] = nil
            undone[id] = nil
            return
        default: return
        }
        scenes[id] = memory
    }

    /// The host goes on after its end: what was going on begins again, and what it had done outside of its window stays.
    private mutating func goOn(_ history: KnownHost) {
        adopted = nil
        for (id, memory) in scenes {
            if let ticket = history.scenes[id]?.dispatch?.ticket { undone[id, default: [:]][ticket] = memory }
            var left = Memory()
            left.lockDue = memory.lockDue
            scenes[id] = left
        }
    }

    /// A flow that another has started may be gone with a step: the one that started it is told how it ended.
    private func follow(
        from scene: KnownScene,
        to window: HistoryWindow,
        _ cause: NavigationCause,
        _ memory: inout Memory,
        _ app: AppModel,
        _ session: KnownSession
    ) {
        let gone = scene.startedFlows.filter { !window.shows(flow: $0.key) }
        guard !gone.isEmpty, let before = scene.window else { return }
        let ended: AppModel.Consequences
        switch cause {
        case .gesture:
            let flows = app.flowsEnded(from: before.layout, to: window.layout)
            // Several end in an order that the records do not say.
            guard flows.count == 1, let flow = flows.first, !isInSwift(flow) else {
                memory.isDecidedInSwift = true
                return
            }
            ended = app.consequences(ofEnding: flow, Act(result: .cancelled))
        case .flow:
            // What a flow has started goes with it, and nobody is told.
            guard let consequences = memory.consequences, gone[consequences.flow] != nil else { return }
            ended = consequences
        default: return
        }
        guard let starter = gone[ended.flow], window.isOwner(starter) else { return }
        memory.before.append(ended)
        memory.consequences =
            isInSwift(starter) ? nil : app.consequences(ofEnd: ended, inStarter: starter, by: session.state)
        memory.isDecidedInSwift = memory.consequences == nil
    }

    /// What follows from a flow's end is decided a little later than the flow has left, and somebody else may commit in between.
    private mutating func forgetSessions(after record: HistoryRecord, _ history: KnownHost) {
        for (id, memory) in scenes where !memory.before.isEmpty {
            guard let scene = history.scenes[id], let dispatch = scene.dispatch else { continue }
            if record.scene == id, scene.open[dispatch.ticket]?.event == record.event { continue }
            scenes[id]?.consequences = memory.consequences?.decided(by: nil)
        }
    }

    // MARK: - What each record must say

    private func objections(to record: HistoryRecord, by app: AppModel, _ history: KnownHost) -> [String] {
        let scene = history.scene(of: record)
        switch record.body {
        case .hostStarted(let start): return beginning(start, app)
        case .hostRestarted(let restart): return snapshot(restart.host, app)
        case .hostSnapshot(let known): return snapshot(known, app)
        // What a released window needs may be by an earlier manifest.
        case .sceneSnapshot(let snapshot):
            return (snapshot.isConnected ? details(of: snapshot.window, app, history.session) : [])
                + (history.isOwed(record.scene) ? exposed(snapshot, record.scene ?? "", scene, app) : [])
        case .manifestLoaded(_, _, let truths): return reload(record, truths, app, history.session)
        case .sessionCommitted(let user, let truths, let origin, let changed):
            let state = SessionState(
                user: user,
                isStale: truths.stale != nil,
                facts: changed.flatMap(history.session.facts(after:)),
                appVersion: history.session.appVersion
            )
            return app.objections(toFacts: changed?.filter { $0.value != .null } ?? [:])
                + self.truths(truths, of: state, app) + commit(state, record, origin, app, history)
        case .sceneConnected(let configuration, let restored, _, let window):
            return details(of: window, app, history.session)
                + (restored
                    ? returning(configuration, after: scene?.configuration, app)
                    : beginning(window.layout, configuration, app, history.session))
        case .eventAdmitted(let arrival): return admission(arrival, app)
        case .variantChosen(let user, let destination, let variant, let wall):
            return choice(of: variant, for: destination, user, wall, record, app, history)
        case .dispatchResolved(let destination, let verdict, let reason, let wall, let isOverCurrent, let variant):
            return resolution(record, destination, as: variant, verdict, reason, wall, app, history)
                + place(of: variant ?? destination, isOverCurrent: isOverCurrent, record, app, history)
        case .dispatchPlanned(let ops): return plan(record, ops, app, history)
        case .navigationStep(let op, let cause, let window):
            return details(of: window, app, history.session) + step(record, op, cause, app, history)
                + (cause == .sweep ? [] : outlived(window, record, app, history.session))
                // The lock's flow has room however much is shown.
                + (cause == .lock ? [] : tooDeep(window.layout, after: scene?.window?.layout))
        case .sceneSwept(let removed):
            let sessions = (record.scene.flatMap { scenes[$0]?.sweptBy } ?? []) + [history.session]
            return removed.compactMap {
                objection(
                    to: $0,
                    app,
                    sessions,
                    mayBeMisplaced: scene?.isRestored ?? false || history.session.reloads > 0
                )
            }
        case .windowLocked: return locked(app, history.session)
        case .windowUnlocked(let reason): return unlocked(reason, record, app, history.session)
        case .gateResumed(_, _, nil): return resumed(record, scene, app, history.session)
        case .gateAbandoned(_, _, "flowCancelled"): return scene.map { lostAtLock(record, $0, app) } ?? []
        // A dispatch goes on with the manifest with which it began.
        case .gateParked, .gateSuperseded, .dispatchEnded, .intentBubbled, .windowRequested:
            guard let scene, let dispatch = scene.dispatch, dispatch.reloads == history.session.reloads else {
                return []
            }
            if case .windowRequested(let request) = record.body { return requested(request, record, app, history) }
            if case .dispatchEnded(let end) = record.body {
                // Others may end before their turn.
                return dispatch.isMeant(by: record) ? ending(end, record, dispatch, scene, app, history) : []
            }
            return dispatched(record, dispatch, scene, app) + answered(record, dispatch, scene, app, history.session)
        default: return []
        }
    }

    private func dispatched(
        _ record: HistoryRecord,
        _ dispatch: OpenDispatch,
        _ scene: KnownScene,
        _ app: AppModel
    ) -> [String] {
        switch record.body {
        case .gateParked(let precondition, let parameters, let destination, let flow):
            if app.whileGated != "queue",
                dispatch.resolution?.verdict != .gated || dispatch.resolution?.reason != precondition
            {
                return ["it waits behind others, but the app's policy is \(app.whileGated)"]
            }
            if app.whileGated != "queue", dispatch.plan == nil { return ["it waits, and nothing was planned for it"] }
            if app.whileGated == "supersede", scene.open[dispatch.ticket]?.isAct == false, !dispatch.isResume,
                dispatch.resolution?.isOverCurrent == false, !scene.parked.isEmpty
            {
                return ["it waits, and what was parked before is not superseded"]
            }
            guard let right = app.flow(ofPrecondition: precondition) else { return [] }
            if flow != right { return ["\(flow ?? "no flow") is shown for \(precondition), which needs \(right)"] }
            let gate = Parking.Gate(precondition: precondition, parameters: parameters, flow: flow)
            // Only what comes from outside waits behind others for what they need, by this policy.
            let mayWaitBehind = app.whileGated == "queue" && scene.open[dispatch.ticket]?.isAct == false
            if mayWaitBehind, scene.parked.isAny(on: precondition, for: parameters) { return [] }
            return waiting(at: gate, for: dispatch.resolution?.shown ?? destination, app)
        case .gateSuperseded:
            return app.whileGated == "supersede" ? [] : ["the app's policy is \(app.whileGated), not supersede"]
        case .intentBubbled(let bubbling):
            let event = scene.open[dispatch.ticket]
            if let asked = event?.asked(before: dispatch.attempt) {
                return asked == bubbling.chain ? [] : ["\(bubbling.chain) were asked, before the host ended \(asked)"]
            }
            return bubbled(bubbling, event?.arrival, scene.window?.layout, app)
        default: return []
        }
    }
}

extension KnownHost {
    /// What was admitted as the event of a record.
    func arrival(of record: HistoryRecord) -> HistoryRecord.Arrival? {
        record.ticket.flatMap { scene(of: record)?.open[$0]?.arrival }
    }
}
