internal import DequeModule
internal import Basics
internal import Synchronization

/// The host's history: all records in one total order, of which the newest are retained for readers.
///
/// Its lock is the innermost of the runtime, so that a record can be appended wherever something happens.
public final class RecordLog: Sendable {
    private struct State {
        var retained: Deque<Record> = []
        /// What the retained records take.
        var bytes = 0
        var nextIndex = 1
        /// In the order in which they were added.
        var listeners: [Listener] = []
        var nextListener = 0
        /// The index of the record after which a snapshot of the host is due; `nil` while one is.
        var snapshotAfter: Int?
        /// Whether nothing is recorded any more.
        var hasStopped = false
        /// What somebody has to keep as one step who is in ``RecordLog/together(_:)``; `nil` if nobody is.
        var joined: KeptStep?
        /// Whether the step that is handed over next has something already.
        var isJoined: Bool { joined.map { !$0.isEmpty } ?? false }
    }

    private struct Listener {
        let token: Int
        let onlyWatches: Bool
        /// Whether it hears of a record once that is kept.
        let onlyOfKept: Bool
        let tell: @Sendable (Record) -> Void
    }

    /// The host's ID, which every record carries.
    public let host: String
    private let clock: any RuntimeClock
    private let capacity: Int
    private let byteLimit: Int
    private let state: Guarded<State>
    /// What keeps the records, and what they tell of; `nil` for a host that forgets.
    private let keeper: (any StateKeeper)?
    /// Reads records of before the host's restart; `nil` if there are none.
    private let earlier: (any KeptRecords)?
    /// Whether a snapshot of the host is due. Every scene asks after every item, so it takes no lock.
    private let isSnapshotDue = Atomic<Bool>(false)
    private let snapshotName = SharedName()

    /// - Parameters:
    ///   - capacity: How many records are retained.
    ///   - bytes: How many bytes they may take, about; the newest is retained whatever it takes.
    ///   - snapshotAfter: After how many records the first snapshot of the host is due.
    ///   - keeper: Keeps the records.
    ///   - last: The index of the record that was kept last; 0 for a new host.
    ///   - earlier: Reads the records up to that one.
    init(
        host: String,
        clock: any RuntimeClock,
        capacity: Int,
        bytes: Int = .max,
        snapshotAfter: Int = .max,
        keeper: (any StateKeeper)? = nil,
        after last: Int = 0,
        earlier: (any KeptRecords)? = nil
    ) {
        var first = State(
            snapshotAfter: snapshotAfter.addingReportingOverflow(last).overflow ? .max : snapshotAfter + last
        )
        first.nextIndex = last + 1
        state = Guarded(first)
        self.host = host
        self.clock = clock
        self.capacity = capacity
        byteLimit = bytes
        self.keeper = keeper
        self.earlier = earlier
    }

    /// Whether anything is kept.
    var keeps: Bool { keeper != nil }

    /// Keeps changes of which no record tells.
    func keep(_ changes: @autoclosure () -> [KeptChange]) {
        guard let keeper else { return }
        let step = KeptStep(record: nil, changes: changes())
        if !step.changes.isEmpty { state.add { keep(step, &$0, keeper) } }
    }

    private func keep(_ step: KeptStep, _ state: inout State, _ keeper: any StateKeeper) {
        if state.joined?.add(step) == nil { keeper.keep(step) }
    }

    /// Runs `body`, and keeps what it and others record meanwhile as one step. It must not wait for anything; the session's lock is held, so
    /// nobody else is here.
    func together<Result, Failure: Error>(_ body: () throws(Failure) -> Result) throws(Failure) -> Result {
        guard let keeper else { return try body() }
        state.withLock { $0.joined = KeptStep(record: nil, changes: []) }
        defer {
            state.withLock { state in
                if state.isJoined, let joined = state.joined { keeper.keep(joined) }
                state.joined = nil
            }
        }
        return try body()
    }

    /// Calls `notify` with `true` once everything is kept that has happened so far, or with `false` if it cannot be at present
    /// (``StateKeeper/isKept(with:patiently:then:)``); at once, with `true`, in a host that forgets.
    /// - Parameter patiently: Whether to wait for what cannot be kept at present.
    package func whenKept(patiently: Bool = false, _ notify: @escaping @Sendable (_ isKept: Bool) -> Void) {
        guard let keeper else { return notify(true) }
        let isKept = state.withLock { keeper.isKept(with: $0.isJoined, patiently: patiently, then: notify) }
        if let isKept { notify(isKept) }
    }

