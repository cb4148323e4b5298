internal import SceneModel
internal import SceneVocabulary

// What windows show, and how they change.
extension Agreement {
    func beginning(
        _ window: WindowState,
        _ configuration: String,
        _ app: AppModel,
        _ session: KnownSession
    ) -> [String] {
        guard app.isConfiguration(configuration) else { return ["the app has no scene configuration \(configuration)"] }
        guard let root = app.root({ session.holds[$0] }) else { return [] }
        let right = app.start(root: root, by: session.state)
        if mayBeginOtherwise(root, app, session) { return [] }
        return window == right ? [] : ["a new window shows \(window), by the manifest \(right)"]
    }

    /// Whether the screens with which a flow begins may be chosen in Swift, which nobody knows before it has a coordinator, or by
    /// what is not known of the session.
    func mayBeginOtherwise(
        _ flow: String?,
        _ app: AppModel,
        _ session: KnownSession,
        for waiting: Destination? = nil
    ) -> Bool {
        flow.map { hasCode || !app.knowsStart(of: $0, by: session.state, for: waiting) } ?? false
    }

    /// - Parameter before: The configuration that it had; a reload may have removed that.
    func returning(_ configuration: String, after before: String?, _ app: AppModel) -> [String] {
        configuration == before || app.isConfiguration(configuration)
            ? [] : ["the app has no scene configuration \(configuration)"]
    }

    /// What a window says of each destination.
    func details(of window: HistoryWindow, _ app: AppModel, _ session: KnownSession) -> [String] {
        var objections: [String] = []
        let owners = app.owners(in: window.layout)
        let presented = window.layout.modals.flatMap { modal in modal.stack.map { _ in modal.flow != nil } }
        let isOfFlow = window.layout.tabs.flatMap { $0.stack.map { _ in false } } + presented
        for (place, destination) in window.layout.destinations.enumerated() {
            guard window.shown.indices.contains(place), owners.indices.contains(place) else { break }
            let shown = window.shown[place]
            let needs = app.needs(of: destination.id)
            if shown.needs != needs { objections.append("\(destination) needs \(needs), not \(shown.needs)") }
            if shown.coordinator != owners[place].flow {
                objections.append("\(destination) belongs to \(owners[place].flow), not to \(shown.coordinator)")
            }
            if shown.repeats != app.repeats(destination.id) {
                objections.append("\(destination) \(shown.repeats ? "does not repeat" : "repeats")")
            }
            // A flow that the user has begun makes its screens personal; records do not say who began it.
            if isOfFlow[place] { continue }
            let isPersonal: Bool? =
                switch app.isForNobody(destination.id) {
                case true: false
                case false: app.mayStay(destination, since: past) { session.forbids($0, destination, app) }
                default: nil
                }
            if let isPersonal, shown.isPersonal != isPersonal {
                objections.append("\(destination) is \(isPersonal ? "" : "not ")personal")
            }
        }
        return objections
    }

    /// What is for nobody by the manifest alone is not shown longer than the epoch of its user, once the sweep has had its turn.
    func outlived(_ window: HistoryWindow, _ record: HistoryRecord, _ app: AppModel, _ session: KnownSession)
        -> [String]
    {
        guard let epoch = record.snapshot?.epoch else { return [] }
        return zip(window.layout.destinations, window.shown).compactMap { destination, shown in
            guard let since = shown.since, since < epoch, session.reloadEpoch <= since,
                app.isForNobody(destination.id) == false
            else { return nil }
            return "\(destination) was shown to a user of epoch \(since), and still is in epoch \(epoch)"
        }
    }

    func step(
        _ record: HistoryRecord,
        _ op: HistoryOp,
        _ cause: NavigationCause,
        _ app: AppModel,
        _ history: KnownHost
    ) -> [String] {
        guard case .known(let op) = op, let scene = history.scene(of: record), let before = scene.window else {
            return []
        }
        switch cause {
        case .sweep where op.name == .setRoot && scene.windowEpoch != history.session.snapshot?.epoch:
            guard case .navigationStep(_, _, let window) = record.body else { return [] }
            return root(of: window.layout, app, history.session)
        case .gesture:
            guard let name = history.arrival(of: record)?.name else { return [] }
            guard let gesture = Gesture.Name(rawValue: name) else { return ["there is no gesture \(name)"] }
            let act = history.arrival(of: record)?.act
            return app.does(op, gesture: gesture, act, in: before.layout) ? [] : ["\(op) is not what \(name) does here"]
        case .flow where scene.dispatch?.plan == nil:
            guard scene.dispatch?.reloads == history.session.reloads,
                let consequences = record.scene.flatMap({ scenes[$0]?.consequences }),
                let root = app.root({ history.session.holds[$0] })
            else { return [] }
            if op.name == .setRoot, mayBeginOtherwise(root, app, history.session) { return [] }
            // How a flow that another starts begins may be up to its coordinator in Swift.
            if hasCode, case .present = op { return [] }
            let moves = app.moves(
                consequences,
                like: op,
                in: before.layout,
                root: root,
                by: history.session.state
            )
            return moves.contains(op)
                ? [] : ["\(consequences.flow) does not do \(op) here, but \(moves.map(\.description).sorted())"]
        case .lock: return covering(op, before.layout, scene, app, history.session)
        case .sweep where record.ticket == nil: return sweep(op, before, scene, record, app, history.session)
        default: return []
        }
    }

