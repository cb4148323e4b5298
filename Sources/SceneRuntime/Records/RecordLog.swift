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
        var listeners: [(token: Int, onlyWatches: Bool, tell: @Sendable (Record) -> Void)] = []
        var nextListener = 0
        /// The index of the record after which a snapshot of the host is due; `nil` while one is.
        var snapshotAfter: Int?
    }

    /// The host's ID, which every record carries.
    public let host: String
    private let clock: any RuntimeClock
    private let capacity: Int
    private let byteLimit: Int
    private let state: Guarded<State>
    /// Whether a snapshot of the host is due. Every scene asks after every item, so it takes no lock.
    private let isSnapshotDue = Atomic<Bool>(false)
    private let snapshotName = SharedName()

    /// - Parameters:
    ///   - capacity: How many records are retained.
    ///   - bytes: How many bytes they may take, about; the newest is retained whatever it takes.
    ///   - snapshotAfter: After how many records the first snapshot of the host is due.
    init(host: String, clock: any RuntimeClock, capacity: Int, bytes: Int = .max, snapshotAfter: Int = .max) {
        state = Guarded(State(snapshotAfter: snapshotAfter))
        self.host = host
        self.clock = clock
        self.capacity = capacity
        byteLimit = bytes
    }

    /// About how many bytes the retained records take.
    var bytes: Int { state.read { $0.bytes } }

    func append(_ body: consuming Record.Body, _ subject: consuming Record.Subject = Record.Subject()) {
        let content = Record.Content(host: host, subject: subject, body: body)
        let bytes = content.footprint
        // All scenes share the lock, so the oldest records are freed outside it.
        // Whoever appends learns nothing of what others have appended.
        let forgotten: (Record?, [Record]) = state.add { state in
            let record = Record(index: state.nextIndex, time: clock.now, content)
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
            for listener in state.listeners { listener.tell(record) }
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
    /// - Parameter onlyWatches: Whether nothing that the host does depends on what the listener does. Otherwise an exploration takes the order of
    ///   any two records for one that makes a difference.
    package func listen(
        replaying: Bool = false,
        onlyWatches: Bool,
        _ listener: @escaping @Sendable (Record) -> Void
    ) -> Int {
        state.withLock { state in
            if replaying { for record in state.retained { listener(record) } }
            state.nextListener += 1
            state.listeners.append((state.nextListener, onlyWatches, listener))
            return state.nextListener
        }
    }

    /// Ends the calls that ``listen(replaying:_:)`` began.
    /// - Parameter token: What ``listen(replaying:_:)`` returned.
    public func stopListening(_ token: Int) {
        state.withLock { state in state.listeners.removeAll { $0.token == token } }
    }
}