    /// Waits until everything is kept that has happened so far, or cannot be at present.
    func untilKept() async {
        guard keeps else { return }
        await withCheckedContinuation { continuation in whenKept { _ in continuation.resume() } }
    }

    /// While something cannot be kept at present, the index of the newest record that is kept; else `nil`.
    package var newestKept: Int? { keeper?.newestKeptRecord }

    /// Keeps nothing of what happens from now on, and records nothing of it: what is to be seen of the host is what it goes on from. Does
    /// nothing in a host that forgets.
    func stopKeeping() {
        guard let keeper else { return }
        state.withLock { $0.hasStopped = true }
        keeper.stop()
    }

    /// About how many bytes the retained records take.
    var bytes: Int { state.read { $0.bytes } }

    /// - Parameter changes: What the record tells of, to be kept with it.
    func append(
        _ body: consuming Record.Body,
        _ subject: consuming Record.Subject = Record.Subject(),
        keeping changes: @autoclosure () -> [KeptChange] = []
    ) {
        let content = Record.Content(host: host, subject: subject, body: body)
        let changes = keeper == nil ? [] : changes()
        let bytes = content.footprint
        // All scenes share the lock, so the oldest records are freed outside it.
        // Whoever appends learns nothing of what others have appended.
        let forgotten: (Record?, [Record]) = state.add { state in
            let record = Record(index: state.nextIndex, time: clock.now, content)
            if state.hasStopped { return (nil, []) }
            if let due = state.snapshotAfter, record.index >= due {
                state.snapshotAfter = nil
                isSnapshotDue.store(true, ordering: .relaxed)
                self.state.report(.write)
                snapshotName.report(.write)
            }
            state.nextIndex += 1
            state.bytes += bytes
            // Nearly always it is one.
            var forgotten: (Record?, [Record]) = (nil, [])
            while state.retained.count >= capacity || state.bytes > byteLimit, let oldest = state.retained.popFirst() {
                state.bytes -= oldest.footprint
                if forgotten.0 == nil { forgotten.0 = oldest } else { forgotten.1.append(oldest) }
            }
            state.retained.append(record)
            if let keeper { keep(KeptStep(record: record, changes: changes), &state, keeper) }
            for listener in state.listeners { tell(listener, record, &state) }
            if state.listeners.contains(where: { !$0.onlyWatches }) { self.state.report(.write) }
            return forgotten
        }
        withExtendedLifetime(forgotten) {}
    }

    /// Whether a snapshot of the host is due. Who is told so has to see that it is made and ``scheduleSnapshot(after:)`` the
    /// next.
    func takeSnapshotDue() -> Bool {
        snapshotName.report(.read)
        guard isSnapshotDue.load(ordering: .relaxed) else { return false }
        snapshotName.report(.write)
        return isSnapshotDue.exchange(false, ordering: .relaxed)
    }

    /// Makes a snapshot due after this many more records.
    func scheduleSnapshot(after count: Int) {
        state.withLock { $0.snapshotAfter = $0.nextIndex - 1 + count }
    }

    /// The index of the newest record; 0 before the first.
    public var newestIndex: Int { state.read { $0.nextIndex - 1 } }

    /// The index of the newest record, for who only watches: nothing that the host does may depend on it.
    package var watchedIndex: Int { state.watch { $0.nextIndex - 1 } }

    /// The records after index `after`, oldest first, at most `limit`.
    ///
    /// Begins with a ``Record/Body/gap(count:)`` when records after `after` are no longer retained.
    /// - Returns: The records, and the index to pass as `after` next time.
    public func read(after: Int, limit: Int = .max) -> (records: [Record], next: Int) {
        if let page = kept(after: after, limit) { return (page, Self.next(after: page) ?? after) }
        let (records, after, gap) = retained(after: after, atMost: limit)
        guard let gap else { return (records, records.last?.index ?? after) }
        let fitting = records.prefix(max(limit - 1, 0))
        return ([gap] + fitting, fitting.last?.index ?? gap.index - 1)
    }

    /// The records after index `after` that `matches` accepts, oldest first, at most `limit`.
    ///
    /// Begins with a ``Record/Body/gap(count:)`` when records after `after` are no longer retained.
    /// - Returns: The records, and the index to pass as `after` next time.
    public func read(
        after: Int,
        limit: Int = .max,
        matching matches: (Record) -> Bool
    ) -> (records: [Record], next: Int) {
        if let page = kept(after: after, Self.longestRead) {
            let fitting = page.filter { $0.kind == .gap || matches($0) }.prefix(limit)
            let isAll = fitting.count < limit
            return (Array(fitting), Self.next(after: isAll ? page : Array(fitting)) ?? after)
        }
        // Match outside the lock, so that only the reader pays for its filter.
        let (candidates, after, gap) = retained(after: after, atMost: .max)
        var records: [Record] = []
        var next = after
        if let gap {
            records.append(gap)
            next = gap.index - 1
        }
        for record in candidates {
            guard records.count < limit else { return (records, next) }
            next = record.index
            if matches(record) { records.append(record) }
        }
        return (records, next)
    }