    /// The next step of a sweep is that of the model, for some answer to what is not known.
    private func sweep(
        _ op: NavOp,
        _ before: HistoryWindow,
        _ scene: KnownScene,
        _ record: HistoryRecord,
        _ app: AppModel,
        _ session: KnownSession
    ) -> [String] {
        // What somebody who has left had on screen goes by other rules (S9); their effect is judged by another invariant.
        guard scene.windowEpoch == session.snapshot?.epoch, before.isOfNobodyWhoLeft else { return [] }
        guard let root = app.root({ session.holds[$0] }) else { return [] }
        let change = app.rootChange(before.layout, root: root, by: session.state)
        if op.name == .setRoot, mayBeginOtherwise(root, app, session) { return [] }
        if change != nil || op.name == .setRoot {
            return change == op
                ? [] : ["the sweep does \(op), by the manifest \(change.map(\.description) ?? "no change of root")"]
        }
        let places = placing(before.layout, scene, app, session)
        var stays = before.layout.destinations.enumerated().map { place, destination in
            app.stays(
                app.mayStay(destination, since: past, { session.forbids($0, destination, app) }),
                at: places?[place] ?? .some(true)
            )
        }
        let open = stays.indices.filter { stays[$0] == nil }
        guard open.count <= 6 else { return [] }
        // What is under the lock stays; the lock's own flow goes with it.
        let flows =
            scene.isLocked
            ? [] : scene.gateFlows.union([app.lockFlow].compactMap(\.self)).subtracting(scene.parked.flows)
        var expected: Set<NavOp> = []
        for bits in 0..<(1 << open.count) {
            for (bit, place) in open.enumerated() { stays[place] = bits & (1 << bit) != 0 }
            if let op = app.sweep(
                before.layout,
                mayStay: { stays[$0] ?? false },
                isPointless: { flows.contains($0) }
            ).first {
                expected.insert(op)
            }
        }
        return expected.contains(op)
            ? [] : ["the sweep does \(op), by the manifest \(expected.map(\.description).sorted())"]
    }

    /// Whether each of a window's destinations could be where it is by the manifest in force; `nil` without a reload, which alone may
    /// make that another one than that by which it came there.
    private func placing(
        _ window: WindowState,
        _ scene: KnownScene,
        _ app: AppModel,
        _ session: KnownSession
    ) -> [Truth]? {
        guard session.reloads > 0 else { return nil }
        let truths = app.couldBe(in: window) { scene.gateFlows.contains($0) || scene.parked.flows.contains($0) }
        // Code in Swift may have shown more than a manifest says.
        return hasCode ? truths.map { $0 == false ? nil : $0 } : truths
    }

    /// Once the host is quiet, every window shows only what the manifest in force could, and has the coordinators for that.
    func misplaced(in id: String, _ scene: KnownScene, _ app: AppModel, _ session: KnownSession) -> [Violation] {
        guard scene.phase == .connected, let window = scene.window?.layout else { return [] }
        let places = placing(window, scene, app, session) ?? []
        let odd = zip(window.destinations, places).filter { $0.1 == false }.map {
            "scene \(id) shows \($0.0) where the app cannot show it"
        }
        return
            (odd + attached.objections(in: id, to: app.owners(in: window)))
            .map { Violation([scene.windowIndex, session.index], $0) }
    }

    /// When a user has left, the root that is in force for the next is shown at once.
    private func root(of window: WindowState, _ app: AppModel, _ session: KnownSession) -> [String] {
        guard let due = app.root({ session.holds[$0] }) else { return [] }
        let shown = app.rootFlow(of: window)
        return shown == due
            ? [] : ["the root becomes \(shown ?? "the tabs"), by the manifest \(due ?? "the tabs")"]
    }

    /// Why a sweep cannot have given this reason, which is what the session no longer allows or, if the user has left, what nobody
    /// may see.
    func objection(
        to removal: HistoryRecord.Removal,
        _ app: AppModel,
        _ sessions: [KnownSession],
        mayBeMisplaced: Bool
    ) -> String? {
        let id = removal.destination.id
        let needs = app.needs(of: id)
        if mayBeMisplaced, removal.isSentence { return nil }
        let isAllowed = app.allows(removal.destination, since: past)
        var possible: Set<String> = isAllowed == true ? [] : ["destinationGone"]
        func judge(_ forbids: (String) -> Truth) {
            // What the app does not have any more needs nothing.
            if isAllowed == false { return }
            let truths = needs.map { ($0, forbids($0)) }
            let first = truths.firstIndex { $0.1 == true }
            possible.formUnion(truths[..<(first.map { $0 + 1 } ?? truths.count)].filter { $0.1 != false }.map(\.0))
            if first == nil { possible.insert("flowEnded") }
        }
        for session in sessions { judge { session.forbids($0, removal.destination, app) } }
        judge { app.holdsForNobody($0).map { !$0 } }
        if possible.contains(removal.reason) { return nil }
        return "\(removal.destination) was removed because of \(removal.reason), by the manifest \(possible.sorted())"
    }
}
