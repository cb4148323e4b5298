import SceneEntryPoints
import SceneManifest
import SceneRouting
@testable import SceneRuntime
import TestFixtures
import Testing

@Suite("Stopping", .timeLimit(.minutes(15)))
struct StoppingTests {
    @Test("draining dispatches what is queued, abandons what is parked, refuses what is new, and says so last")
    func drains() async throws {
        let shop = try TestHost()
        let parked = try shop.admit("cart", in: "B")
        _ = await shop.host.receipt(of: parked)
        let hold = try shop.hold(.planned, scene: "A")
        let queued = [try shop.admit("product/p1"), try shop.admit("product/p2")]
        _ = await hold.caught()
        await shop.host.drain()
        for admission in queued { #expect(await shop.host.receipt(of: admission).outcome == .applied) }
        #expect(await shop.host.receipt(of: parked, at: .finished).outcome == .abandoned(reason: "shutdown"))
        #expect(throws: AdmissionError.draining) { try shop.admit("product/p3") }
        #expect(throws: SceneError.draining) { try shop.host.connect(scene: "C") }
        #expect(shop.records.last?.kind == .hostStopped)
        // `host.stopped` is final: nothing more is committed, and stopping again adds no record.
        await #expect(throws: SessionError.draining) { try await shop.host.session.signIn(user: "anna") }
        await #expect(throws: SessionError.draining) { try await shop.host.session.commit(set: ["cart": .strings([])]) }
        await shop.host.drain()
        #expect(shop.records(of: .hostStopped).count == 1)
        #expect(shop.records.last?.kind == .hostStopped)
    }

    @Test("a transition in progress is completed at once")
    func hurries() async throws {
        let shop = try TestHost(
            windows: ["A"],
            settings: HostSettings(transitionDuration: .seconds(3_600)),
            clock: ManualClock()
        )
        let product = try shop.admit("product/p1")
        let clock = try #require(shop.host.clock as? ManualClock)
        await clock.waitForSleepers(1)
        #expect(try shop.host.scene("A").isTransitioning)
        await shop.host.drain()
        #expect(await shop.host.receipt(of: product).outcome == .applied)
    }

    @Test("what has not begun when draining takes too long is abandoned, and those who wait for it are told")
    func abandonsTheRest() async throws {
        let gate = GatedExecutor()
        let host = try SceneHost(
            id: "test",
            manifest: try AppManifest.builtInShop(),
            settings: HostSettings(drainTimeout: .zero),
            clock: ManualClock(),
            executors: HostExecutors(session: SerialJobQueue(), scene: { _ in gate })
        )
        try host.connect(scene: "A")
        let product = try host.admit(Submission(try .url("https://shop.example/product/p1"), scene: "A"))
        async let drained: Void = host.drain()
        #expect(await host.receipt(of: product, at: .finished).outcome == .abandoned(reason: "shutdown"))
        gate.open()
        await drained
        let kinds = host.records.read(after: 0).records.map(\.kind)
        #expect(kinds.filter { $0 == .dispatchEnded }.count == 1)
        #expect(kinds.last == .hostStopped)
    }

    @Test("draining completes the transitions of every window at once")
    func hurriesAll() async throws {
        let clock = ManualClock()
        let shop = try TestHost(
            windows: ["A", "B", "C"],
            settings: HostSettings(transitionDuration: .seconds(3_600)),
            clock: clock
        )
        let opened = try ["A", "B", "C"].map { try shop.admit("product/p1", in: $0) }
        await clock.waitForSleepers(3)
        // Its transition begins only then.
        let next = try shop.admit("orders", in: "A")
        await shop.host.drain()
        for admission in opened + [next] { #expect(await shop.host.receipt(of: admission).outcome == .applied) }
        #expect(clock.now == .zero)
    }

    @Test("a host is quiet when mailboxes are empty and nothing is held, even if something is parked")
    func quiesces() async throws {
        let shop = try TestHost()
        _ = try await shop.open("cart", in: "A")
        await shop.host.quiesce()
        #expect(shop.records.last?.kind == .hostQuiet)
        #expect(try shop.host.scene("A").parked.count == 1)
    }

    @Test("a reader that falls behind gets a gap with the count, and then what is retained")
    func gap() async throws {
        let shop = try TestHost(settings: HostSettings(retainedRecords: 20))
        for number in 1...20 { _ = try await shop.open("product/p\(number)") }
        let (records, next) = shop.host.records.read(after: 0)
        guard case .gap(let count) = records.first?.body else {
            Issue.record("expected a gap, found \(String(describing: records.first))")
            return
        }
        #expect(records.dropFirst().first?.index == count + 1)
        #expect(next == shop.host.records.newestIndex)
        #expect(shop.host.records.read(after: next).records.isEmpty)
    }

    @Test("a reader gets the same records page by page as at once, filtered or not", arguments: [1, 2, 7, 20, 1_000])
    func pages(limit: Int) async throws {
        let shop = try TestHost(settings: HostSettings(retainedRecords: 20))
        for number in 1...20 { _ = try await shop.open("product/p\(number)") }
        let log = shop.host.records
        func read(after: Int, limit: Int, all: Bool) -> (records: [Record], next: Int) {
            all
                ? log.read(after: after, limit: limit)
                : log.read(after: after, limit: limit) { $0.subject.scene == "A" }
        }
        for all in [true, false] {
            var records: [Record] = []
            var next = 0
            while true {
                let page = read(after: next, limit: limit, all: all)
                guard !page.records.isEmpty else { break }
                #expect(page.records.count <= limit)
                records += page.records
                next = page.next
            }
            #expect(records == read(after: 0, limit: .max, all: all).records)
            #expect(next == log.newestIndex)
        }
        #expect(log.read(after: 0, limit: 0).records.count <= 1, "nothing but the gap")
    }

    @Test("a reader may ask for records that do not exist yet, however far ahead", arguments: [2, 1_000, Int.max])
    func readsAhead(after: Int) throws {
        let shop = try TestHost(windows: [])
        let (records, next) = shop.host.records.read(after: after)
        #expect(records.isEmpty)
        #expect(next == 1)
    }

    @Test("the sender of an event learns how it ended even after its ID has been forgotten")
    func forgottenButTold() async throws {
        let shop = try TestHost(settings: HostSettings(retainedEvents: 1))
        let first = try shop.admit("product/p1", id: "first")
        for number in 2...4 { _ = try await shop.open("product/p\(number)") }
        #expect(shop.host.receipt(event: "first") == nil)
        #expect(await shop.host.receipt(of: first).outcome == .applied)
    }

    @Test("events that have ended are forgotten oldest first, open ones never")
    func forgetsEvents() async throws {
        let shop = try TestHost(settings: HostSettings(retainedEvents: 3))
        _ = try await shop.open("cart", in: "B", id: "parked")
        for number in 1...5 { _ = try await shop.open("product/p\(number)", id: "p\(number)") }
        #expect(shop.host.receipt(event: "p1") == nil)
        #expect(shop.host.receipt(event: "p5")?.outcome == .applied)
        #expect(shop.host.receipt(event: "parked")?.outcome == .gated(precondition: "signedIn"))
    }
}
