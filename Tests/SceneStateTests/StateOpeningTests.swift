import Foundation
import GRDB
@testable import SceneRuntime
@testable import SceneState
import Testing

/// What is no whole state of a scened is refused by name, and nothing begins in its place.
@Suite struct StateOpeningTests {
    private let folder: StateFolder

    init() throws { folder = try StateFolder() }

    private func refusal() -> StateError? { refusal(of: folder) }

    private func refusal(of folder: StateFolder) -> StateError? {
        SceneStateTests.refusal { () throws(StateError) in try folder.open() }
    }

    /// Leaves a state with some records.
    private func leave(_ file: String? = nil) throws {
        let store = try folder.begin()
        var maker = KeptMaker(seed: 31)
        for _ in 1...300 { store.keep(KeptStep(record: maker.record(), changes: [.event(maker.event())])) }
        try store.close()
    }

    private func mode(_ path: String) throws -> Int? {
        try FileManager.default.attributesOfItem(atPath: path)[.posixPermissions] as? Int
    }

    @Test func `only its user can read it`() throws {
        let store = try folder.begin()
        #expect(try mode(folder.path) == 0o700)
        for name in ["state.sqlite", "state.sqlite-wal", "state.sqlite-shm", "lock"] {
            #expect(try mode("\(folder.path)/\(name)") == 0o600, "\(name)")
        }
        try store.close()
    }

    @Test func `a closed state is all in one file, which says so`() throws {
        try leave()
        let log = URL(filePath: "\(folder.database)-wal")
        #expect(try Data(contentsOf: log).isEmpty)
        let queue = try DatabaseQueue(path: folder.database)
        #expect(try queue.read { try Int.fetchOne($0, sql: "SELECT clean FROM mark") } == 1)
        try queue.close()
        let store = try folder.open()
        #expect(try store.count("SELECT clean FROM mark") == 0)
    }

    @Test func `an older format is brought to the newest, with all that was kept`() throws {
        let store = try folder.begin()
        var maker = KeptMaker(seed: 1)
        let keeper = store.keeper()
        for _ in 0..<50 { keeper.keep(maker.step()) }
        try store.flush()
        let before = try #require(try store.load())
        try store.close()
        // What the first format had not.
        try folder.change(
            "ALTER TABLE scene DROP COLUMN closing; PRAGMA user_version = 1; DELETE FROM grdb_migrations WHERE identifier = '2'"
        )
        let after = try folder.open()
        var expected = before
        expected.closing = []
        expect(try after.load(), is: expected)
        try after.close()
        let queue = try DatabaseQueue(path: folder.database)
        #expect(try queue.read { try Int.fetchOne($0, sql: "PRAGMA user_version") } == 2)
        try queue.close()
    }

