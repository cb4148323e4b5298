internal import Foundation
internal import GRDB
internal import Glibc
package import SceneRuntime

/// What a folder keeps, read without a daemon, or beside the one that has it open. Nothing of it is changed.
package final class StoredState: Sendable {
    /// The path of the database.
    package let path: String
    private let place: StatePlace
    private let queue: DatabaseQueue
    /// Whether there was a log of changes before this has opened it.
    private let hadLog: Bool

    /// How much there is.
    package struct Figures: Hashable, Sendable {
        /// The format, the newest of which this version writes.
        package let format: Int
        /// The bytes of the database and of the log of its changes.
        package let bytes: Int
        /// Whether the daemon has closed it, or it is a copy; otherwise one has it open, or has ended by a crash.
        package let isClosed: Bool
        /// Whether the log of its changes is missing though it was not closed: what was in that alone is lost.
        package let lacksLog: Bool
        /// How many records there are, and the index of the first.
        package let records: Int
        package let firstRecord: Int
        /// How many bytes their texts have.
        package let recordBytes: Int
    }

    /// Opens it.
    /// - Throws: ``StateError`` if there is none, or if it is no database of this program in the newest format.
    package init(directory: String) throws(StateError) {
        place = try StatePlace(existing: directory)
        path = place.path
        try place.checkHeader()
        hadLog = try place.hasLog
        var configuration = Configuration()
        configuration.readonly = true
        configuration.busyMode = .timeout(StatePlace.patience)
        do {
            queue = try DatabaseQueue(path: path, configuration: configuration)
            let format = try queue.read { try Int.fetchOne($0, sql: "PRAGMA user_version") ?? 0 }
            if format > StateSchema.format {
                throw StateError.newer(path: path, format: format, readable: StateSchema.format)
            }
            if format < StateSchema.format {
                throw StateError.older(path: path, format: format, newest: StateSchema.format)
            }
        } catch {
            throw place.refusal(of: error)
        }
    }

    /// Everything that a host finds again; `nil` if none has begun.
    /// - Throws: If it cannot be read.
    package func host() throws(StateError) -> KeptHost? {
        try read { db in try StateReading(db).host(events: .max) }
    }

    /// - Throws: If it cannot be read.
    package func figures() throws(StateError) -> Figures {
        let bytes = place.size
        return try read { db in
            let row = try Row.fetchOne(
                db,
                sql: "SELECT sum(count) AS number, min(first) AS first, sum(bytes) AS bytes FROM segment"
            )
            let isClosed = try StateMark(db) != .open
            return Figures(
                format: try Int.fetchOne(db, sql: "PRAGMA user_version") ?? 0,
                bytes: bytes,
                isClosed: isClosed,
                lacksLog: !isClosed && !hadLog,
                records: row?["number"] ?? 0,
                firstRecord: row?["first"] ?? 0,
                recordBytes: row?["bytes"] ?? 0
            )
        }
    }

    /// What is damaged: of the database, by SQLite's own check, and of what it says; empty if nothing is. At most 20 problems.
    /// - Throws: If it cannot be read.
    package func damage() throws(StateError) -> [String] {
        try read { db in
            let complaints = try StatePlace.complaints(db, "integrity_check(20)")
            if !complaints.isEmpty { return complaints }
            var problems: [String] = []
            do {
                let host = try StateReading(db).host(events: .max)
                let last = try Int.fetchOne(db, sql: "SELECT max(number) FROM record")
                if let host, let last, last != host.lastRecord.index {
                    problems.append("the newest record is \(last), and the host's newest is \(host.lastRecord.index)")
                }
            } catch {
                problems.append(StatePlace.text(error))
            }
            let wrong = try Row.fetchAll(
                db,
                sql: """
                    SELECT first, last, count, (SELECT count(*) FROM record WHERE number BETWEEN first AND last) AS found
                    FROM segment WHERE count <> found LIMIT 10
                    """
            )
            problems += wrong.map { row in
                "of the records \(row["first"] as Int) to \(row["last"] as Int) there are \(row["found"] as Int); expected \(row["count"] as Int)"
            }
            return problems
        }
    }

    /// Records, each as its index and its JSON, in order.
    /// - Parameters:
    ///   - index: Those with greater indexes.
    ///   - limit: At most so many.
    /// - Throws: If they cannot be read.
    package func records(after index: Int, limit: Int) throws(StateError) -> [(index: Int, json: String)] {
        try read { db in
            try Row.fetchAll(
                db,
                sql: "SELECT number, json FROM record WHERE number > ? ORDER BY number LIMIT ?",
                arguments: [index, limit]
            ).map { ($0["number"], $0["json"]) }
        }
    }

    /// Makes a folder with a copy of it all, as it is at one time, from which a daemon can go on; also while a daemon writes.
    /// - Parameter directory: The new folder, which must not exist.
    /// - Throws: If it cannot be made, or this not be read.
    package func copy(to directory: String) throws(StateError) {
        guard mkdir(directory, 0o700) == 0 else {
            if errno == EEXIST { throw .exists(path: directory) }
            throw .noFolder(path: directory, reason: StatePlace.reason())
        }
        let target = StatePlace(directory: directory).path
        do {
            let copy = try DatabaseQueue(path: target)
            try queue.backup(to: copy)
            try copy.write { try StateMark.copy.write($0) }
            // So a log that is left beside it where it is put back is known not to be its own.
            try copy.writeWithoutTransaction { try $0.execute(sql: "PRAGMA journal_mode = DELETE") }
            try copy.close()
            guard chmod(target, 0o600) == 0 else {
                throw StateError.cannotWrite(path: target, reason: StatePlace.reason())
            }
            try StateFiles.sync(folder: directory)
        } catch {
            try? FileManager.default.removeItem(atPath: directory)
            if let error = error as? StateError { throw error }
            // It is copied page by page, so what is damaged in one is in the other.
            if case .damaged(_, let reason) = place.refusal(of: error) { throw .damaged(path: path, reason: reason) }
            throw .cannotWrite(path: target, reason: StatePlace.text(error))
        }
    }

    /// Gives the space of what was removed back to the disk, which needs as much space for a while. No daemon may have the state open.
    /// - Returns: The bytes before and after, and whether the log of its changes was missing though it was not closed.
    /// - Throws: If a daemon has it, or it is damaged or cannot be written.
    package static func compact(directory: String) throws(StateError) -> (before: Int, after: Int, lacksLog: Bool) {
        let place = try StatePlace(existing: directory)
        let before = place.size
        let files = try StateFiles(of: place)
        defer { files.release() }
        // What is damaged would be written anew as if it were whole.
        let (pool, lacksLog) = try files.openDatabase(lookingThrough: true)
        do {
            try pool.writeWithoutTransaction { db in try db.execute(sql: "VACUUM") }
            try files.closeDatabase(pool)
        } catch {
            throw place.refusal(of: error, whileWriting: true)
        }
        return (before, place.size, lacksLog)
    }

    private func read<Value>(_ body: (Database) throws -> Value) throws(StateError) -> Value {
        do { return try queue.read(body) } catch { throw place.refusal(of: error) }
    }
}
