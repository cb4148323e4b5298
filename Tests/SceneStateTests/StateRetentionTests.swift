import Basics
import SceneRouting
@testable import SceneRuntime
@testable import SceneState
import Testing

@Suite struct StateRetentionTests {
    @Test func `of events that have ended the newest are remembered, and open ones always`() throws {
        let folder = try StateFolder()
        let retention = StateRetention(events: 16)
        let store = try folder.begin(.strict, retention)
        var maker = KeptMaker(seed: 21)
        func key(_ number: Int) -> EventKey { EventKey(sender: "shop", id: "event \(number)") }
        for number in 1...100 {
            store.keep(.event(maker.event(key(number), outcome: .admitted)))
        }
        // The later half ends in the opposite order; the earlier half stays.
        for number in (51...100).reversed() {
            store.keep(.outcome(key(number), maker.receipt("event \(number)", .gated(precondition: "signed-in"))))
            store.keep(.outcome(key(number), maker.receipt("event \(number)", .applied)))
        }
        // It has ended already.
        store.keep(.outcome(key(60), maker.receipt("event 60", .unchanged)))
        try store.flush()
        let open: [EventKey] = Array(1...50).map(key)
        let newest: [EventKey] = Array(51...66).map(key).reversed()
        let expected: [EventKey] = open + newest
        #expect(try store.load()?.events.map(\.key) == expected)
        #expect(try store.count("SELECT count(*) FROM event") <= 50 + 16 + retention.trimming)
        try store.close()
        do {
            let again = try folder.open(.group, retention)
            #expect(try again.load()?.events.map(\.key) == expected)
            try again.close()
        }
        let fewer = try folder.open(.group, StateRetention(events: 3)).load()?.events.map(\.key)
        #expect(fewer == open + newest.suffix(3))
    }

    @Test(arguments: [1, 2, 30, 100])
    func `as many records are kept as may be, but for a part of a segment`(_ limit: Int) throws {
        let folder = try StateFolder()
        let retention = StateRetention(records: limit)
        var maker = KeptMaker(seed: 22)
        try folder.begin().close()
        // Over several runs.
        for run in 1...4 {
            let store = try folder.open(run % 2 == 0 ? .group : .strict, retention)
            for _ in 1...123 { store.keep(KeptStep(record: maker.record(), changes: [])) }
            try store.flush()
            let found = try store.records(after: 0, limit: 1_000).map(\.index)
            #expect(found.count <= limit && found.count > limit - retention.segment)
            let first: Int = maker.nextRecord - found.count
            #expect(found == Array(first..<maker.nextRecord))
            #expect(try store.count("SELECT sum(count) FROM segment") == found.count)
            try store.close()
        }
    }

    @Test func `records take no more than so many bytes`() throws {
        let folder = try StateFolder()
        let store = try folder.begin(.group, StateRetention(records: 1_000, recordBytes: 20_000))
        var maker = KeptMaker(seed: 23)
        for _ in 1...900 { store.keep(KeptStep(record: maker.record(), changes: [])) }
        try store.flush()
        let found = try store.records(after: 0, limit: 1_000)
        let bytes = found.reduce(0) { $0 + $1.json.utf8.count }
        #expect(bytes <= 20_000 && bytes > 20_000 / 4)
        #expect(found.last?.index == 900)
        #expect(try store.count("SELECT sum(bytes) FROM segment") == bytes)
    }
}