    @Test func `a newer format is refused`() throws {
        try leave()
        try folder.change("PRAGMA user_version = 3")
        #expect(refusal() == .newer(path: folder.database, format: 3, readable: 2))
        #expect(
            refusal()?.description.contains("written by a newer scened (format 3; this one reads up to 2)") == true
        )
    }

    @Test func `a newer format is refused where only the log says so`() throws {
        let store = try folder.begin()
        try store.pool.writeWithoutTransaction { try $0.execute(sql: "PRAGMA user_version = 3") }
        let left = try folder.crashed()
        #expect(throws: StateError.newer(path: left.database, format: 3, readable: 2)) { try left.open() }
    }

    @Test func `another program's database is refused`() throws {
        try FileManager.default.createDirectory(atPath: folder.path, withIntermediateDirectories: false)
        try folder.change("CREATE TABLE player (id INTEGER PRIMARY KEY)")
        try FileManager.default.setAttributes([.posixPermissions: 0o600], ofItemAtPath: folder.database)
        let before = try Data(contentsOf: URL(filePath: folder.database))
        #expect(refusal() == .foreign(path: folder.database, application: 0))
        try folder.change("PRAGMA application_id = 252006675")
        #expect(refusal() == .foreign(path: folder.database, application: 252_006_675))
        try folder.change("PRAGMA application_id = 0")
        #expect(try Data(contentsOf: URL(filePath: folder.database)).count == before.count)
    }

    @Test(arguments: [0, 50, 100, 5_000])
    func `a file that is no database is refused`(_ size: Int) throws {
        try leave()
        try Data(repeating: 0x41, count: size).write(to: URL(filePath: folder.database))
        #expect(refusal() == .notADatabase(path: folder.database))
        #expect(try Data(contentsOf: URL(filePath: folder.database)).count == size)
    }

    @Test(arguments: [100, 4_096, 10_000, 40_001])
    func `a file that was cut off is refused`(_ size: Int) throws {
        try leave()
        let data = try Data(contentsOf: URL(filePath: folder.database))
        try #require(data.count > size)
        try data.prefix(size).write(to: URL(filePath: folder.database))
        let damage = try #require(refusal()?.damage)
        #expect(damage.path == folder.database)
        #expect(damage.reason == "it ends after \(size) of \(data.count) bytes")
    }

    @Test(arguments: [1, 4, 7])
    func `one that was not closed is looked through`(_ page: Int) throws {
        try leave()
        // Opens it, and stops.
        let store = try folder.open()
        let left = try folder.crashed()
        try store.close()
        var data = try Data(contentsOf: URL(filePath: left.database))
        let start = page * 4_096
        data.replaceSubrange(start..<start + 4_096, with: repeatElement(0x5A, count: 4_096))
        try data.write(to: URL(filePath: left.database))
        #expect(refusal(of: left)?.damage?.path == left.database)
    }

    @Test func `a log without its database is refused`() throws {
        let store = try folder.begin()
        let left = try folder.crashed()
        try store.close()
        try FileManager.default.removeItem(atPath: left.database)
        let damage = try #require(refusal(of: left)?.damage)
        #expect(damage.path == left.database)
        #expect(damage.reason.hasPrefix("it is missing"))
    }

    @Test(arguments: ["-wal", "-shm"])
    func `what only stands beside a database is refused without it, even if it is empty`(_ suffix: String) throws {
        try FileManager.default.createDirectory(atPath: folder.path, withIntermediateDirectories: false)
        try Data().write(to: URL(filePath: folder.database + suffix))
        let error = try #require(refusal())
        #expect(
            error.description
                == "\(folder.database): is damaged: it is missing, though what only stands beside it is there, \(folder.database)\(suffix); put back a copy of it, or move the folder away to begin anew"
        )
        #expect(!FileManager.default.fileExists(atPath: folder.database))
        try FileManager.default.removeItem(atPath: folder.database + suffix)
        try folder.begin().close()
    }

    @Test func `a database that was not made to its end is made again`() throws {
        try FileManager.default.createDirectory(atPath: folder.path, withIntermediateDirectories: false)
        try Data("half".utf8).write(to: URL(filePath: "\(folder.database).new"))
        let store = try folder.begin()
        try store.close()
        #expect(!FileManager.default.fileExists(atPath: "\(folder.database).new"))
    }

    // MARK: - Whose it is

    @Test(arguments: ["", "/state.sqlite", "/lock"], [0o720, 0o702, 0o766])
    func `what others may write is refused`(_ name: String, _ mode: Int) throws {
        try leave()
        let path = folder.path + name
        try FileManager.default.setAttributes([.posixPermissions: mode], ofItemAtPath: path)
        #expect(refusal() == .tooOpen(path: path, mode: UInt32(mode)))
        try FileManager.default.setAttributes([.posixPermissions: 0o700], ofItemAtPath: path)
        #expect(refusal() == nil)
    }

    @Test(
        .enabled(if: getuid() == 0, "only root can give a file to another user"),
        arguments: ["", "/state.sqlite", "/lock"]
    )
    func `what belongs to another user is refused`(_ name: String) throws {
        try leave()
        let path = folder.path + name
        #expect(chown(path, 12_345, gid_t.max) == 0)
        #expect(refusal() == .wrongOwner(path: path, owner: 12_345, user: 0))
    }

    @Test(arguments: ["/state.sqlite", "/state.sqlite-wal", "/lock"])
    func `a link in place of a file is refused`(_ name: String) throws {
        try leave()
        let path = folder.path + name
        try? FileManager.default.removeItem(atPath: path)
        try FileManager.default.createSymbolicLink(atPath: path, withDestinationPath: "/etc/passwd")
        #expect(refusal() == .wrongKind(path: path, expected: "a file"))
    }

    @Test func `a file in place of the folder is refused`() throws {
        try Data().write(to: URL(filePath: folder.path))
        #expect(refusal() == .wrongKind(path: folder.path, expected: "a folder"))
    }

    @Test func `a folder in no folder is refused`() throws {
        let path = "\(folder.path)/one/more"
        #expect(throws: StateError.noFolder(path: path, reason: "No such file or directory")) {
            try StateStore(directory: path) { _ in }
        }
    }

    // MARK: - Who has it

    @Test func `only one has it, and the other learns who`() throws {
        let store = try folder.begin()
        #expect(refusal() == .inUse(directory: folder.path, process: Int(getpid())))
        try store.close()
        #expect(refusal() == nil)
    }

    @Test func `another process cannot have it before it is closed`() throws {
        func lockElsewhere() throws -> Int32 {
            let process = Process()
            process.executableURL = URL(filePath: "/usr/bin/flock")
            process.arguments = ["--nonblock", "--conflict-exit-code", "75", "\(folder.path)/lock", "true"]
            try process.run()
            process.waitUntilExit()
            return process.terminationStatus
        }
        let store = try folder.begin()
        #expect(try lockElsewhere() == 75)
        try store.close()
        #expect(try lockElsewhere() == 0)
    }

    @Test func `while another process has it it is refused`() throws {
        try leave()
        let process = Process()
        let (input, output) = (Pipe(), Pipe())
        process.executableURL = URL(filePath: "/usr/bin/flock")
        process.arguments = ["\(folder.path)/lock", "sh", "-c", "echo locked; read -r line"]
        process.standardInput = input
        process.standardOutput = output
        try process.run()
        #expect(output.fileHandleForReading.availableData == Data("locked\n".utf8))
        // That one does not say who it is.
        #expect(refusal() == .inUse(directory: folder.path, process: nil))
        try input.fileHandleForWriting.close()
        process.waitUntilExit()
        #expect(refusal() == nil)
    }
}
