internal import SceneModel
internal import SceneVocabulary
internal import StrictJSON

// What the session is, and what changes it.
extension Agreement {
    func beginning(_ start: HistoryRecord.Start, _ app: AppModel) -> [String] {
        let state = SessionState(user: nil, isStale: false, facts: start.facts, appVersion: start.appVersion)
        let objections = truths(HistoryRecord.Truths(holds: start.holds, stale: nil), of: state, app)
        guard let facts = start.facts else { return objections }
        let isRight = app.declared(facts) == app.startingFacts && facts.count == app.startingFacts.count
        return objections + app.objections(toFacts: facts)
            + (isRight ? [] : ["the facts do not begin as the manifest declares them"])
    }

    /// What a host says of itself in the middle of its history.
    func snapshot(_ known: HistorySnapshot, _ app: AppModel) -> [String] {
        let state = SessionState(
            user: known.user,
            isStale: known.truths.stale != nil,
            facts: known.facts,
            appVersion: known.appVersion
        )
        return (known.app == running ? [] : ["\(running.name ?? "the app") \(running.version ?? "") is in force"])
            + app.objections(toFacts: known.facts ?? [:]) + truths(known.truths, of: state, app)
    }

    /// A reload leaves the facts that its manifest declares as the one before does, and gives the others their defaults.
    func reload(_ record: HistoryRecord, _ truths: HistoryRecord.Truths?, _ app: AppModel, _ session: KnownSession)
        -> [String]
    {
        var state = session.state
        state.facts = factsAdopted(by: app, session)
        var objections: [String] = []
        if let right = state.facts, let facts = session.facts, record.snapshot == session.snapshot {
            objections = differences(of: facts, from: right, app)
        }
        guard let truths else { return objections }
        state.isStale = truths.stale != nil
        return objections + self.truths(truths, of: state, app)
    }

    /// The facts after a reload to `app`, if they are known.
    func factsAdopted(by app: AppModel, _ session: KnownSession) -> [String: JSONValue]? {
        guard let facts = session.facts else { return nil }
        if format < 6 { return app.declared(facts) }
        return former.map { app.adopting(facts, of: $0) }
    }

    /// Where facts are not what a reload leaves. What has become a secret is a placeholder now.
    func differences(of facts: [String: JSONValue], from right: [String: JSONValue], _ app: AppModel) -> [String] {
        let facts = app.declared(facts)
        return Set(facts.keys).union(right.keys).sorted().compactMap { name in
            guard facts[name] != right[name], !app.isSecret(fact: name) else { return nil }
            let (found, expected) = (facts[name]?.text() ?? "absent", right[name]?.text() ?? "absent")
            return "the reload leaves \(name) \(found), not \(expected)"
        }
    }

    func truths(_ truths: HistoryRecord.Truths, of session: SessionState, _ app: AppModel) -> [String] {
        var objections: [String] = []
        let names = app.recordedNames
        for name in Set(truths.holds.keys).symmetricDifference(names).sorted() {
            objections.append(
                names.contains(name) ? "it does not say whether \(name) holds" : "the app has no precondition \(name)"
            )
        }
        let facts = app.known(session)
        let fresh = app.known(session, isShown: true)
        for name in names {
            guard let holds = truths.holds[name] else { continue }
            if let right = app.holds(name, facts), right != holds {
                objections.append(
                    "\(name) \(holds ? "holds" : "does not hold") here, by the manifest it \(right ? "does" : "does not")"
                )
            }
            guard let stale = truths.stale else { continue }
            // What holds when the sign-in is fresh, and does not now, is what the stale sign-in closes.
            let isClosed = holds ? false : app.asksForFreshSignIn(name) ? app.holds(name, fresh) : false
            if let isClosed, isClosed != stale.contains(name) {
                objections.append("\(name) is\(isClosed ? "" : " not") closed by the stale sign-in alone")
            }
        }
        return objections
    }

    /// A commit that an event made needs an effect that makes it.
    func commit(
        _ after: SessionState,
        _ record: HistoryRecord,
        _ origin: HistoryRecord.Origin,
        _ app: AppModel,
        _ history: KnownHost
    ) -> [String] {
        let before = history.session.state
        if let right = adopted, let left = after.facts {
            let objections = differences(of: left, from: right, app)
            if !objections.isEmpty { return objections }
        }
        if origin.event == nil, after.user == nil, before.user != nil, let facts = before.facts, let left = after.facts,
            app.declared(left) != app.factsOfNobody(after: facts)
        {
            return ["the user's facts do not go with the user"]
        }
        guard let id = record.scene, let event = origin.event, let scene = history.scenes[id],
            let dispatch = scene.dispatch, let open = scene.open[dispatch.ticket], open.event == event,
            dispatch.reloads == history.session.reloads
        else { return [] }
        if !open.arrival.isOwned, !open.arrival.isHeardInSwift {
            return ["an event from outside the app changed the session"]
        }
        if !open.isAct, let addressee = open.arrival.addressee, before.user != addressee {
            return ["it is for \(addressee), and \(before.user ?? "nobody") was signed in"]
        }
        if open.arrival.kind == "gesture", scenes[id]?.consequences == nil {
            return hasCode || scenes[id]?.isDecidedInSwift ?? false ? [] : ["a gesture changed the session"]
        }
        guard let consequences = scenes[id]?.consequences else {
            return scenes[id]?.isDecidedInSwift ?? false ? [] : ["nobody took what changed the session"]
        }
        let isSteady = history.session.index < dispatch.began
        let commits = (scenes[id]?.commitsBefore ?? 0) + (scenes[id]?.commits ?? 0)
        if let memory = scenes[id], memory.commitsBefore > 0, !memory.isDecidedInSwift, commits >= memory.followed.count
        {
            return ["attempts before this one have made what it commits"]
        }
        return app.objections(
            to: after,
            before,
            by: open.isAct ? consequences : consequences.decided(by: isSteady ? before : nil),
            isSteady: isSteady
        ).map { "\(consequences.flow) \($0) for \(open.arrival.name ?? "it")" }
    }
}

extension KnownSession {
    /// Whether what needs this must go from where a destination is shown; `nil` if that is not known, as of what looks at the time.
    func forbids(_ name: String, _ destination: Destination, _ app: AppModel) -> Truth {
        if let holds = holds[name] { return !holds && stale?.contains(name) != true }
        var facts = app.known(state, isShown: true)
        facts.parameters = destination.parameters
        return app.holds(name, facts).map { !$0 }
    }
}
