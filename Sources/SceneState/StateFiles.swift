internal import Basics
internal import Foundation
internal import GRDB
internal import Glibc

/// The files of a state, whose folder only one process has.
///
/// `DIR/lock` is locked for as long as this lives, and holds the process's ID. `DIR/state.sqlite` is the database.
final class StateFiles: Sendable {
    /// Tells the database from those of other programs: `SCND`.
    static let application: UInt32 = 0x5343_4E44
    /// How long a statement waits for another program that has locked the database, in seconds.
    private static let patience: TimeInterval = 2

    let directory: String
    /// The path of the database.
    let path: String
    /// The locked file; `nil` once the folder was given up.
    private let lock: Guarded<Int32?>

    /// Makes the folder if there is none, and takes it.
    /// - Throws: ``StateError`` if somebody else has it or may change it.
    init(directory: String) throws(StateError) {
        self.directory = directory
        path = "\(directory)/state.sqlite"
        try Self.makeFolder(directory)
        lock = try Guarded(Self.take(directory))
    }

    deinit { release() }

    /// Gives up the folder.
    func release() {
        lock.withLock { lock in
            guard let file = lock else { return }
            ftruncate(file, 0)
            close(file)
            lock = nil
        }
    }

    // MARK: - The folder

    private static func makeFolder(_ path: String) throws(StateError) {
        if mkdir(path, 0o700) == 0 {
            // The power may fail before anything else is kept in the folder that this one is in.
            try sync(folder: URL(filePath: path).deletingLastPathComponent().path)
        } else if errno != EEXIST {
            throw .noFolder(path: path, reason: reason())
        }
        var status = stat()
        guard stat(path, &status) == 0 else { throw .noFolder(path: path, reason: reason()) }
        guard status.st_mode & S_IFMT == S_IFDIR else { throw .wrongKind(path: path, expected: "a folder") }
        try check(path, status)
    }

    private static func take(_ directory: String) throws(StateError) -> Int32 {
        let path = "\(directory)/lock"
        try checkFile(path)
        let file = open(path, O_RDWR | O_CREAT | O_CLOEXEC | O_NOFOLLOW, 0o600)
        guard file >= 0 else { throw .cannotRead(path: path, reason: reason()) }
        guard flock(file, LOCK_EX | LOCK_NB) == 0 else {
            let error = errno
            defer { close(file) }
            guard error == EWOULDBLOCK else { throw .cannotRead(path: path, reason: reason(error)) }
            var bytes = [UInt8](repeating: 0, count: 20)
            let count = read(file, &bytes, bytes.count)
            let text = String(decoding: bytes.prefix(max(0, count)).prefix { $0 != UInt8(ascii: "\n") }, as: UTF8.self)
            throw .inUse(directory: directory, process: Int(text))
        }
        let text = Array("\(getpid())\n".utf8)
        guard ftruncate(file, 0) == 0, pwrite(file, text, text.count, 0) == text.count else {
            defer { close(file) }
            throw .cannotWrite(path: path, reason: reason())
        }
        return file
    }

    /// Checks that a file, if there is one, is a file of which only its owner, who is the user, can change anything.
    /// - Returns: Its status; `nil` if there is none.
    @discardableResult
    private static func checkFile(_ path: String) throws(StateError) -> stat? {
        var status = stat()
        guard lstat(path, &status) == 0 else {
            guard errno == ENOENT else { throw .cannotRead(path: path, reason: reason()) }
            return nil
        }
        guard status.st_mode & S_IFMT == S_IFREG else { throw .wrongKind(path: path, expected: "a file") }
        try check(path, status)
        return status
    }

    private static func check(_ path: String, _ status: stat) throws(StateError) {
        guard status.st_uid == geteuid() else {
            throw .wrongOwner(path: path, owner: status.st_uid, user: geteuid())
        }
        guard status.st_mode & 0o022 == 0 else { throw .tooOpen(path: path, mode: status.st_mode & 0o7777) }
    }

    private static func reason(_ error: Int32 = errno) -> String { String(cString: strerror(error)) }

    // MARK: - The database

    /// Opens the database, which is made if there is none, and says of it that it is in use. One that was not closed is checked first.
    /// - Throws: ``StateError`` if it is not a whole database of this program in a format that can be read.
    func openDatabase() throws(StateError) -> DatabasePool {
        let log = try Self.checkFile("\(path)-wal")
        try Self.checkFile("\(path)-shm")
        if let status = try Self.checkFile(path) {
            try checkHeader(status.st_size, hasLog: (log?.st_size ?? 0) > 0)
        } else if let log, log.st_size > 0 {
            throw .damaged(path: path, reason: "it is missing, though the log of its changes is there, \(path)-wal")
        } else {
            try makeDatabase()
        }
        do {
            let pool = try DatabasePool(path: path, configuration: Self.configuration)
            try pool.writeWithoutTransaction { db in
                // A pool begins with NORMAL, which loses what was committed last when the power fails.
                try db.execute(sql: "PRAGMA synchronous = FULL")
                let format = try Int.fetchOne(db, sql: "PRAGMA user_version") ?? 0
                guard format <= StateSchema.format else {
                    throw StateError.newer(path: path, format: format, readable: StateSchema.format)
                }
                guard try Bool.fetchOne(db, sql: "SELECT clean FROM mark") != true else { return }
                let complaints = try String.fetchAll(db, sql: "PRAGMA quick_check(3)")
                if complaints != ["ok"] {
                    throw StateError.damaged(path: path, reason: complaints.joined(separator: "; "))
                }
            }
            try StateSchema.migrator.migrate(pool)
            try pool.write { db in try db.execute(sql: "UPDATE mark SET clean = 0") }
            return pool
        } catch let error as StateError {
            throw error
        } catch let error as DatabaseError where error.resultCode == .SQLITE_CORRUPT {
            throw .damaged(path: path, reason: Self.text(error))
        } catch let error as DatabaseError where error.resultCode == .SQLITE_NOTADB {
            throw .notADatabase(path: path)
        } catch {
            throw .cannotRead(path: path, reason: Self.text(error))
        }
    }

