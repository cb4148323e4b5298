import Basics
import Foundation
import SceneRouting
@testable import SceneRuntime
@testable import SceneState
import StrictJSON
import Testing

@Suite struct StateStoreTests {
    @Test func `where no host has begun there is none`() throws {
        let folder = try StateFolder()
        let store = try folder.open()
        #expect(try store.load() == nil)
        try store.close()
        #expect(try folder.open().load() == nil)
    }

    @Test(arguments: [nil, SecretKey(0, .max)])
    func `a host that has begun is found again`(_ key: SecretKey?) throws {
        let folder = try StateFolder()
        var host = KeptHost.first
        host.secretKey = key
        let store = try folder.open()
        try store.begin(host)
        expect(try store.load(), is: host)
        try store.close()
        expect(try folder.open().load(), is: host)
    }

    @Test func `a new host takes the place of everything`() throws {
        let folder = try StateFolder()
        let store = try folder.begin()
        var maker = KeptMaker(seed: 1)
        for _ in 1...50 { store.keep(maker.step()) }
        store.keep(.choice(user: nil, destination: "offers", variant: "spring"))
        var host = KeptHost.first
        host.id = "second"
        host.manifest = KeptManifest(digest: "d2", json: "[]")
        try store.begin(host)
        expect(try store.load(), is: host)
        #expect(try store.records(after: 0, limit: 100).isEmpty)
        // It begins its records anew.
        maker.nextRecord = 1
        store.keep(KeptStep(record: maker.record(), changes: []))
        try store.flush()
        #expect(try store.records(after: 0, limit: 100).map(\.index) == [1])
    }

    @Test(arguments: 1...12 as ClosedRange<UInt64>)
    func `whoever stops after any step finds the state after that step`(_ seed: UInt64) throws {
        let folder = try StateFolder()
        let retention = StateRetention(events: 4, records: 40)
        let date = Guarded(1_000.0)
        let store = try folder.begin(.strict, retention, now: { date.withLock { $0 } })
        var model = HostModel(.first, events: 4)
        var maker = KeptMaker(seed: seed)
        for number in 1...40 {
            date.withLock { $0 += 0.25 }
            let step = maker.step()
            model.take(step, wall: date.withLock { $0 })
            store.keep(step)
            try store.flush()
            let left = try folder.crashed().open(.strict, retention)
            expect(try left.load(), is: model.host, "after step \(number) of seed \(seed)")
        }
        try store.close()
        expect(try folder.open(.strict, retention).load(), is: model.host, "after all of seed \(seed)")
    }

    @Test func `a host goes on where the one before has stopped`() throws {
        let folder = try StateFolder()
        var model = HostModel(.first, events: 10_000)
        var maker = KeptMaker(seed: 99)
        try folder.begin().close()
        for _ in 1...8 {
            let store = try folder.open()
            for _ in 1...20 {
                let step = maker.step()
                store.keep(step)
                model.take(step, wall: 1_000)
            }
            try store.close()
            expect(try folder.open().load(), is: model.host)
        }
    }

    @Test func `as many users' choices are kept as a host keeps`() throws {
        let folder = try StateFolder()
        let store = try folder.begin()
        for user in 0..<VariantMemory.users {
            store.keep(.choice(user: user == 0 ? nil : "user \(user)", destination: "offers", variant: "spring"))
        }
        store.keep(.choice(user: nil, destination: "offers", variant: "autumn"))
        store.keep(.choice(user: "user 1", destination: "news", variant: "short"))
        try store.flush()
        let before = try #require(try store.load()).choices
        #expect(before.count == VariantMemory.users + 1)
        let first = try #require(before.first)
        #expect(first.user == nil && first.variant == "autumn")
        // Nobody was the first for whom something was chosen.
        store.keep(.choice(user: "one more", destination: "offers", variant: "spring"))
        try store.flush()
        let after = try #require(try store.load()).choices
        #expect(after.map(\.user).contains(nil) == false)
        #expect(after.count == VariantMemory.users + 1)
        #expect(after.last?.user == "one more")
        // The other choice of the next one goes with the first.
        try store.close()
        let again = try folder.open()
        again.keep(.choice(user: "two more", destination: "offers", variant: "spring"))
        try again.flush()
        let last = try #require(try again.load()).choices
        #expect(!last.map(\.user).contains("user 1"))
        #expect(last.count == VariantMemory.users)
    }

    @Test func `what a host has made is counted even when it is gone`() throws {
        let folder = try StateFolder()
        let store = try folder.begin()
        var maker = KeptMaker(seed: 3)
        let scene = maker.scene("scene-17")
        store.keep(.scene(scene))
        store.keep(.sceneGone(id: "scene-17"))
        store.keep(.scene(maker.scene("scene-0018x")), .sceneGone(id: "scene-0018x"))
        try store.flush()
        let host = try #require(try store.load())
        #expect(host.scenes.isEmpty)
        #expect(host.lastMadeScene == 17)
        #expect(host.openedScenes == 2)
    }

    // MARK: - Records

    @Test func `records are read back as they are written`() throws {
        let folder = try StateFolder()
        let store = try folder.begin()
        var maker = KeptMaker(seed: 5)
        let records = (1...200).map { _ in maker.record() }
        for record in records { store.keep(KeptStep(record: record, changes: [])) }
        try store.flush()
        let found = try store.records(after: 0, limit: 1_000)
        #expect(found.count == records.count)
        for (one, other) in zip(found, records) {
            var json = JSONText()
            other.write(to: &json)
            #expect(Array(one.json.utf8) == json.bytes)
            #expect(one.index == other.index)
            #expect(one.kind == other.kind)
            #expect(one.time == other.time)
            #expect(one.scene == other.subject.scene)
            #expect(one.event == other.subject.event)
        }
        #expect(try store.records(after: 50, limit: 3).map(\.index) == [51, 52, 53])
        #expect(try store.records(after: 200, limit: 3).isEmpty)
        #expect(try store.records(after: 0, limit: 0).isEmpty)
    }

    @Test func `records can be read while others are written`() async throws {
        let folder = try StateFolder()
        let store = try folder.begin()
        var maker = KeptMaker(seed: 6)
        let records = (1...600).map { _ in maker.record() }
        try await withThrowingTaskGroup { group in
            for _ in 1...3 {
                group.addTask {
                    var last = 0
                    while last < 600 {
                        let found = try store.records(after: last, limit: 7).map(\.index)
                        let first: Int = last + 1
                        #expect(found == Array(first..<first + found.count))
                        last += found.count
                        await Task.yield()
                    }
                }
            }
            for record in records { store.keep(KeptStep(record: record, changes: [])) }
            try await group.waitForAll()
        }
    }
}
