import Basics
import GRDB
@testable import SceneRuntime
@testable import SceneState
import Testing

@Suite struct StateDurabilityTests {
    private static func steps(_ count: Int) -> [KeptStep] {
        var maker = KeptMaker(seed: 11)
        return (1...count).map { _ in KeptStep(record: maker.record(), changes: []) }
    }

    @Test(arguments: [(StateDurability.group, 2), (.strict, 10)])
    func `what queues while a transaction goes on is written by one, or by one for each`(
        _ durability: StateDurability,
        _ commits: Int
    ) throws {
        let folder = try StateFolder()
        let store = try folder.begin(durability)
        let gate = CommitGate(store)
        gate.shut()
        let steps = Self.steps(10)
        store.keep(steps[0])
        gate.wait(for: 1)
        for step in steps.dropFirst() { store.keep(step) }
        #expect(try store.records(after: 0, limit: 100).isEmpty)
        gate.open()
        try store.flush()
        #expect(gate.commits == commits)
        #expect(try store.records(after: 0, limit: 100).count == 10)
    }

    @Test(arguments: [StateDurability.group, .strict])
    func `nobody is told before it is committed, and all are in the order in which they asked`(
        _ durability: StateDurability
    ) throws {
        let folder = try StateFolder()
        let store = try folder.begin(durability)
        let gate = CommitGate(store)
        let told = Monitor<[Int]>([])
        gate.shut()
        for (number, step) in Self.steps(200).enumerated() {
            store.keep(step)
            store.whenKept { _ in
                let isThere = try? store.records(after: number, limit: 1).map(\.index) == [number + 1]
                #expect(isThere == true)
                told.change { $0.append(number) }
            }
        }
        gate.wait(for: 1)
        #expect(told.change { $0 }.isEmpty)
        gate.open()
        told.wait { $0.count == 200 ? () : nil }
        #expect(told.change { $0 } == Array(0..<200))
    }

    @Test func `a host that has stopped answers once what it had handed over is kept`() throws {
        let folder = try StateFolder()
        let store = try folder.begin()
        let gate = CommitGate(store)
        let told = Monitor<[Bool]>([])
        gate.shut()
        let keeper = store.keeper()
        for step in Self.steps(3) { keeper.keep(step) }
        keeper.stop()
        #expect(keeper.isKept(with: true, patiently: false) { isKept in told.change { $0.append(isKept) } } == nil)
        gate.wait(for: 1)
        #expect(told.change { $0 }.isEmpty)
        gate.open()
        told.wait { $0.isEmpty ? nil : () }
        #expect(told.change { $0 } == [false])
        #expect(try store.records(after: 0, limit: 100).count == 3 && !store.hasLost)
    }

    @Test func `who asks while others are told waits for its turn`() throws {
        let folder = try StateFolder()
        let store = try folder.begin()
        let gate = CommitGate(store)
        let told = Monitor<[String]>([])
        gate.shut()
        store.keep(Self.steps(1)[0])
        store.whenKept { _ in
            // Nothing is outstanding, but the next one has asked before.
            store.whenKept { _ in told.change { $0.append("third") } }
            told.change { $0.append("first") }
        }
        store.whenKept { _ in told.change { $0.append("second") } }
        gate.open()
        told.wait { $0.count == 3 ? () : nil }
        #expect(told.change { $0 } == ["first", "second", "third"])
    }

    @Test func `who asks when nothing is outstanding is told at once`() throws {
        let folder = try StateFolder()
        let store = try folder.begin()
        let told = Guarded(0)
        store.whenKept { isKept in told.withLock { $0 += isKept ? 1 : 0 } }
        #expect(told.withLock { $0 } == 1)
        store.keep(Self.steps(1)[0])
        try store.close()
        store.whenKept { isKept in told.withLock { $0 += isKept ? 1 : 0 } }
        #expect(told.withLock { $0 } == 2)
        // It cannot be kept any more.
        store.keep(Self.steps(1)[0])
        store.whenKept { isKept in told.withLock { $0 += isKept ? 1 : 0 } }
        #expect(told.withLock { $0 } == 2)
        #expect(throws: StateError.closed(path: folder.database)) { try store.begin(.first) }
    }

    @Test func `a relaxed store tells at once and gathers until it has paused`() throws {
        let folder = try StateFolder()
        let store = try folder.begin(.relaxed, pause: .seconds(3_600))
        let gate = CommitGate(store)
        let told = Guarded(0)
        for step in Self.steps(50) {
            store.keep(step)
            store.whenKept { isKept in told.withLock { $0 += isKept ? 1 : 0 } }
        }
        #expect(told.withLock { $0 } == 50)
        #expect(gate.commits == 0)
        try store.flush()
        #expect(gate.commits == 1)
        #expect(try store.records(after: 0, limit: 100).count == 50)
    }

    @Test func `a relaxed store tells at once only so far ahead of what is on the disk`() throws {
        let folder = try StateFolder()
        let store = try folder.begin(.relaxed, pause: .seconds(3_600), lead: 10)
        let gate = CommitGate(store)
        let told = Monitor<[Int]>([])
        gate.shut()
        for (number, step) in Self.steps(12).enumerated() {
            store.keep(step)
            store.whenKept { _ in told.change { $0.append(number) } }
        }
        // It does not wait until it has paused.
        gate.wait(for: 1)
        #expect(told.change { $0 } == Array(0..<10))
        gate.open()
        told.wait { $0.count == 12 ? () : nil }
        #expect(told.change { $0 } == Array(0..<12))
    }

    @Test func `a relaxed store writes by itself when it has paused`() throws {
        let folder = try StateFolder()
        let store = try folder.begin(.relaxed, pause: .milliseconds(1))
        let gate = CommitGate(store)
        store.keep(Self.steps(1)[0])
        gate.wait(for: 1)
    }

    @Test(arguments: StateDurability.allCases)
    func `each commit is on the disk`(_ durability: StateDurability) throws {
        let folder = try StateFolder()
        let store = try folder.open(durability)
        let (sync, mode) = try store.pool.writeWithoutTransaction { db in
            (try Int.fetchOne(db, sql: "PRAGMA synchronous"), try String.fetchOne(db, sql: "PRAGMA journal_mode"))
        }
        // FULL, which syncs the log at each commit.
        #expect(sync == 2 && mode == "wal")
    }

    @Test(arguments: StateDurability.allCases)
    func `closing keeps what was handed over`(_ durability: StateDurability) throws {
        let folder = try StateFolder()
        let store = try folder.begin(durability, pause: .seconds(3_600))
        for step in Self.steps(30) { store.keep(step) }
        try store.close()
        try store.close()
        #expect(try folder.open().records(after: 0, limit: 100).count == 30)
    }

    @Test func `a store that nobody has any more writes what it was given`() async throws {
        let folder = try StateFolder()
        do {
            let store = try folder.begin()
            for step in Self.steps(30) { store.keep(step) }
        }
        // Its thread gives up the folder when it has done so.
        var again: StateStore?
        while again == nil {
            do throws(StateError) {
                again = try folder.open()
            } catch .inUse {
                await Task.yield()
            }
        }
        #expect(try again?.records(after: 0, limit: 100).count == 30)
    }
}
