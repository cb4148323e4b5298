public import SceneRouting
internal import Basics
internal import SceneVocabulary

/// The state that all scenes share (<doc:TheSession>). Every change to it is a commit, and readers see whole commits only.
public actor Session {
    private nonisolated let executor: any SerialExecutor
    private nonisolated let clock: any RuntimeClock
    private nonisolated let store: SessionStore
    private nonisolated let activity: ActivityMonitor
    /// Called with every commit and what was before, in order, before anybody can read the new snapshot.
    private nonisolated let announce:
        @Sendable (SessionSnapshot, _ before: SessionSnapshot, SessionDeadlines, CommitOrigin) -> Void
    /// Keeps what changes without a commit.
    private nonisolated let keep: @Sendable (@autoclosure () -> [KeptChange]) -> Void
    private(set) var declarations: FactDeclarations
    /// When the newest sign-in becomes stale, and when it ends.
    private(set) var deadlines = SessionDeadlines()
    /// What waits for ``deadlines``.
    private var timers: [Task<Void, Never>] = []
    private(set) var isStopped = false

    package init(
        declarations: FactDeclarations,
        store: SessionStore,
        clock: any RuntimeClock,
        executor: any SerialExecutor,
        activity: ActivityMonitor,
        keep: @escaping @Sendable (@autoclosure () -> [KeptChange]) -> Void = { _ in },
        announce:
            @escaping @Sendable (SessionSnapshot, _ before: SessionSnapshot, SessionDeadlines, CommitOrigin) -> Void
    ) {
        self.declarations = declarations
        self.store = store
        self.clock = clock
        self.executor = executor
        self.activity = activity
        self.keep = keep
        self.announce = announce
    }

    /// The executor that the host was given for the session.
    public nonisolated var unownedExecutor: UnownedSerialExecutor { executor.asUnownedSerialExecutor() }

    /// The newest snapshot.
    public nonisolated var snapshot: SessionSnapshot { store.snapshot }

    /// Calls `listener` with the newest snapshot now and with every later one, in order. It must return at once and not
    /// call the session or a host.
    /// - Returns: A token for ``stopListening(_:)``.
    public nonisolated func listen(_ listener: @escaping @Sendable (SessionSnapshot) -> Void) -> Int {
        store.listen(listener)
    }

    /// Ends the calls that ``listen(_:)`` began.
    /// - Parameter token: What ``listen(_:)`` returned.
    public nonisolated func stopListening(_ token: Int) {
        store.stopListening(token)
    }

    /// Signs `user` in and sets `facts`, in one commit.
    ///
    /// Signing in as the same user makes the sign-in fresh again and commits the facts. If another user was signed in, that
    /// user's facts are reset in the same commit. Facts set while nobody was signed in pass to whoever signs in. Both times count
    /// on the host's clock, and end when somebody signs in, also the same user, or out.
    /// - Parameters:
    ///   - user: Who signs in: 1 to 128 bytes of visible ASCII.
    ///   - facts: Facts to set in the same commit, by name.
    ///   - lifetime: How long until the user is signed out again; `nil` for ever.
    ///   - freshness: How long until the sign-in is stale; `nil` for ever.
    ///   - origin: Who commits, and where, for the records.
    /// - Returns: The newest snapshot.
    /// - Throws: ``SessionError/invalidUser(reason:)``, ``SessionError/invalidFact(fact:reason:)``, or
    ///   ``SessionError/draining``.
    @discardableResult
    public func signIn(
        user: String,
        facts: [String: FactValue] = [:],
        expiresAfter lifetime: Duration? = nil,
        staleAfter freshness: Duration? = nil,
        origin: CommitOrigin = CommitOrigin()
    ) throws(SessionError) -> SessionSnapshot {
        guard !isStopped else { throw .draining }
        try SessionError.check(user: user)
        let facts = try declarations.checked(facts)
        let current = snapshot
        let leaves = current.user != nil && current.user != user
        let base = leaves ? declarations.resettingUserFacts(current.facts) : current.facts
        let all = base.merging(facts) { $1 }
        try FactDeclarations.check(sizeOf: all, after: current.facts)
        let now = clock.now
        let deadlines = SessionDeadlines(stale: freshness.map { now + $0 }, end: lifetime.map { now + $0 })
        let committed = commit(user: user, isStale: false, facts: all, deadlines, origin: origin)
        endTimers()
        startTimers()
        return committed
    }

    /// Goes on with the deadlines of a sign-in of before a restart. What was due meanwhile is done at once.
    func resume(_ deadlines: SessionDeadlines) {
        self.deadlines = deadlines
        if let stale = deadlines.stale, stale <= clock.now { markStale() }
        if let end = deadlines.end, end <= clock.now { signOut() }
        startTimers()
    }

    /// Starts what waits for ``deadlines`` that are still to come.
    private func startTimers() {
        if let stale = deadlines.stale, !snapshot.isStale { timers.append(at(stale) { $0.markStale() }) }
        if let end = deadlines.end { timers.append(at(end) { $0.signOut() }) }
    }

    /// Signs the user out. Without a user, or once the host is stopping, this changes nothing.
    /// - Returns: The newest snapshot.
    @discardableResult
    public func signOut(origin: CommitOrigin = CommitOrigin()) -> SessionSnapshot {
        endTimers()
        let current = snapshot
        guard current.user != nil, !isStopped else { return current }
        return commit(
            user: nil,
            isStale: false,
            facts: declarations.resettingUserFacts(current.facts),
            SessionDeadlines(),
            origin: origin
        )
    }

    /// Makes the sign-in stale, until somebody signs in (<doc:TheSession#S10>). Without a user, if it is stale
    /// already, or once the host is stopping, this changes nothing.
    /// - Returns: The newest snapshot.
    @discardableResult
    public func markStale(origin: CommitOrigin = CommitOrigin()) -> SessionSnapshot {
        let current = snapshot
        guard current.user != nil, !isStopped else { return current }
        return commit(user: current.user, isStale: true, facts: current.facts, deadlines, origin: origin)
    }

    /// Sets and removes facts in one commit. A removed fact has its declared default again.
    ///
    /// - Parameters:
    ///   - set: The facts to set, by name.
    ///   - remove: The facts to reset.
    ///   - expectedRevision: The revision that the caller decided on; if the session has another, the commit is
    ///     refused.
    ///   - origin: Who commits, and where, for the records.
    /// - Returns: The newest snapshot.
    /// - Throws: ``SessionError``; nothing was committed then.
    @discardableResult
    public func commit(
        set: [String: FactValue] = [:],
        remove: [String] = [],
        expectedRevision: Int? = nil,
        origin: CommitOrigin = CommitOrigin()
    ) throws(SessionError) -> SessionSnapshot {
        let set = try declarations.checked(set)
        try declarations.check(names: remove)
        return try change(expectedRevision: expectedRevision, origin: origin) { facts in
            for name in remove { facts[name] = declarations.defaultValue(of: name) }
            facts.merge(set) { $1 }
        }
    }

    /// Changes facts depending on what they are now, in one commit.
    ///
    /// - Parameter transform: Changes the facts; it must keep to the declared names and types.
    @discardableResult
    package func change(
        expectedRevision: Int? = nil,
        origin: CommitOrigin,
        _ transform: (inout [String: FactValue]) -> Void
    ) throws(SessionError) -> SessionSnapshot {
        guard !isStopped else { throw .draining }
        let current = snapshot
        if let expectedRevision, expectedRevision != current.revision {
            throw .revisionConflict(expected: expectedRevision, actual: current.revision)
        }
        var facts = current.facts
        transform(&facts)
        try FactDeclarations.check(sizeOf: facts, after: current.facts)
        return commit(user: current.user, isStale: current.isStale, facts: facts, deadlines, origin: origin)
    }

    /// Adopts the facts of another manifest (<doc:TheSession#A-reload>): those that it does not declare are dropped, and new ones, and
    /// those of another type or scope, get their defaults.
    ///
    /// - Parameter swap: Puts the manifest in force for the snapshot it is given, and calls what it is given to announce the commit,
    ///   if there is one. No commit and no step comes between.
    package func adopt(
        _ declarations: FactDeclarations,
        _ swap: (SessionSnapshot, _ announceCommit: () -> Void) -> Void
    ) {
        guard !isStopped else { return }
        let former = self.declarations
        self.declarations = declarations
        let current = snapshot
        let facts = declarations.adopting(current.facts, of: former)
        guard facts != current.facts else { return store.withNewest { swap($0) {} } }
        let next = SessionSnapshot(
            revision: current.revision + 1,
            epoch: current.epoch,
            user: current.user,
            isStale: current.isStale,
            facts: facts
        )
        store.publish(next) {
            swap(next) { announce(next, current, deadlines, CommitOrigin()) }
        }
    }

    /// Refuses every commit from now on, including an expiry.
    package func stop() {
        isStopped = true
        endTimers()
    }

    /// Ends the timers of an earlier sign-in.
    func endTimers() {
        for timer in timers { timer.cancel() }
        timers = []
    }

    @discardableResult
    func commit(
        user: String?,
        isStale: Bool,
        facts: [String: FactValue],
        _ deadlines: SessionDeadlines,
        origin: CommitOrigin
    ) -> SessionSnapshot {
        let current = snapshot
        let areNew = deadlines != self.deadlines
        self.deadlines = deadlines
        guard user != current.user || isStale != current.isStale || facts != current.facts else {
            // A commit that has changed nothing is decided afresh, should its attempt begin again.
            if areNew { keep([.session(KeptSession(snapshot: current, deadlines: deadlines))]) }
            return current
        }
        let leaves = current.user != nil && current.user != user
        let next = SessionSnapshot(
            revision: current.revision + 1,
            epoch: current.epoch + (leaves ? 1 : 0),
            user: user,
            isStale: isStale,
            facts: facts
        )
        store.publish(next) { announce(next, current, deadlines, origin) }
        return next
    }

    /// Makes a change at a time on the host's clock.
    private func at(
        _ deadline: Duration,
        _ change: @escaping @Sendable (isolated Session) -> Void
    ) -> Task<Void, Never> {
        // Counts as activity except while it sleeps: time must not move before it sleeps, nor before it has made its change.
        let wakefulness = TimerActivity(activity)
        return Task { [clock] in
            defer { wakefulness.end() }
            guard (try? await clock.sleep(until: deadline, watcher: wakefulness.watcher)) != nil, !Task.isCancelled
            else { return }
            change(self)
        }
    }
}