    /// What to pass as `after` after these records. A gap has the index of the record that follows it.
    private static func next(after records: [Record]) -> Int? {
        records.last.map { $0.kind == .gap ? $0.index - 1 : $0.index }
    }

    /// The kept records after index `after`, if some are that are not retained any more; at most `limit`, and not those that are retained.
    private func kept(after: Int, _ limit: Int) -> [Record]? {
        guard let earlier, limit > 0 else { return nil }
        let oldest = state.read { $0.nextIndex - $0.retained.count }
        guard max(after, 0) + 1 < oldest else { return nil }
        var records = earlier.keptRecords(after: max(after, 0), limit: min(limit, Self.longestRead))
        records.removeAll { $0.index >= oldest }
        guard let first = records.first else { return nil }
        // What is no longer kept is missing, too.
        guard first.index > max(after, 0) + 1 else { return records }
        let missing = Record.Body.gap(count: first.index - max(after, 0) - 1)
        let gap = Record(
            index: first.index,
            time: first.time,
            Record.Content(host: host, subject: Record.Subject(), body: missing)
        )
        return Array(([gap] + records).prefix(limit))
    }

    /// The retained records after index `after`, which is first limited to the newest index; and a gap to put in front of
    /// them if some are no longer retained.
    private func retained(after: Int, atMost limit: Int) -> (records: [Record], after: Int, gap: Record?) {
        let (after, records, oldest) = state.read { state in
            let oldest = state.nextIndex - state.retained.count
            // A reader may pass any number, also one beyond the newest.
            let after = min(max(after, 0), state.nextIndex - 1)
            let skipped = max(after + 1 - oldest, 0)
            let count = min(state.retained.count - skipped, max(limit, 0), Self.longestRead)
            return (after, Array(state.retained[skipped..<(skipped + count)]), oldest)
        }
        guard after + 1 < oldest else { return (records, after, nil) }
        let gap = Record(
            index: oldest,
            time: records.first?.time ?? clock.now,
            Record.Content(host: host, subject: Record.Subject(), body: .gap(count: oldest - after - 1))
        )
        return (records, after, gap)
    }

    /// The most records that one read looks at, so that a reader far behind does not hold the lock for long.
    private static let longestRead = 4_096

    /// Calls `listener` with every record from now on, in order.
    ///
    /// The listener runs under the log's lock, on the thread that made the record. It must return at once and not call the
    /// host.
    /// - Parameters:
    ///   - replaying: Whether it is first called with the records that are retained.
    ///   - listener: Gets each record.
    /// - Returns: A token for ``stopListening(_:)``.
    public func listen(replaying: Bool = false, _ listener: @escaping @Sendable (Record) -> Void) -> Int {
        listen(replaying: replaying, onlyWatches: false, listener)
    }

    /// As ``listen(replaying:_:)``.
    /// - Parameters:
    ///   - onlyWatches: Whether nothing that the host does depends on what the listener does. Otherwise an exploration takes the order of
    ///     any two records for one that makes a difference.
    ///   - onlyOfKept: Whether the listener gets each record once it is kept, on any thread then.
    package func listen(
        replaying: Bool = false,
        onlyWatches: Bool,
        onlyOfKept: Bool = false,
        _ listener: @escaping @Sendable (Record) -> Void
    ) -> Int {
        state.withLock { state in
            state.nextListener += 1
            let new = Listener(
                token: state.nextListener,
                onlyWatches: onlyWatches,
                onlyOfKept: onlyOfKept,
                tell: listener
            )
            if replaying { for record in state.retained { tell(new, record, &state) } }
            state.listeners.append(new)
            return new.token
        }
    }

    private func tell(_ listener: Listener, _ record: Record, _ state: inout State) {
        guard listener.onlyOfKept, let keeper else { return listener.tell(record) }
        let isKept = keeper.isKept(with: state.isJoined, patiently: true) { if $0 { listener.tell(record) } }
        if isKept ?? false { listener.tell(record) }
    }

    /// Ends the calls that ``listen(replaying:_:)`` began.
    /// - Parameter token: What ``listen(replaying:_:)`` returned.
    public func stopListening(_ token: Int) {
        state.withLock { state in state.listeners.removeAll { $0.token == token } }
    }
}
