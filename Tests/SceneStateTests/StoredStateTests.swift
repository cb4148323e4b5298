import Basics
import Foundation
@testable import SceneRuntime
@testable import SceneState
import Testing

/// A state that is read without a daemon, or beside it.
@Suite struct StoredStateTests {
    private static func store(_ folder: StateFolder, steps: Int) throws -> StateStore {
        let store = try folder.begin()
        var maker = KeptMaker(seed: 3)
        for _ in 0..<steps { store.keep(maker.step()) }
        try store.flush()
        return store
    }

    @Test func `beside a daemon everything can be read, and nothing is changed`() throws {
        let folder = try StateFolder()
        let store = try Self.store(folder, steps: 200)
        let before = try Data(contentsOf: URL(filePath: folder.database))
        let state = try StoredState(directory: folder.path)
        expect(try state.host(), is: try #require(try store.load()))
        let records = try store.records(after: 0, limit: .max)
        #expect(try state.records(after: 0, limit: .max).map(\.json) == records.map(\.json))
        let figures = try state.figures()
        #expect(figures.records == records.count && figures.firstRecord == 1 && !figures.isClosed)
        #expect(figures.recordBytes == records.reduce(0) { $0 + $1.json.utf8.count })
        #expect(try state.damage() == [])
        #expect(try Data(contentsOf: URL(filePath: folder.database)) == before)
        // The daemon goes on.
        store.keep(.unlocked(scene: "A"))
        try store.close()
        #expect(try StoredState(directory: folder.path).figures().isClosed)
    }

    @Test func `a copy made while it is written is a state of one time, and a daemon goes on from it`() throws {
        let folder = try StateFolder()
        let store = try Self.store(folder, steps: 50)
        let copy = try StateFolder()
        var maker = KeptMaker(seed: 4)
        maker.nextRecord = try #require(try store.load()).lastRecord.index + 1
        let state = try StoredState(directory: folder.path)
        for _ in 0..<200 { store.keep(maker.step()) }
        try state.copy(to: copy.path)
        #expect(throws: StateError.self) { try state.copy(to: copy.path) }
        try store.close()
        let copied = try StoredState(directory: copy.path)
        #expect(try copied.damage() == [])
        let figures = try copied.figures()
        #expect(figures.isClosed && !figures.lacksLog)
        let host = try #require(try copied.host())
        #expect(try copied.records(after: 0, limit: .max).count == host.lastRecord.index)
        let again = try copy.open()
        expect(try again.load(), is: host)
        try again.close()
        #expect(try FileManager.default.attributesOfItem(atPath: copy.path)[.posixPermissions] as? Int == 0o700)
        #expect(try FileManager.default.attributesOfItem(atPath: copy.database)[.posixPermissions] as? Int == 0o600)
    }

    @Test func `a copy that is put back beside the log of another state is refused, until that is gone`() throws {
        let folder = try StateFolder()
        let store = try Self.store(folder, steps: 50)
        let copy = try StateFolder()
        try StoredState(directory: folder.path).copy(to: copy.path)
        let host = try StoredState(directory: copy.path).host()
        store.keep(.unlocked(scene: "A"))
        try store.flush()
        let left = try folder.crashed()
        try store.close()
        let files = FileManager.default
        try files.removeItem(atPath: left.database)
        try files.copyItem(atPath: copy.database, toPath: left.database)
        let opened = refusal { () throws(StateError) in try left.open() }
        let read = refusal { () throws(StateError) in try StoredState(directory: left.path) }
        #expect(opened == .logOfAnother(path: left.database) && read == opened)
        try files.removeItem(atPath: "\(left.database)-wal")
        let again = try left.open()
        expect(try again.load(), is: try #require(host))
        try again.close()
    }

    @Test func `compacting gives space back, and not while a daemon has it`() throws {
        let folder = try StateFolder()
        let store = try Self.store(folder, steps: 2_000)
        #expect(
            throws: StateError.inUse(directory: folder.path, process: Int(ProcessInfo.processInfo.processIdentifier))
        ) {
            try StoredState.compact(directory: folder.path)
        }
        let host = try #require(try store.load())
        try store.close()
        try folder.change("DELETE FROM record WHERE number <= 500; UPDATE segment SET count = 0, last = first - 1")
        let compacted = try StoredState.compact(directory: folder.path)
        #expect(compacted.after < compacted.before && !compacted.lacksLog)
        expect(try folder.open().load(), is: host)
    }

    @Test func `what is no state says so`() throws {
        let folder = try StateFolder()
        #expect(
            refusal { () throws(StateError) in try StoredState(directory: folder.path) }
                == .noState(path: folder.path, reason: "No such file or directory")
        )
        try FileManager.default.createDirectory(atPath: folder.path, withIntermediateDirectories: false)
        #expect(
            refusal { () throws(StateError) in try StoredState(directory: folder.path) }
                == .noState(path: folder.database, reason: "No such file or directory")
        )
        try Data("hello".utf8).write(to: URL(filePath: folder.database))
        #expect(
            refusal { () throws(StateError) in try StoredState(directory: folder.path) }
                == .notADatabase(path: folder.database)
        )
    }

    @Test func `what the tables say of each other is looked at`() throws {
        let folder = try StateFolder()
        let store = try Self.store(folder, steps: 100)
        let last = try #require(try store.load()).lastRecord.index
        try store.close()
        try folder.change("DELETE FROM record WHERE number = \(last)")
        #expect(
            try StoredState(directory: folder.path).damage() == [
                "the newest record is \(last - 1), and the host's newest is \(last)",
                "of the records 1 to \(last) there are \(last - 1); expected \(last)",
            ]
        )
        try folder.change("UPDATE session SET json = '{}'")
        #expect(try StoredState(directory: folder.path).damage().count == 2)
    }

    /// What is changed in the database, and how the message about that begins.
    private static let wrongValues = [
        ("UPDATE session SET json = '{}'", "table session, column json: expected a member snapshot, found none"),
        ("UPDATE session SET json = 'x'", "table session, column json: expected JSON, found something else"),
        ("DELETE FROM session", "table session: expected a row, because there is a host, found none"),
        (
            #"UPDATE manifest SET json = '{"digest": 1, "json": "{}"}'"#,
            "table manifest, column json: digest: expected a text, found something else"
        ),
        (
            #"INSERT INTO scene VALUES ('"A"', 1, '[]', 0, 0)"#,
            #"table scene, id "A", column json: the whole: expected an object, found something else"#
        ),
        (
            #"INSERT INTO event VALUES (12, '["u","e"]', '{}', NULL, 0, '', NULL)"#,
            "table event, place 12, column admitted: expected a member "
        ),
        (
            "INSERT INTO ticket VALUES ('x', 1)",
            "table ticket, scene x, column scene: expected a text as JSON, found something else"
        ),
        ("UPDATE host SET id = 'first'", "table host, column id: expected a text as JSON, found something else"),
        ("UPDATE host SET lastTime = 'x'", "table host, column lastTime: expected an integer, found a text"),
    ]

    @Test(arguments: wrongValues)
    func `a value that is not what was written is told by its table, row and column`(_ sql: String, _ said: String)
        throws
    {
        let folder = try StateFolder()
        try folder.begin().close()
        try folder.change(sql)
        let read = refusal { () throws(StateError) in try StoredState(directory: folder.path).host() }
        let found = try StoredState(directory: folder.path).damage()
        let opened = refusal { () throws(StateError) in try folder.open().load() }
        for error in [read, opened] {
            let reason = try #require(error?.damage?.reason, "\(error.map { "\($0)" } ?? "nothing")")
            #expect(reason.hasPrefix(said), "\(reason)")
        }
        #expect(!found.isEmpty)
        // Nothing of how the program is written.
        for message in found + [read, opened].compactMap({ $0?.description }) {
            for word in ["Swift.", "DecodingError", "Context(", "CodingKey", "DatabaseError", "Optional("] {
                #expect(!message.contains(word), "\(message)")
            }
        }
    }
}