/// Counts a timer's task as activity of the session, except while it sleeps.
private final class TimerActivity: Sendable {
    private let activity: ActivityMonitor
    private let isCounted = Guarded(true)

    init(_ activity: ActivityMonitor) {
        self.activity = activity
        activity.began(ActivityMonitor.session)
    }

    var watcher: SleepWatcher { SleepWatcher(fallsAsleep: { self.count(false) }, wakes: { self.count(true) }) }

    func end() {
        count(false)
    }

    private func count(_ isAwake: Bool) {
        isCounted.withLock { isCounted in
            guard isCounted != isAwake else { return }
            isCounted = isAwake
            isAwake ? activity.began(ActivityMonitor.session) : activity.ended(ActivityMonitor.session)
        }
    }
}

/// Where a commit came from, for the records.
public struct CommitOrigin: Hashable, Sendable {
    /// The ID of the scene in which it was decided.
    public var scene: String?
    /// The ID of the event that caused it.
    public var event: String?
    /// The number of the connection that it came by.
    public var connection: Int?
    /// The event of whose attempt it is an effect.
    var key: EventKey?
    /// Which of the attempt's commits it is, from 1.
    var number = 0

    /// An origin of these parts. An expiry has none of them.
    public init(scene: String? = nil, event: String? = nil, connection: Int? = nil) {
        self.scene = scene
        self.event = event
        self.connection = connection
    }

