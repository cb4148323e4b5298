internal import Basics
internal import GRDB
internal import GRDBSQLite
internal import Glibc

/// The log of changes beside the database, SQLite's `-wal`, on disks whose syncs can fail.
///
/// After a sync that has failed, Linux takes for written what it could not write: the next sync works, everybody reads from memory what the
/// disk does not have, and a loss of power shows it. So nothing that such a sync was to keep may be left as it is. A transaction of which
/// the sync has failed is tried again, which writes the same pages. What SQLite does not write again by itself is here: see ``renew()``
/// and ``move(_:)``.
final class StateLog: Sendable {
    /// How many pages are moved into the database at once, as SQLite does by itself.
    private static let full = 1_000
    /// The header of the index, twice, by which SQLite knows whether it can be used (walformat.html).
    private static let indexHeader = 96
    private static let chunk = 1 << 20

    private let place: StatePlace
    /// How many pages it has since it was begun anew, as SQLite says after each commit.
    private let pages = Guarded(0)

    private var path: String { "\(place.path)-wal" }

    init(of place: StatePlace) { self.place = place }

    /// Writes it once more, as it is, before SQLite reads it: whoever had it open may have ended after a sync that failed, and before it had
    /// written that again. Of how much is moved, SQLite has to make up its mind again, too: if somebody who reads has kept that, it may
    /// count what such a sync was to keep.
    ///
    /// It is for who has the folder, and before this process opens the database, because SQLite's locks on a file end as soon as that is closed once.
    /// - Throws: ``StateError`` if it cannot be read or written.
    func renew() throws(StateError) {
        guard try place.hasLog else { return }
        let file = try Self.open(path)
        defer { close(file) }
        var bytes = [UInt8](repeating: 0, count: Self.chunk)
        var offset: off_t = 0
        while true {
            let count = pread(file, &bytes, bytes.count, offset)
            guard count >= 0 else { throw .cannotRead(path: path, reason: StatePlace.reason()) }
            if count == 0 { break }
            try Self.write(bytes[..<count], to: file, at: offset, path)
            offset += off_t(count)
        }
        guard fsync(file) == 0 else { throw .cannotWrite(path: path, reason: StatePlace.reason()) }
        try forgetIndex()
    }

    private func forgetIndex() throws(StateError) {
        let path = "\(place.path)-shm"
        guard try (place.checkFile(path)?.st_size ?? 0) >= Self.indexHeader else { return }
        let file = try Self.open(path)
        defer { close(file) }
        try Self.write([UInt8](repeating: 0, count: Self.indexHeader)[...], to: file, at: 0, path)
    }

    private static func open(_ path: String) throws(StateError) -> Int32 {
        let file = Glibc.open(path, O_RDWR | O_CLOEXEC | O_NOFOLLOW)
        guard file >= 0 else { throw .cannotWrite(path: path, reason: StatePlace.reason()) }
        return file
    }

    private static func write(_ bytes: ArraySlice<UInt8>, to file: Int32, at offset: off_t, _ path: String)
        throws(StateError)
    {
        var rest = bytes
        var offset = offset
        while !rest.isEmpty {
            let count = rest.withUnsafeBytes { pwrite(file, $0.baseAddress, $0.count, offset) }
            guard count > 0 else { throw .cannotWrite(path: path, reason: StatePlace.reason()) }
            rest.removeFirst(count)
            offset += off_t(count)
        }
    }

    // MARK: - Moving

    /// Has the connection that writes say how long the log is, and keep it when it closes: what moves by itself then is not looked at.
    func follow(_ db: Database) throws {
        try db.execute(sql: "PRAGMA wal_autocheckpoint = 0")
        var isKept: Int32 = 1
        sqlite3_file_control(db.sqliteConnection, nil, SQLITE_FCNTL_PERSIST_WAL, &isKept)
        let log = Unmanaged.passUnretained(self).toOpaque()
        let note: @convention(c) (UnsafeMutableRawPointer?, OpaquePointer?, UnsafePointer<CChar>?, Int32) -> Int32 = {
            log,
            _,
            _,
            pages in
            if let log { Unmanaged<StateLog>.fromOpaque(log).takeUnretainedValue().pages.withLock { $0 = Int(pages) } }
            return SQLITE_OK
        }
        sqlite3_wal_hook(db.sqliteConnection, note, log)
    }

    /// Moves changes into the database if there are many; see ``move(_:)``.
    func moveIfLong(_ pool: DatabasePool) throws(StateError) {
        if pages.withLock({ $0 }) >= Self.full { try move(pool) }
    }

    /// Moves changes into the database, as far as nobody reads what was before. What cannot be written is moved another time.
    ///
    /// - Throws: ``StateError/unsynced(path:reason:)`` if the database could not be synced. SQLite takes for moved what it has written since it
    ///   could be, and will not write that again, until somebody opens the database anew.
    func move(_ pool: DatabasePool) throws(StateError) {
        do {
            try pool.writeWithoutTransaction { db in _ = try db.checkpoint(.passive) }
        } catch {
            if let error = error as? DatabaseError, error.extendedResultCode == .SQLITE_IOERR_FSYNC {
                throw .unsynced(path: place.path, reason: StatePlace.text(error))
            }
        }
    }
}
