internal import Foundation
internal import GRDB
internal import Glibc

/// Where a state is, and what must be true of its files whoever opens them.
struct StatePlace: Sendable {
    /// Tells the database from those of other programs: `SCND`.
    static let application: UInt32 = 0x5343_4E44
    /// What a database that has no log of changes says of how it is written (fileformat2.html).
    private static let withoutLog: UInt8 = 1
    /// How long a statement waits for another program that has locked the database, in seconds.
    static let patience: TimeInterval = 2

    let directory: String
    /// To whom everything must belong.
    let user: uid_t
    /// The path of the database.
    var path: String { "\(directory)/state.sqlite" }
    /// The database and the log of its changes.
    var files: [String] { [path, "\(path)-wal"] }

    /// - Parameter user: By default this process's user.
    init(directory: String, user: uid_t = geteuid()) {
        self.directory = directory
        self.user = user
    }

    /// A state that somebody else has made. Root may look after that of any user.
    /// - Throws: ``StateError`` if there is none.
    init(existing directory: String) throws(StateError) {
        var status = stat()
        guard stat(directory, &status) == 0 else { throw .noState(path: directory, reason: Self.reason()) }
        self.init(directory: directory, user: geteuid() == 0 ? status.st_uid : geteuid())
        try checkFolder()
        guard try checkFile(path) == nil else { return }
        if let left = try leftBeside { throw .damaged(path: path, reason: left) }
        throw .noState(path: path, reason: Self.reason(ENOENT))
    }

    /// What is left of a state of which the database is missing, as a clause; `nil` if nothing is. SQLite makes it only once the database has
    /// its name.
    var leftBeside: String? {
        get throws(StateError) {
            if let log = try checkFile("\(path)-wal") {
                return log.st_size > 0
                    ? "it is missing, though the log of its changes is there, \(path)-wal"
                    : "it is missing, though what only stands beside it is there, \(path)-wal"
            }
            return try checkFile("\(path)-shm").map { _ in
                "it is missing, though what only stands beside it is there, \(path)-shm"
            }
        }
    }

    /// Whether there is a log of changes with anything in it. Who only reads a database makes an empty one.
    var hasLog: Bool {
        get throws(StateError) { try checkFile("\(path)-wal").map { $0.st_size > 0 } ?? false }
    }

    /// How many bytes the files have.
    var size: Int {
        files.reduce(0) { sum, path in
            var status = stat()
            return lstat(path, &status) == 0 ? sum + Int(status.st_size) : sum
        }
    }

    // MARK: - Checks

    /// Checks that the folder is one which only its owner, who is the user, can change.
    func checkFolder() throws(StateError) {
        var status = stat()
        guard stat(directory, &status) == 0 else { throw .noFolder(path: directory, reason: Self.reason()) }
        guard status.st_mode & S_IFMT == S_IFDIR else { throw .wrongKind(path: directory, expected: "a folder") }
        try check(directory, status)
    }

    /// Checks that a file, if there is one, is a file of which only its owner, who is the user, can change anything.
    /// - Returns: Its status; `nil` if there is none.
    @discardableResult
    func checkFile(_ path: String) throws(StateError) -> stat? {
        var status = stat()
        guard lstat(path, &status) == 0 else {
            guard errno == ENOENT else { throw .cannotRead(path: path, reason: Self.reason()) }
            return nil
        }
        guard status.st_mode & S_IFMT == S_IFREG else { throw .wrongKind(path: path, expected: "a file") }
        try check(path, status)
        return status
    }

    private func check(_ path: String, _ status: stat) throws(StateError) {
        guard status.st_uid == user else { throw .wrongOwner(path: path, owner: status.st_uid, user: user) }
        guard status.st_mode & 0o022 == 0 else { throw .tooOpen(path: path, mode: status.st_mode & 0o7777) }
    }

