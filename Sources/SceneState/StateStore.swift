internal import Basics
internal import Foundation
internal import GRDB
internal import Glibc
package import SceneRouting
package import SceneRuntime
package import SceneVocabulary

/// Keeps a host's state in a folder, in a database of SQLite.
///
/// A thread of its own writes what is handed over, in that order. If something cannot be written, it is tried again until it can be,
/// and nothing else before it; what cannot pass ends the keeping for good.
package final class StateStore: Sendable {
    private let files: StateFiles
    private let retention: StateRetention
    /// How many steps may be told of before they are kept.
    private let lead: Int
    private let now: @Sendable () -> Double
    /// The database, on whose connection for writing the thread writes.
    let pool: DatabasePool
    private let queue = Monitor(StepQueue())

    /// Opens the state of a folder, which is made if it does not exist.
    ///
    /// - Parameters:
    ///   - directory: The folder, which must belong to this user, and nobody else may write.
    ///   - durability: What must have happened before something counts as kept.
    ///   - retention: How much is kept of what has ended.
    ///   - now: The date, in seconds since 1970.
    ///   - report: Called on a thread of the store's when something cannot be kept, and when it can be again; before this returns, if
    ///     something is found missing.
    /// - Throws: If another process has it open, or it is not a whole state in a format that can be read.
    package convenience init(
        directory: String,
        durability: StateDurability = .group,
        retention: StateRetention = StateRetention(),
        now: @escaping @Sendable () -> Double = date,
        report: @escaping @Sendable (StateNews) -> Void
    ) throws(StateError) {
        try self.init(directory, durability, retention, pause: .seconds(1), now: now, report: report)
    }

    /// - Parameters:
    ///   - pause: How long after the begin of a transaction the next one begins at the earliest, if it is
    ///     ``StateDurability/relaxed``; and how long after one that has failed it is tried again.
    ///   - lead: How many steps may be told of before they are kept, if it is ``StateDurability/relaxed``.
    init(
        _ directory: String,
        _ durability: StateDurability,
        _ retention: StateRetention,
        pause: Duration,
        lead: Int = StateDurability.relaxedLead,
        now: @escaping @Sendable () -> Double,
        report: @escaping @Sendable (StateNews) -> Void
    ) throws(StateError) {
        files = try StateFiles(directory: directory)
        let opened = try files.openDatabase()
        pool = opened.pool
        self.lead = durability == .relaxed ? lead : 0
        self.retention = retention
        self.now = now
        let steps: StepWriter
        do {
            steps = try pool.read { [files, retention] db in
                try StepWriter(path: files.path, retention: retention, db)
            }
        } catch {
            throw files.place.refusal(of: error)
        }
        let writer = QueueWriter(
            files: files,
            pool: pool,
            queue: queue,
            pace: durability == .relaxed ? pause : .zero,
            pause: pause,
            isStepByStep: durability == .strict,
            report: report,
            steps: steps
        )
        queue.change { $0.newestRecord = writer.steps.newestRecord }
        if opened.lacksLog { report(.withoutLog(path: files.path)) }
        startThread {
            var writer = writer
            writer.run()
        }
    }

    deinit {
        queue.change { $0.isEnding = true }
    }

    /// The date by the system's clock, in seconds since 1970.
    @Sendable
    package static func date() -> Double { Date().timeIntervalSince1970 }

    // MARK: - Keeping

    func keep(_ step: KeptStep) {
        let wall = step.records.isEmpty ? 0 : now()
        _ = queue.change { $0.add(.step(step, wall: wall)) }
    }

    func isKept(
        with next: Bool,
        patiently: Bool,
        then notify: @escaping @Sendable (_ isKept: Bool) -> Void
    ) -> Bool? {
        queue.change { queue in
            if queue.hasLost || queue.failure != nil { return false }
            if queue.trouble != nil, !patiently { return false }
            let count = queue.handed + (next ? 1 : 0) - lead
            // Before anybody has to wait, the next transaction begins.
            if lead > 0 { queue.urgent = max(queue.urgent, count + lead / 2) }
            if queue.kept >= count && queue.hasToldAll { return true }
            queue.notices.append(StepQueue.Notice(count: count, isPatient: patiently, notify: notify))
            return nil
        }
    }

    var newestKeptRecord: Int? { queue.change { $0.trouble == nil ? nil : $0.newestRecord } }

    /// Why nothing can be written at present, and how much waits for that; `nil` if it can be.
    package var trouble: (error: StateError, steps: Int)? {
        queue.change { queue in queue.trouble.map { ($0, queue.handed - queue.kept) } }
    }

    /// Whether something was handed over that is not kept and will not be.
    package var hasLost: Bool { queue.change { $0.hasLost } }

    /// What keeps the state of the host that began last, until that stops.
    package func keeper() -> any StateKeeper { HostKeeper(self) }

    /// Puts a new host in the place of everything that is there, at once or not at all, and blocks until it is kept. What was handed over
    /// before belongs to the old one; what is handed over afterwards to the new one.
    /// - Throws: If it cannot be kept.
    package func begin(
        host id: String,
        seed: UInt64,
        secretKey: SecretKey?,
        manifest: KeptManifest,
        session: KeptSession
    ) throws(StateError) {
        let host = KeptHost(
            id: id,
            seed: seed,
            secretKey: secretKey,
            manifest: manifest,
            session: session,
            wall: now()
        )
        try wait(for: queue.change { $0.add(.begin(host)) })
    }

    /// Blocks until everything that was handed over so far is on the disk, whatever the durability.
    /// - Throws: If it cannot be kept.
    package func flush() throws(StateError) {
        try wait(for: queue.change { $0.handed })
    }

    /// Does the same, leaves the database as one whole file and gives up the folder. Nothing can be kept or read afterwards.
    /// - Throws: If not everything could be kept.
    package func close() throws(StateError) {
        queue.change { queue in
            queue.isEnding = true
            queue.isClosing = true
        }
        let failure = queue.wait { queue -> StateError?? in queue.hasEnded ? .some(queue.failure) : nil }
        if let failure { throw failure }
    }

    /// Blocks until so many entries are kept.
    private func wait(for count: Int?) throws(StateError) {
        let problem: StateError?
        if let count {
            queue.change { $0.urgent = max($0.urgent, count) }
            problem = queue.wait { queue -> StateError?? in
                if queue.kept >= count { return .some(nil) }
                return queue.hasLost || queue.hasEnded ? .some(queue.failure ?? .closed(path: files.path)) : nil
            }
        } else {
            problem = queue.change { $0.failure } ?? .closed(path: files.path)
        }
        if let problem { throw problem }
    }

    // MARK: - Reading

    /// Everything that the host has to find again, as it is kept so far; `nil` if none has ever begun.
    /// - Throws: If it cannot be read.
    package func load() throws(StateError) -> KeptHost? {
        try read { db in try StateReading(db).host(events: retention.events) }
    }

    /// A record as it is kept: its index, its kind, its scene and its event if it is about one, its time on the host's clock, and its JSON.
    package typealias StoredRecord = (
        index: Int, kind: RecordKind, scene: String?, event: String?, time: Duration, json: String
    )

    /// Records that are kept, in order. Any thread may ask, while others are written.
    ///
    /// - Parameters:
    ///   - index: Those with greater indexes.
    ///   - limit: At most so many.
    /// - Returns: Of each its index, its kind, its scene and its event if it is about one, its time on the host's clock, and its JSON.
    /// - Throws: If they cannot be read.
    package func records(
        after index: Int,
        limit: Int
    ) throws(StateError) -> [StoredRecord] {
        try read { db in
            let sql = "SELECT * FROM record WHERE number > ? ORDER BY number LIMIT ?"
            let rows = try Row.fetchCursor(
                db.cachedStatement(sql: sql),
                arguments: [index, max(0, limit)]
            )
            var records: [StoredRecord] = []
            while let row = try rows.next() {
                let name: String = row["kind"]
                let stored = StoredRow(row, of: "record")
                guard let kind = RecordKind(rawValue: name) else {
                    throw stored.wrong("kind", "expected a kind of records, found '\(name)'")
                }
                func text(_ column: String) throws -> String? {
                    stored.isNull(column) ? nil : try stored.textIfAny(column)
                }
                let time = Duration.nanoseconds(row["time"] as Int)
                records.append((row["number"], kind, try text("scene"), try text("event"), time, row["json"]))
            }
            return records
        }
    }

    private func read<Value>(_ body: (Database) throws -> Value) throws(StateError) -> Value {
        do {
            return try pool.read(body)
        } catch {
            throw files.place.refusal(of: error)
        }
    }
}