    /// Says that the database is whole, with all changes in it instead of in its log, and closes it.
    func closeDatabase(_ pool: DatabasePool) throws {
        try pool.write { db in try db.execute(sql: "UPDATE mark SET clean = 1") }
        try pool.barrierWriteWithoutTransaction { db in _ = try db.checkpoint(.truncate) }
        try pool.close()
    }

    private static var configuration: Configuration {
        var configuration = Configuration()
        configuration.foreignKeysEnabled = false
        configuration.busyMode = .timeout(patience)
        return configuration
    }

    /// Reads what SQLite's file format says at the begin of a file, before SQLite, which may change it, does.
    private func checkHeader(_ size: Int, hasLog: Bool) throws(StateError) {
        let file = open(path, O_RDONLY | O_CLOEXEC | O_NOFOLLOW)
        guard file >= 0 else { throw .cannotRead(path: path, reason: Self.reason()) }
        defer { close(file) }
        var header = [UInt8](repeating: 0, count: 100)
        guard read(file, &header, header.count) == header.count, header.starts(with: Array("SQLite format 3\0".utf8))
        else {
            throw .notADatabase(path: path)
        }
        func number(_ bytes: Range<Int>) -> UInt32 { header[bytes].reduce(0) { $0 << 8 | UInt32($1) } }
        let application = number(68..<72)
        guard application == Self.application else { throw .foreign(path: path, application: application) }
        let format = Int(number(60..<64))
        guard format <= StateSchema.format else {
            throw .newer(path: path, format: format, readable: StateSchema.format)
        }
        // While there is a log, pages may be in that alone.
        if hasLog { return }
        let pageSize = number(16..<18) == 1 ? 65_536 : Int(number(16..<18))
        let expected = pageSize * Int(number(28..<32))
        guard size >= expected else {
            throw .damaged(path: path, reason: "it ends after \(size) of \(expected) bytes")
        }
    }

    /// Makes an empty database. It gets its name when it is whole: a file of that name that is not a database is never one begun.
    private func makeDatabase() throws(StateError) {
        let new = "\(path).new"
        for name in [new, "\(new)-journal"] where unlink(name) != 0 && errno != ENOENT {
            throw .cannotWrite(path: name, reason: Self.reason())
        }
        let file = open(new, O_RDWR | O_CREAT | O_EXCL | O_CLOEXEC, 0o600)
        guard file >= 0 else { throw .cannotWrite(path: new, reason: Self.reason()) }
        close(file)
        do {
            let queue = try DatabaseQueue(path: new, configuration: Self.configuration)
            try queue.writeWithoutTransaction { db in
                try db.execute(sql: "PRAGMA application_id = \(Self.application)")
            }
            try StateSchema.migrator.migrate(queue)
            try queue.close()
        } catch {
            throw .cannotWrite(path: new, reason: Self.text(error))
        }
        guard rename(new, path) == 0 else { throw .cannotWrite(path: path, reason: Self.reason()) }
        try Self.sync(folder: directory)
    }

    /// Has what was made or renamed in a folder survive when the power fails.
    private static func sync(folder path: String) throws(StateError) {
        let folder = open(path, O_RDONLY | O_DIRECTORY | O_CLOEXEC)
        guard folder >= 0 else { throw .cannotRead(path: path, reason: reason()) }
        defer { close(folder) }
        guard fsync(folder) == 0 else { throw .cannotWrite(path: path, reason: reason()) }
    }

    /// Why the database cannot be read.
    func refusal(of error: any Error) -> StateError {
        switch error {
        case let error as StateError: return error
        case let error as DatabaseError where [.SQLITE_CORRUPT, .SQLITE_NOTADB].contains(error.resultCode):
            return .damaged(path: path, reason: Self.text(error))
        case let error as DecodingError: return .damaged(path: path, reason: "\(error)")
        default: return .cannotRead(path: path, reason: Self.text(error))
        }
    }

    /// What went wrong, in SQLite's words with its code.
    static func text(_ error: any Error) -> String {
        guard let error = error as? DatabaseError else { return "\(error)" }
        return "\(error.message ?? "unknown error") (SQLite \(error.extendedResultCode.rawValue))"
    }
}
