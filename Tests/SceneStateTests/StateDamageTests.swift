import Basics
import Foundation
import SceneRuntime
@testable import SceneState
import Testing

/// Files that were cut off or changed by other means: refused, or taken as what was kept before; never an end of the process, and never an
/// empty state where there was one.
///
/// With `TEST_EVERY_BYTE=all` at every byte, else at some hundred.
@Suite(.timeLimit(.minutes(15)))
struct StateDamageTests {
    private static let isExhaustive = ProcessInfo.processInfo.environment["TEST_EVERY_BYTE"] == "all"

    /// A state that was not closed, with records in the database and in the log of its changes, and how many there are.
    private static func left() throws -> (StateFolder, records: Int) {
        let folder = try StateFolder()
        var maker = KeptMaker(seed: 7)
        var store = try folder.begin()
        for _ in 0..<60 { store.keep(maker.step()) }
        try store.close()
        store = try folder.open()
        for _ in 0..<20 {
            store.keep(maker.step())
            try store.flush()
        }
        let left = try folder.crashed()
        try store.close()
        return (left, maker.nextRecord - 1)
    }

    /// Places in a file of this size: its page's and its frames' borders, and some between.
    private static func places(_ size: Int) -> [Int] {
        if isExhaustive { return Array(0..<size) }
        let borders = stride(from: 0, to: size, by: 4_096).flatMap { [$0 - 1, $0, $0 + 24, $0 + 32, $0 + 56] }
        return (borders + stride(from: 0, to: size, by: 1_009)).filter { (0..<size).contains($0) }
    }

    /// What is found with a file of the state replaced: the host and how many records; `nil` if it is refused.
    private static func found(_ data: Data, _ name: String, of left: StateFolder) throws -> (
        host: KeptHost?, records: Int
    )? {
        let folder = try left.crashed()
        try data.write(to: URL(filePath: "\(folder.path)/\(name)"))
        do {
            let store = try folder.open()
            let host = try store.load()
            let records = try store.records(after: 0, limit: .max).count
            try store.close()
            return (host, records)
        } catch {
            // What reads it without a daemon says so, too.
            let damage = try? StoredState(directory: folder.path).damage()
            #expect(damage?.isEmpty != true || name.hasSuffix("-wal"))
            return nil
        }
    }

    @Test func `a database that was cut off anywhere is refused, or is what it was`() throws {
        let (left, count) = try Self.left()
        let data = try Data(contentsOf: URL(filePath: left.database))
        for place in Self.places(data.count) {
            guard let found = try Self.found(data.prefix(place), "state.sqlite", of: left) else { continue }
            #expect(found.host?.id == "first" && found.records == count, "after \(place) bytes")
        }
    }

    @Test func `a change that was cut off in the database itself is taken back before that is looked through`() throws {
        let (left, count) = try Self.left()
        // As while the first database gets a log of its changes.
        let cut = try left.cutOff(while: "UPDATE record SET json = json || hex(zeroblob(10000))")
        let refused = refusal { () throws(StateError) in
            try StoredState(directory: cut.path).damage()
        }
        #expect(refused?.description.contains("has to be taken back first") == true, "\(String(describing: refused))")
        let store = try cut.open()
        #expect(try store.load()?.id == "first")
        #expect(try store.records(after: 0, limit: .max).count == count)
        try store.close()
        #expect(try StoredState(directory: cut.path).damage() == [])
    }

    @Test func `a log of changes that was cut off anywhere is taken up to there`() throws {
        let (left, count) = try Self.left()
        let data = try Data(contentsOf: URL(filePath: left.database + "-wal"))
        var last = 0
        for place in Self.places(data.count) + [data.count] {
            let found = try #require(
                try Self.found(data.prefix(place), "state.sqlite-wal", of: left),
                "after \(place) bytes"
            )
            let host = try #require(found.host, "after \(place) bytes")
            #expect(host.lastRecord.index == found.records && host.id == "first")
            #expect(found.records >= last || Self.isExhaustive == false, "after \(place) bytes")
            last = max(last, found.records)
        }
        #expect(last == count)
    }

    @Test func `a log of changes that is missing where the state was not closed is told, also of one without a host`()
        throws
    {
        let told = Guarded<[String]>([])
        @Sendable func note(_ news: StateNews) {
            if case .withoutLog(let path) = news { told.withLock { $0.append(path) } }
        }
        let (left, _) = try Self.left()
        for folder in [left, try Self.withoutHost()] {
            let name = "\(folder.database)-wal"
            #expect(try !StoredState(directory: folder.path).figures().lacksLog)
            try FileManager.default.removeItem(atPath: name)
            #expect(try StoredState(directory: folder.path).figures().lacksLog)
            var store = try folder.open(report: note)
            #expect(told.withLock { $0 } == [folder.database])
            told.withLock { $0 = [] }
            try store.close()
            #expect(try !StoredState(directory: folder.path).figures().lacksLog)
            store = try folder.open(report: note)
            try store.close()
            #expect(told.withLock { $0 } == [])
        }
    }

    /// What a daemon leaves that ends as soon as it has made a state.
    private static func withoutHost() throws -> StateFolder {
        let folder = try StateFolder()
        let store = try folder.open()
        let left = try folder.crashed()
        try store.close()
        return left
    }

    @Test func `a copy that is damaged is refused, and not changed by that`() throws {
        let (left, _) = try Self.left()
        let copy = try StateFolder()
        try StoredState(directory: left.path).copy(to: copy.path)
        var data = try Data(contentsOf: URL(filePath: copy.database))
        for page in stride(from: 2 * 4_096, to: data.count, by: 4_096) {
            for place in page + 4_000..<page + 4_090 { data[place] = 0x5A }
        }
        try data.write(to: URL(filePath: copy.database))
        #expect(throws: StateError.self) { try copy.open() }
        #expect(throws: StateError.self) { try StoredState.compact(directory: copy.path) }
        #expect(try Data(contentsOf: URL(filePath: copy.database)) == data)
    }

    @Test(arguments: ["state.sqlite", "state.sqlite-wal"])
    func `bytes that were changed anywhere end nothing`(_ name: String) throws {
        let (left, _) = try Self.left()
        let data = try Data(contentsOf: URL(filePath: "\(left.path)/\(name)"))
        for place in Self.places(data.count) {
            var changed = data
            changed[place] ^= 0x80
            let found = try Self.found(changed, name, of: left)
            if let found { #expect(found.host != nil, "byte \(place)") }
        }
    }
}