    /// What is kept of the event whose attempt has made a commit.
    func effects(_ committed: SessionSnapshot) -> [KeptChange] {
        key.map { [.effect($0, .commit(epoch: committed.epoch, number: number))] } ?? []
    }
}

/// Why a commit was refused. Nothing of it was applied.
public enum SessionError: Error, Hashable, Sendable {
    /// The revision that the caller decided on is not the newest.
    case revisionConflict(expected: Int, actual: Int)
    /// The fact is not declared, the value is not of its type, or it is too large.
    case invalidFact(fact: String, reason: String)
    /// What the user is called is no name (<doc:Words>).
    case invalidUser(reason: String)
    /// The host is stopping: what it has recorded is final.
    case draining
}

extension SessionError: CustomStringConvertible {
    /// What was wrong, in a sentence without a full stop: `fact 'cart': not declared; …`.
    public var description: String {
        switch self {
        case .revisionConflict(let expected, let actual):
            "the session is at revision \(actual), not \(expected): read it again and decide anew"
        case .draining: "the daemon is stopping"
        case .invalidFact(let fact, let reason): "fact '\(fact)': \(reason)"
        case .invalidUser(let reason): "the user's name \(reason)"
        }
    }

    /// - Throws: ``SessionError/invalidUser(reason:)`` if nobody can be called that.
    static func check(user: String) throws(SessionError) {
        if let problem = NameRule.problem(user) { throw .invalidUser(reason: problem) }
    }
}
