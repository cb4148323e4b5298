internal import SceneModel
internal import StrictJSON

/// The session by the records so far.
struct KnownSession {
    private(set) var snapshot: HistoryRecord.Snapshot?
    private(set) var user: String?
    /// Whether the last commit has changed that.
    private(set) var hasUserChanged = false
    /// Which preconditions, and conditions without parameters, hold; others are not in it.
    private(set) var holds: [String: Bool] = [:]
    /// Those that nothing but a stale sign-in keeps from holding; `nil` unless it is stale.
    private(set) var stale: [String]?
    /// Every fact that has a value; `nil` if the records do not say.
    private(set) var facts: [String: JSONValue]?
    /// The version that conditions on the app's version see.
    private(set) var appVersion: String?
    /// The index of the record that changed it last.
    private(set) var index = 0
    /// The index of the record that changed last, as far as the records say, what anybody may see: another manifest, or facts of
    /// the app. A user who leaves gives facts their defaults again, which changes nothing of that.
    private(set) var publicIndex = 0
    /// The same, if a user who leaves by an event may have changed more with it.
    private(set) var lastDoubt = 0
    /// The index of the commit that began the epoch; `nil` if the records do not go back to it.
    private(set) var epochIndex: Int?
    /// The facts that are certainly the user's: those that a sign-out, or somebody else's sign-in, has reset.
    private var factsOfUser: Set<String> = []
    /// Whether what may be seen may change with time alone; `nil` as long as no record says.
    private(set) var looksAtTime: Bool?
    /// The epoch of the last reload.
    private(set) var reloadEpoch = 0
    /// How often the manifest has been replaced, which can change what holds without a commit.
    private(set) var reloads = 0
    /// What has been chosen for users.
    var choices = KnownChoices()

    mutating func apply(_ record: HistoryRecord) {
        switch record.body {
        case .hostStarted(let start):
            holds = start.holds
            facts = start.facts
            appVersion = start.appVersion
            choices.isComplete = true
        case .hostSnapshot(let known):
            // It says what is known already, unless the history is taken up with it.
            guard snapshot == nil else { return }
            user = known.user
            facts = known.facts
            appVersion = known.appVersion
            note(known.truths)
        case .hostRestarted(let restart):
            let known = restart.host
            let isSame =
                record.snapshot == snapshot && known.user == user && known.facts == facts
                && known.truths.holds == holds && known.truths.stale == stale && known.appVersion == appVersion
            if snapshot != nil, isSame { return }
            user = known.user
            facts = known.facts
            appVersion = known.appVersion
            note(known.truths)
            publicIndex = record.index
            lastDoubt = record.index
        case .sessionCommitted(let user, let truths, let origin, let changed):
            noteChanged(changed, isNewEpoch: record.snapshot?.epoch != snapshot?.epoch, user, origin, record.index)
            facts = changed.flatMap { facts(after: $0) }
            hasUserChanged = self.user != user
            self.user = user
            note(truths)
        case .manifestLoaded(_, _, let truths):
            note(truths)
            reloads += 1
            index = record.index
            publicIndex = record.index
            lastDoubt = record.index
            factsOfUser = []
            looksAtTime = nil
            reloadEpoch = snapshot?.epoch ?? 0
            // If the reload makes a commit, its record follows.
            return
        default: return
        }
        index = record.index
        if let snapshot = record.snapshot { self.snapshot = snapshot }
    }

    private mutating func noteChanged(
        _ changed: [String: JSONValue]?,
        isNewEpoch: Bool,
        _ user: String?,
        _ origin: HistoryRecord.Origin,
        _ index: Int
    ) {
        if isNewEpoch {
            epochIndex = index
            // A call that signs somebody out changes nothing else, and one that signs somebody in gives facts values. An event's
            // effects may do more.
            if origin.isKnown, origin.event == nil, let changed {
                factsOfUser.formUnion(changed.filter { user == nil || $0.value == .null }.keys)
            }
        }
        guard changed.map({ !factsOfUser.isSuperset(of: $0.keys) }) ?? true else { return }
        lastDoubt = index
        if !isNewEpoch || user != nil || changed == nil { publicIndex = index }
    }

    /// Notes whether a resolution says by which time it was decided, as all do of an app that looks at the time, since records
    /// carry facts.
    mutating func noteTime(_ wall: Double?) {
        if facts != nil { looksAtTime = wall != nil }
    }

    /// Whether what anybody may see has certainly been the same since the epoch began.
    var isSteadySinceEpochBegan: Bool { epochIndex.map { publicIndex <= $0 } ?? false }

    /// Whether what needs these can be judged by another moment's session: nothing of it changes with time alone.
    func isTimeless(_ needs: [String]) -> Bool {
        looksAtTime == false || needs.allSatisfy { holds[$0] != nil }
    }

    /// The facts after a commit that changes these; `nil` if they are not known.
    func facts(after changed: [String: JSONValue]) -> [String: JSONValue]? {
        guard var all = facts else { return nil }
        for (name, value) in changed {
            if value == .null { all.removeValue(forKey: name) } else { all[name] = value }
        }
        return all
    }

    /// What a model judges by.
    var state: SessionState { SessionState(user: user, isStale: stale != nil, facts: facts, appVersion: appVersion) }

    private mutating func note(_ truths: HistoryRecord.Truths?) {
        holds = truths?.holds ?? [:]
        stale = truths?.stale
    }

    /// The first of these needs that does not hold; unknown ones count as holding.
    func firstFailing(of needs: [String]) -> String? {
        needs.first { holds[$0] == false }
    }

    /// The first of these needs for which what is shown must go: one that does not hold, and not only because the sign-in is
    /// stale.
    func firstForbidding(_ needs: [String]) -> String? {
        needs.first { holds[$0] == false && stale?.contains($0) != true }
    }
}