/// What has become of the keeping.
package enum StateNews: Sendable {
    /// The database of this path, which is about to be used, was not closed, and the log of its changes is missing: what was in that alone
    /// is lost.
    case withoutLog(path: String)
    /// Something cannot be written. It is tried again and again, and what comes meanwhile waits.
    case failing(StateError)
    /// Everything can be written again.
    case working
    /// Something cannot be kept, and nothing is from now on.
    case lost(StateError)
    /// The end has come while something could not be written: so many steps are lost.
    case unwritten(StateError, steps: Int)
}

/// Runs `body` on a new thread with all signals blocked, so that other threads handle them.
private func startThread(_ body: @escaping @Sendable () -> Void) {
    let thread = Thread(block: body)
    thread.name = "state"
    // The new thread inherits the mask.
    var all = sigset_t()
    var before = sigset_t()
    sigfillset(&all)
    pthread_sigmask(SIG_SETMASK, &all, &before)
    thread.start()
    pthread_sigmask(SIG_SETMASK, &before, nil)
}

/// Keeps the state of one host. Another may begin in the same folder when it has stopped.
private final class HostKeeper: StateKeeper {
    private let store: StateStore
    private let isStopped = Guarded(false)

    init(_ store: StateStore) { self.store = store }

    func keep(_ step: KeptStep) {
        isStopped.withLock { if !$0 { store.keep(step) } }
    }

    func isKept(
        with next: Bool,
        patiently: Bool,
        then notify: @escaping @Sendable (_ isKept: Bool) -> Void
    ) -> Bool? {
        if !isStopped.withLock({ $0 }) { return store.isKept(with: next, patiently: patiently, then: notify) }
        // No step is handed over any more.
        return store.isKept(with: false, patiently: patiently) { _ in notify(false) }.map { _ in false }
    }

    var newestKeptRecord: Int? { store.newestKeptRecord }

    func stop() { isStopped.withLock { $0 = true } }
}

extension StateStore: KeptRecords {
    package func keptRecords(after index: Int, limit: Int) -> [SceneRuntime.Record] {
        guard let host = try? read({ try StateReading($0).host }) ?? nil,
            let rows = try? records(after: index, limit: limit)
        else { return [] }
        return rows.map { row in
            SceneRuntime.Record(
                index: row.index,
                time: row.time,
                host: host,
                subject: SceneRuntime.Record.Subject(scene: row.scene, event: row.event),
                kind: row.kind,
                json: row.json
            )
        }
    }
}
