import Basics
import GRDB
@testable import SceneRuntime
@testable import SceneState
import Testing

/// What cannot be written is never acknowledged.
@Suite struct StateFailureTests {
    private static func steps(_ count: Int) -> [KeptStep] {
        var maker = KeptMaker(seed: 41)
        return (1...count).map { _ in KeptStep(record: maker.record(), changes: [.event(maker.event())]) }
    }

    @Test(arguments: [StateDurability.group, .strict])
    func `a full disk is told once, and nothing is acknowledged`(_ durability: StateDurability) throws {
        let folder = try StateFolder()
        let failures = Monitor<[StateError]>([])
        let store = try folder.begin(durability, failure: { error in failures.change { $0.append(error) } })
        let steps = Self.steps(1_000)
        store.keep(steps[0])
        try store.flush()
        try store.pool.writeWithoutTransaction { db in
            let pages = try Int.fetchOne(db, sql: "PRAGMA page_count") ?? 0
            try db.execute(sql: "PRAGMA max_page_count = \(pages + 2)")
        }
        let gate = CommitGate(store)
        gate.shut()
        store.keep(steps[1])
        gate.wait(for: 1)
        // All of them do not fit.
        for step in steps.dropFirst(2) { store.keep(step) }
        let told = Guarded(0)
        store.whenKept { isKept in told.withLock { $0 += isKept ? 1 : 0 } }
        gate.open()
        let error = failures.wait { $0.first }
        let reason = "database or disk is full (SQLite 13)"
        #expect(error == .cannotWrite(path: folder.database, reason: reason))
        // From now on nothing is kept.
        store.keep(steps[0])
        store.whenKept { isKept in told.withLock { $0 += isKept ? 1 : 0 } }
        #expect(throws: error) { try store.flush() }
        #expect(throws: error) { try store.begin(.first) }
        let kept = try store.records(after: 0, limit: 1_000).map(\.index)
        #expect(kept == Array(1...kept.count) && kept.count < 1_000)
        if durability == .group { #expect(kept == [1, 2]) }
        #expect(throws: error) { try store.close() }
        #expect(told.withLock { $0 } == 0)
        #expect(failures.change { $0 } == [error])
        // It was not closed, and is whole.
        let again = try folder.open()
        #expect(try again.records(after: 0, limit: 1_000).map(\.index) == kept)
        #expect(try again.load()?.lastRecord.index == kept.count)
    }

    @Test func `who has waited for a transaction that fails is not told`() throws {
        let folder = try StateFolder()
        let failures = Monitor<[StateError]>([])
        let store = try folder.begin(failure: { error in failures.change { $0.append(error) } })
        let gate = CommitGate(store)
        gate.fail()
        let told = Guarded(0)
        store.keep(Self.steps(1)[0])
        store.whenKept { isKept in told.withLock { $0 += isKept ? 1 : 0 } }
        let error = failures.wait { $0.first }
        store.whenKept { isKept in told.withLock { $0 += isKept ? 1 : 0 } }
        #expect(throws: error) { try store.close() }
        #expect(told.withLock { $0 } == 0 && failures.change { $0.count } == 1)
        #expect(try folder.open().records(after: 0, limit: 1).isEmpty)
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
        let failures = Monitor<[StateError]>([])
        let store = try folder.open(failure: { error in failures.change { $0.append(error) } })
        store.keep(Self.steps(1)[0])
        #expect(failures.wait { $0.first } == .noHost(path: folder.database))
        #expect(throws: StateError.noHost(path: folder.database)) { try store.flush() }
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
