import Basics
import Foundation
import GRDB
import Glibc
@testable import SceneRuntime
@testable import SceneState
import Testing

/// What cannot be written is never acknowledged.
@Suite struct StateFailureTests {
    private static func steps(_ count: Int) -> [KeptStep] {
        var maker = KeptMaker(seed: 41)
        return (1...count).map { _ in KeptStep(record: maker.record(), changes: [.event(maker.event())]) }
    }

    /// What a store reports, and what those who ask it are told.
    private final class Witness: Sendable {
        private let news = Monitor<[StateNews]>([])
        private let answers = Guarded<[Bool]>([])

        @Sendable func hear(_ news: StateNews) { self.news.change { $0.append(news) } }
        @Sendable func answer(_ isKept: Bool) { answers.withLock { $0.append(isKept) } }

        var told: [Bool] { answers.withLock { $0 } }
        /// What was reported, in words.
        var heard: [String] { news.change { $0.map(Self.word) } }

        /// Waits for so much news, and returns them in words.
        func wait(for count: Int) -> [String] { news.wait { $0.count >= count ? $0.map(Self.word) : nil } }

        private static func word(_ news: StateNews) -> String {
            switch news {
            case .withoutLog(let path): "without a log: \(path)"
            case .failing(let error): "failing: \(error)"
            case .working: "working"
            case .lost(let error): "lost: \(error)"
            case .unwritten(let error, let steps): "unwritten \(steps): \(error)"
            }
        }
    }

