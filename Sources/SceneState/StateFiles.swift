internal import Basics
internal import Foundation
internal import GRDB
internal import Glibc

/// The files of a state, whose folder only one process has.
///
/// `DIR/lock` is locked for as long as this lives, and holds the process's ID. `DIR/state.sqlite` is the database.
final class StateFiles: Sendable {
    let place: StatePlace
    /// The path of the database.
    var path: String { place.path }
    /// The log of changes.
    let log: StateLog
    /// The locked file; `nil` once the folder was given up.
    private let lock: Guarded<Int32?>
    /// Which files the database and its log are, by their numbers, as soon as that is known.
    private let inPlace = Guarded<[String: FileNumber]>([:])
    /// How many bytes the database had at most.
    private let length = Guarded<off_t>(0)

    /// Makes the folder if there is none, and takes it.
    /// - Throws: ``StateError`` if somebody else has it or may change it.
    init(directory: String) throws(StateError) {
        place = StatePlace(directory: directory)
        log = StateLog(of: place)
        try Self.makeFolder(place)
        lock = try Guarded(Self.take(place))
    }

    /// Takes a folder that is there, for its owner; root may do that too.
    /// - Throws: ``StateError`` if somebody else has it or may change it.
    init(of place: StatePlace) throws(StateError) {
        self.place = place
        log = StateLog(of: place)
        lock = try Guarded(Self.take(place))
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

    private static func makeFolder(_ place: StatePlace) throws(StateError) {
        let path = place.directory
        if mkdir(path, 0o700) == 0 {
            // The power may fail before anything else is kept in the folder that this one is in.
            try sync(folder: URL(filePath: path).deletingLastPathComponent().path)
        } else if errno != EEXIST {
            throw .noFolder(path: path, reason: StatePlace.reason())
        }
        try place.checkFolder()
    }

    private static func take(_ place: StatePlace) throws(StateError) -> Int32 {
        let path = "\(place.directory)/lock"
        try place.checkFile(path)
        let file = open(path, O_RDWR | O_CREAT | O_CLOEXEC | O_NOFOLLOW, 0o600)
        guard file >= 0 else { throw .cannotWrite(path: path, reason: StatePlace.reason()) }
        guard flock(file, LOCK_EX | LOCK_NB) == 0 else {
            let error = errno
            defer { close(file) }
            guard error == EWOULDBLOCK else { throw .cannotRead(path: path, reason: StatePlace.reason(error)) }
            var bytes = [UInt8](repeating: 0, count: 20)
            let count = read(file, &bytes, bytes.count)
            let text = String(decoding: bytes.prefix(max(0, count)).prefix { $0 != UInt8(ascii: "\n") }, as: UTF8.self)
            throw .inUse(directory: place.directory, process: Int(text))
        }
        let text = Array("\(getpid())\n".utf8)
        // Root makes nothing that its owner could not open.
        if place.user != geteuid(), fchown(file, place.user, gid_t.max) != 0 {
            defer { close(file) }
            throw .cannotWrite(path: path, reason: StatePlace.reason())
        }
        guard ftruncate(file, 0) == 0, pwrite(file, text, text.count, 0) == text.count else {
            defer { close(file) }
            throw .cannotWrite(path: path, reason: StatePlace.reason())
        }
        return file
    }

    // MARK: - The database

    /// Opens the database, which is made if there is none, and says of it that it is in use. One that was not closed is checked first, and
    /// nothing is changed in one that is damaged.
    /// - Parameter isLookedThrough: Whether to look through one that was closed, too, and more thoroughly.
    /// - Returns: The database, and whether the log of its changes is missing though it was not closed: what was in that alone is lost.
    /// - Throws: ``StateError`` if it is not a whole database of this program in a format that can be read.
    func openDatabase(
        lookingThrough isLookedThrough: Bool = false
    ) throws(StateError) -> (pool: DatabasePool, lacksLog: Bool) {
        let hasLog = try place.hasLog
        // Nil of one that is new.
        var mark: StateMark?
        let logFile = try place.checkFile("\(path)-wal")
        let index = try place.checkFile("\(path)-shm")
        if try place.checkFile(path) != nil {
            try place.checkHeader()
            // It was not closed, so it will be looked through.
            if hasLog { place.readAhead() }
            // Whoever made it may have ended before its name was kept for good. A loss of power must not leave what SQLite is about to
            // make beside it, and not this.
            if logFile == nil, index == nil { try Self.sync(folder: place.directory) }
            try log.renew()
            mark = try checkDatabase(thoroughly: isLookedThrough)
        } else if let left = try place.leftBeside {
            throw .damaged(path: path, reason: left)
        } else {
            try makeDatabase()
        }
        do {
            let pool = try DatabasePool(path: path, configuration: Self.configuration)
            try pool.writeWithoutTransaction { db in
                // A pool begins with NORMAL, which loses what was committed last when the power fails.
                try db.execute(sql: "PRAGMA synchronous = FULL")
                try log.follow(db)
            }
            try StateSchema.migrator.migrate(pool)
            try pool.write { db in try StateMark.open.write(db) }
            // That stands in the database itself, so that whoever loses the log of changes is told. If it cannot be moved there, the log has it.
            if let mark, mark != .open { try log.move(pool) }
            return (pool, mark == .open && !hasLog)
        } catch {
            throw place.refusal(of: error)
        }
    }

    /// Looks through a database that was not closed, without a change: who opens it to write writes into it at once.
    ///
    /// - Parameter isThorough: Whether to look through one that was closed, too, and also compare the indexes.
    /// - Returns: How it was left.
    private func checkDatabase(thoroughly isThorough: Bool) throws(StateError) -> StateMark {
        var configuration = Self.configuration
        // What a transaction of before has begun in the file itself has to be taken back first: a loss of power while the database was made one
        // with a log of changes leaves that so.
        configuration.readonly = try place.checkFile("\(path)-journal") == nil
        do {
            let queue = try DatabaseQueue(path: path, configuration: configuration)
            let mark = try queue.read { db in
                let format = try Int.fetchOne(db, sql: "PRAGMA user_version") ?? 0
                guard format <= StateSchema.format else {
                    throw StateError.newer(path: path, format: format, readable: StateSchema.format)
                }
                let mark = try StateMark(db)
                if mark == .closed, !isThorough { return mark }
                let complaints = try StatePlace.complaints(db, isThorough ? "integrity_check(3)" : "quick_check(3)")
                if !complaints.isEmpty {
                    throw StateError.damaged(path: path, reason: complaints.joined(separator: "; "))
                }
                return mark
            }
            try queue.close()
            return mark
        } catch {
            throw place.refusal(of: error)
        }
    }

    /// Checks that the database, its log and what is locked still have their names, and that the database was not cut off: what is written to files
    /// that have lost their names is kept nowhere, and without the lock somebody else may have opened them.
    /// - Throws: ``StateError/moved(path:)``, ``StateError/damaged(path:reason:)``
    func checkPlace() throws(StateError) {
        for path in place.files + ["\(place.directory)/lock"] {
            let number = FileNumber(path)
            let known = inPlace.withLock { known in
                if known[path] == nil { known[path] = number }
                return known[path]
            }
            guard known == number else { throw .moved(path: path) }
        }
        try checkLength()
    }

    /// It only ever gets longer.
    private func checkLength() throws(StateError) {
        var status = stat()
        guard lstat(path, &status) == 0 else { throw .moved(path: path) }
        let size = status.st_size
        let longest = length.withLock { length in
            length = max(length, size)
            return length
        }
        guard size == longest else {
            throw .damaged(path: path, reason: "it was cut off to \(size) of \(longest) bytes while it was open")
        }
    }

    /// Says that the database is whole, with all changes in it instead of in its log, and closes it.
    func closeDatabase(_ pool: DatabasePool) throws {
        try pool.write { db in try StateMark.closed.write(db) }
        try pool.barrierWriteWithoutTransaction { db in _ = try db.checkpoint(.truncate) }
        try pool.close()
    }

    private static var configuration: Configuration {
        var configuration = Configuration()
        configuration.foreignKeysEnabled = false
        configuration.busyMode = .timeout(StatePlace.patience)
        return configuration
    }

    /// Makes an empty database. It gets its name when it is whole: a file of that name that is not a database is never one begun.
    private func makeDatabase() throws(StateError) {
        let new = "\(path).new"
        for name in [new, "\(new)-journal"] where unlink(name) != 0 && errno != ENOENT {
            throw .cannotWrite(path: name, reason: StatePlace.reason())
        }
        let file = open(new, O_RDWR | O_CREAT | O_EXCL | O_CLOEXEC, 0o600)
        guard file >= 0 else { throw .cannotWrite(path: new, reason: StatePlace.reason()) }
        close(file)
        do {
            let queue = try DatabaseQueue(path: new, configuration: Self.configuration)
            try queue.writeWithoutTransaction { db in
                try db.execute(sql: "PRAGMA application_id = \(StatePlace.application)")
            }
            try StateSchema.migrator.migrate(queue)
            try queue.close()
        } catch {
            throw .cannotWrite(path: new, reason: StatePlace.text(error))
        }
        guard rename(new, path) == 0 else { throw .cannotWrite(path: path, reason: StatePlace.reason()) }
        try Self.sync(folder: place.directory)
    }

    /// Has what was made or renamed in a folder survive when the power fails.
    static func sync(folder path: String) throws(StateError) {
        let folder = open(path, O_RDONLY | O_DIRECTORY | O_CLOEXEC)
        guard folder >= 0 else { throw .cannotRead(path: path, reason: StatePlace.reason()) }
        defer { close(folder) }
        guard fsync(folder) == 0 else { throw .cannotWrite(path: path, reason: StatePlace.reason()) }
    }

}
