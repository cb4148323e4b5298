import Basics
import Foundation
import GRDB
import SceneRouting
@testable import SceneRuntime
@testable import SceneState
import TestFixtures

/// A folder for a state, and stores that are opened of it.
struct StateFolder {
    private let parent: TemporaryDirectory
    let path: String
    var database: String { "\(path)/state.sqlite" }

    init() throws {
        parent = try TemporaryDirectory()
        path = "\(parent.path)/state"
    }

    /// Opens it.
    func open(
        _ durability: StateDurability = .group,
        _ retention: StateRetention = StateRetention(),
        pause: Duration = .seconds(1),
        lead: Int = StateDurability.relaxedLead,
        now: @escaping @Sendable () -> Double = { 1_000 },
        report: @escaping @Sendable (StateNews) -> Void = { _ in }
    ) throws(StateError) -> StateStore {
        try StateStore(path, durability, retention, pause: pause, lead: lead, now: now, report: report)
    }

    /// Opens it with a host that begins.
    func begin(
        _ durability: StateDurability = .group,
        _ retention: StateRetention = StateRetention(),
        pause: Duration = .seconds(1),
        lead: Int = StateDurability.relaxedLead,
        now: @escaping @Sendable () -> Double = { 1_000 },
        report: @escaping @Sendable (StateNews) -> Void = { _ in }
    ) throws(StateError) -> StateStore {
        let store = try open(durability, retention, pause: pause, lead: lead, now: now, report: report)
        try store.begin(.first)
        return store
    }

    /// What would be there if the power failed now.
    func crashed() throws -> StateFolder {
        let copy = try StateFolder()
        let files = FileManager.default
        try files.createDirectory(atPath: copy.path, withIntermediateDirectories: false)
        for name in ["state.sqlite", "state.sqlite-wal"] where files.fileExists(atPath: "\(path)/\(name)") {
            try files.copyItem(atPath: "\(path)/\(name)", toPath: "\(copy.path)/\(name)")
        }
        return copy
    }

    /// What would be there if the power failed while a change was made in the database itself, without a log of changes.
    func cutOff(while sql: String) throws -> StateFolder {
        let cut = try StateFolder()
        let files = FileManager.default
        try files.createDirectory(atPath: cut.path, withIntermediateDirectories: false)
        let queue = try DatabaseQueue(path: database)
        try queue.inDatabase { db in
            // A change that is larger than the cache is in the file before it is whole.
            try db.execute(sql: "PRAGMA journal_mode = DELETE; PRAGMA cache_size = 1; BEGIN IMMEDIATE; \(sql)")
            for name in ["state.sqlite", "state.sqlite-journal"] {
                try files.copyItem(atPath: "\(path)/\(name)", toPath: "\(cut.path)/\(name)")
            }
            try db.execute(sql: "ROLLBACK")
        }
        try queue.close()
        return cut
    }

    /// A copy of a file, or of a folder with all that is in it, at the path that is returned.
    static func copy(of path: String) throws -> String {
        try FileManager.default.copyItem(atPath: path, toPath: "\(path).copy")
        return "\(path).copy"
    }

    /// Changes the database by other means.
    func change(_ sql: String) throws {
        let queue = try DatabaseQueue(path: database)
        try queue.writeWithoutTransaction { try $0.execute(sql: sql) }
        try queue.close()
    }
}

/// What is thrown; `nil` if nothing is.
func refusal<Result>(_ body: () throws(StateError) -> Result) -> StateError? {
    do {
        _ = try body()
        return nil
    } catch {
        return error
    }
}

extension StateError {
    /// The file that is damaged, and how; `nil` if that is not what is wrong.
    var damage: (path: String, reason: String)? {
        if case .damaged(let path, let reason) = self { (path, reason) } else { nil }
    }
}

extension KeptHost {
    static let first = KeptHost(
        id: "first",
        seed: .max - 7,
        secretKey: SecretKey(.max, 1),
        manifest: KeptManifest(digest: "d1", json: "{}"),
        session: KeptSession(
            snapshot: SessionSnapshot(revision: 0, epoch: 0, user: nil, facts: [:]),
            deadlines: SessionDeadlines()
        ),
        wall: 1_000
    )
}

extension StateStore {
    func begin(_ host: KeptHost) throws(StateError) {
        try begin(
            host: host.id,
            seed: host.seed,
            secretKey: host.secretKey,
            manifest: host.manifest,
            session: host.session
        )
    }

    /// Calls back once everything that was handed over so far is kept.
    func whenKept(patiently: Bool = false, _ notify: @escaping @Sendable (_ isKept: Bool) -> Void) {
        if let isKept = isKept(with: false, patiently: patiently, then: notify) { notify(isKept) }
    }

    /// Hands over these changes, without a record.
    func keep(_ changes: KeptChange...) { keep(KeptStep(record: nil, changes: changes)) }

    /// A number in the database.
    func count(_ sql: String) throws -> Int { try pool.read { try Int.fetchOne($0, sql: sql) ?? 0 } }
}

/// Counts the transactions of a store, and holds or fails them just before they are committed.
final class CommitGate: TransactionObserver, Sendable {
    struct Refused: Error {}

    private struct State {
        var arrived = 0
        var committed = 0
        var isShut = false
        /// How many more transactions fail.
        var failures = 0
    }

    private let state = Monitor(State())

    init(_ store: StateStore) { store.pool.add(transactionObserver: self, extent: .databaseLifetime) }

    var commits: Int { state.change { $0.committed } }

    func shut() { state.change { $0.isShut = true } }
    func open() { state.change { $0.isShut = false } }
    func fail(_ times: Int = .max) { state.change { $0.failures = times } }
    func mend() { fail(0) }

    /// Waits until so many transactions have come to their commit.
    func wait(for count: Int) { state.wait { $0.arrived >= count ? () : nil } }

    func observes(eventsOfKind: DatabaseEventKind) -> Bool { true }
    func databaseDidChange(with event: DatabaseEvent) {}

    func databaseWillCommit() throws {
        state.change { $0.arrived += 1 }
        let isFailing = state.wait { state -> Bool? in
            if state.isShut { return nil }
            defer { state.failures = max(0, state.failures - 1) }
            return state.failures > 0
        }
        if isFailing { throw Refused() }
    }

    func databaseDidCommit(_ db: Database) { state.change { $0.committed += 1 } }
    func databaseDidRollback(_ db: Database) {}
}