    @Test(arguments: [true, false])
    func `a database that is cut off while it is open ends the keeping, by a change or at the end`(
        _ isByChange: Bool
    ) throws {
        let folder = try StateFolder()
        let witness = Witness()
        let store = try folder.begin(report: witness.hear)
        // Once this is kept, the host that has begun is in the database.
        store.keep(.unlocked(scene: "A"))
        try store.flush()
        let size = try #require(try FileManager.default.attributesOfItem(atPath: folder.database)[.size] as? Int)
        #expect(truncate(folder.database, 4_096) == 0)
        if isByChange { store.keep(.unlocked(scene: "A")) }
        #expect(throws: StateError.self) { try store.close() }
        let heard = witness.wait(for: 1)
        #expect(
            heard.count == 1 && heard[0].contains("it was cut off to 4096 of \(size) bytes while it was open"),
            "\(heard)"
        )
    }

    @Test(arguments: [StateDurability.group, .strict])
    func `a full disk is told once, nothing is acknowledged, and with more space all is kept`(
        _ durability: StateDurability
    ) throws {
        let folder = try StateFolder()
        let witness = Witness()
        let store = try folder.begin(durability, pause: .milliseconds(1), report: witness.hear)
        let steps = Self.steps(1_000)
        store.keep(steps[0])
        try store.flush()
        func allow(more pages: Int) throws {
            try store.pool.writeWithoutTransaction { db in
                let count = try Int.fetchOne(db, sql: "PRAGMA page_count") ?? 0
                try db.execute(sql: "PRAGMA max_page_count = \(count + pages)")
            }
        }
        try allow(more: 2)
        let gate = CommitGate(store)
        gate.shut()
        store.keep(steps[1])
        gate.wait(for: 1)
        // All of them do not fit.
        for step in steps.dropFirst(2) { store.keep(step) }
        store.whenKept(witness.answer)
        let patient = Monitor<[Bool]>([])
        store.whenKept(patiently: true) { isKept in patient.change { $0.append(isKept) } }
        gate.open()
        let trouble =
            "failing: \(folder.database): cannot be written: database or disk is full (SQLite 13); free space, mend the disk, or let it be written to"
        #expect(witness.wait(for: 1) == [trouble])
        // Everybody else who asks is told at once, and what was kept can be read.
        store.whenKept(witness.answer)
        #expect(witness.told.allSatisfy { !$0 })
        let kept = try store.records(after: 0, limit: 1_000).map(\.index)
        #expect(kept == Array(1...kept.count) && kept.count < 1_000)
        #expect(try #require(store.trouble).steps == 1_000 - kept.count)
        if durability == .group { #expect(kept == [1, 2]) }
        #expect(patient.change { $0 } == [])

        try allow(more: 10_000)
        #expect(witness.wait(for: 2) == [trouble, "working"])
        #expect(patient.wait { $0.first } == true)
        #expect(store.trouble == nil && witness.told.allSatisfy { !$0 })
        store.whenKept(patiently: false) { isKept in patient.change { $0.append(isKept) } }
        #expect(patient.wait { $0.count == 2 ? $0 : nil } == [true, true])
        #expect(try store.records(after: 0, limit: 2_000).map(\.index) == Array(1...1_000))
        try store.close()
        #expect(try folder.open().load()?.lastRecord.index == 1_000)
    }

    @Test func `who stops while nothing can be written learns what is not kept`() throws {
        let folder = try StateFolder()
        let witness = Witness()
        let store = try folder.begin(pause: .seconds(86_400), report: witness.hear)
        let gate = CommitGate(store)
        store.keep(Self.steps(1)[0])
        try store.flush()
        gate.fail()
        store.keep(Self.steps(2)[1])
        store.whenKept(patiently: true, witness.answer)
        _ = witness.wait(for: 1)
        #expect(throws: StateError.cannotWrite(path: folder.database, reason: "Refused()")) { try store.close() }
        #expect(witness.heard.map { $0.prefix { $0 != ":" } } == ["failing", "unwritten 1"])
        #expect(witness.told == [false] && store.hasLost)
        let again = try folder.open()
        #expect(try again.records(after: 0, limit: 9).map(\.index) == [1])
    }

    @Test func `what could be written at last when the daemon stops is kept`() throws {
        let folder = try StateFolder()
        let witness = Witness()
        let store = try folder.begin(pause: .seconds(86_400), report: witness.hear)
        let gate = CommitGate(store)
        gate.fail(1)
        store.keep(Self.steps(1)[0])
        _ = witness.wait(for: 1)
        try store.close()
        #expect(witness.heard.last == "working" && !store.hasLost)
        #expect(try folder.open().records(after: 0, limit: 9).map(\.index) == [1])
    }

    /// The same steps, with failures and without, come to the same.
    @Test(arguments: [StateDurability.group, .strict, .relaxed], 1...4 as ClosedRange<UInt64>)
    func `a disk that fails now and then changes nothing of what is kept`(
        _ durability: StateDurability,
        _ seed: UInt64
    ) throws {
        var chance = SplitMix(seed: seed)
        let retention = StateRetention(events: 50, records: 200)
        let folders = (try StateFolder(), try StateFolder())
        let stores = (
            try folders.0.begin(durability, retention, pause: .zero),
            try folders.1.begin(durability, retention, pause: .zero)
        )
        let gate = CommitGate(stores.1)
        var maker = KeptMaker(seed: seed)
        for _ in 1...600 {
            let step = maker.step()
            stores.0.keep(step)
            stores.1.keep(step)
            switch Int.random(in: 0..<20, using: &chance) {
            case 0: gate.fail(Int.random(in: 1...4, using: &chance))
            case 1: gate.mend()
            default: break
            }
        }
        try stores.0.close()
        gate.mend()
        try stores.1.close()
        // Of what has ended, how much more than that is left depends on what was written together.
        let (expected, found) = (try folders.0.open(durability, retention), try folders.1.open(durability, retention))
        expect(try found.load(), is: try #require(try expected.load()))
        #expect(
            try found.records(after: 0, limit: 1_000).map(\.json)
                == expected.records(after: 0, limit: 1_000).map(\.json)
        )
    }

    @Test func `a host that cannot be begun leaves the one before`() throws {
        let folder = try StateFolder()
        let store = try folder.begin()
        let gate = CommitGate(store)
        gate.fail()
        var other = KeptHost.first
        other.id = "second"
        #expect(throws: StateError.self) { try store.begin(other) }
        #expect(throws: StateError.self) { try store.close() }
        expect(try folder.open().load(), is: .first)
    }

    @Test func `without a host nothing is kept`() throws {
        let folder = try StateFolder()
        let witness = Witness()
        let store = try folder.open(report: witness.hear)
        store.keep(Self.steps(1)[0])
        #expect(witness.wait(for: 1) == ["lost: \(StateError.noHost(path: folder.database))"])
        #expect(throws: StateError.noHost(path: folder.database)) { try store.flush() }
    }

    @Test(arguments: ["/state.sqlite", "/state.sqlite-wal", ""], [true, false])
    func `what was moved away or replaced is not written to`(_ name: String, _ isReplaced: Bool) throws {
        let folder = try StateFolder()
        let witness = Witness()
        let store = try folder.begin(report: witness.hear)
        let steps = Self.steps(2)
        store.keep(steps[0])
        try store.flush()
        #expect(rename(folder.path + name, folder.path + name + ".away") == 0)
        if isReplaced {
            #expect(rename(try StateFolder.copy(of: folder.path + name + ".away"), folder.path + name) == 0)
        }
        store.keep(steps[1])
        let path = folder.database + (name.hasSuffix("-wal") ? "-wal" : "")
        store.whenKept(witness.answer)
        #expect(throws: StateError.moved(path: path)) { try store.flush() }
        #expect(witness.wait(for: 1) == ["lost: \(StateError.moved(path: path))"])
        #expect(throws: StateError.moved(path: path)) { try store.close() }
        #expect(witness.told == [false])
        #expect(StateError.moved(path: path).exitStatus == 78)
    }

    @Test func `what cannot be read as what it was is damaged`() throws {
        let folder = try StateFolder()
        let store = try folder.begin()
        var maker = KeptMaker(seed: 42)
        store.keep(.scene(maker.scene("main")))
        try store.close()
        try folder.change("UPDATE scene SET json = '{}'")
        let again = try folder.open()
        let error = refusal { () throws(StateError) in try again.load() }
        #expect(error?.damage?.path == folder.database)
    }
}