    /// Reads what SQLite's file format says at the begin of a file, before SQLite, which may change it, does.
    func checkHeader() throws(StateError) {
        guard let size = try checkFile(path)?.st_size else { return }
        let hasLog = try hasLog
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
        if hasLog {
            // Who opens it to write gives it a log, and says so here first. A copy does not say so.
            if header[18] == Self.withoutLog { throw .logOfAnother(path: path) }
            // Pages may be in the log alone.
            return
        }
        let pageSize = number(16..<18) == 1 ? 65_536 : Int(number(16..<18))
        let expected = pageSize * Int(number(28..<32))
        guard size >= expected else {
            throw .damaged(path: path, reason: "it ends after \(size) of \(expected) bytes")
        }
    }

    /// Has the system read the database into memory, if it is not there: looking through it page by page would take several times as long.
    ///
    /// Not while this process has it open: its locks on a file end as soon as that is closed once.
    func readAhead() {
        let file = open(path, O_RDONLY | O_CLOEXEC | O_NOFOLLOW)
        guard file >= 0 else { return }
        defer { close(file) }
        var status = stat()
        guard fstat(file, &status) == 0 else { return }
        // The system reads only so much at a time. Of what is larger than this, the begin may be gone before it is looked at.
        for start in stride(from: 0, to: min(status.st_size, 1 << 30), by: 128 << 10) {
            posix_fadvise(file, start, 128 << 10, POSIX_FADV_WILLNEED)
        }
    }

    /// What one of SQLite's checks finds wrong, line by line.
    static func complaints(_ db: Database, _ check: String) throws -> [String] {
        let found = try String.fetchAll(db, sql: "PRAGMA \(check)").flatMap {
            $0.split(separator: "\n").map(String.init)
        }
        return found == ["ok"] ? [] : found
    }

    // MARK: - Errors

    /// Why the database cannot be read, or what was handed over not be written.
    func refusal(of error: any Error, whileWriting: Bool = false) -> StateError {
        let reason = Self.text(error)
        switch error {
        case let error as StateError: return error
        case is WrongValue, is RowDecodingError: return .damaged(path: path, reason: reason)
        case let error as DatabaseError:
            switch error.resultCode {
            case .SQLITE_NOTADB: return .notADatabase(path: path)
            case .SQLITE_CORRUPT: return .damaged(path: path, reason: reason)
            case .SQLITE_READONLY where error.extendedResultCode == .SQLITE_READONLY_ROLLBACK:
                return .cannotRead(
                    path: path,
                    reason: "a change that was cut off has to be taken back first (\(path)-journal); "
                        + "start scened with it once, or compact it by 'scenectl state compact'"
                )
            case .SQLITE_FULL, .SQLITE_READONLY: return .cannotWrite(path: path, reason: reason)
            case .SQLITE_IOERR, .SQLITE_CANTOPEN, .SQLITE_BUSY, .SQLITE_LOCKED, .SQLITE_NOMEM, .SQLITE_PERM,
                .SQLITE_PROTOCOL, .SQLITE_INTERRUPT, .SQLITE_ABORT:
                return whileWriting ? .cannotWrite(path: path, reason: reason) : .cannotRead(path: path, reason: reason)
            // The tables are not what they were made as.
            default: return .damaged(path: path, reason: reason)
            }
        default:
            return whileWriting ? .cannotWrite(path: path, reason: reason) : .cannotRead(path: path, reason: reason)
        }
    }

    /// What went wrong: of SQLite's errors in its words, with its code.
    static func text(_ error: any Error) -> String {
        guard let error = error as? DatabaseError else { return WrongValue.problem(error) }
        return "\(error.message ?? "unknown error") (SQLite \(error.extendedResultCode.rawValue))"
    }
    static func reason(_ error: Int32 = errno) -> String { String(cString: strerror(error)) }
}

/// Tells a file from all others on the machine.
struct FileNumber: Hashable {
    let device: dev_t
    let number: ino_t

    /// - Returns: `nil` if there is no file.
    init?(_ path: String) {
        var status = stat()
        guard lstat(path, &status) == 0 else { return nil }
        device = status.st_dev
        number = status.st_ino
    }
}
