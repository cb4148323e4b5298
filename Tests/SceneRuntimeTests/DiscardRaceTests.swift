import Basics
import Dispatch
import SceneEntryPoints
import SceneManifest
import SceneRouting
@testable import SceneRuntime
import TestFixtures
import Testing

/// The moment between taking an item from the mailbox and handling it. The test controls it through the executor.
@Suite("A scene that is discarded while an item is taken from its mailbox", .timeLimit(.minutes(15)))
struct DiscardRaceTests {
    private func makeHost(_ gate: GatedExecutor) throws -> SceneHost {
        let host = try SceneHost(
            id: "test",
            manifest: try AppManifest.builtInShop(),
            executors: HostExecutors(session: SerialJobQueue(), scene: { _ in gate })
        )
        try host.connect(scene: "A")
        return host
    }

    /// Brings the scene to where it has taken its next item but not handled it.
    private func close(_ gate: GatedExecutor, of host: SceneHost) async throws -> Mailbox {
        let scene = try #require(host.directory.withLock { $0.entries["A"]?.scene })
        try await until("the scene waits") { scene.mailbox.isAwaited }
        await gate.close()
        return scene.mailbox
    }

    @Test("nothing of the event begins: it is abandoned, once, and no window comes back", arguments: [true, false])
    func event(isConnected: Bool) async throws {
        let gate = GatedExecutor(isOpen: true)
        let host = try makeHost(gate)
        if !isConnected { try await host.disconnect(scene: "A") }
        let mailbox = try await close(gate, of: host)
        let product = try host.admit(Submission(try .url("https://shop.example/product/p1"), scene: "A"))
        #expect(mailbox.isEmpty && !mailbox.isAwaited, "taken, and not begun")
        let before = host.records.newestIndex
        try host.discard(scene: "A") { _ in }
        gate.open()
        await host.quiesce()
        #expect(await host.receipt(of: product, at: .finished).outcome == .abandoned(reason: "sceneDiscarded"))
        let records = host.records.read(after: before).records
        #expect(records.count { $0.body == .dispatchEnded(outcome: .abandoned(reason: "sceneDiscarded")) } == 1)
        let shown: Set<RecordKind> = [.dispatchBegan, .navigationStep, .sceneConnected, .sceneActivation]
        #expect(!records.contains { shown.contains($0.body.kind) }, "\(records.map(\.kind))")
        await host.drain()
    }

    @Test("what a sweep was about to resume is abandoned, and its record says so")
    func resumed() async throws {
        let shop = try TestHost(windows: ["A"])
        let cart = try shop.admit("cart", id: "cart")
        #expect(await shop.host.receipt(of: cart).outcome == .gated(precondition: "signedIn"))
        let hold = try shop.hold(.settled, scene: "A", kind: .sweep)
        try await shop.host.session.signIn(user: "anna")
        _ = await hold.caught()
        try await shop.host.discard(scene: "A")
        #expect(await shop.host.receipt(of: cart, at: .finished).outcome == .abandoned(reason: "sceneDiscarded"))
        let abandoned = shop.records(of: .gateAbandoned)
        #expect(abandoned.map(\.subject.event) == ["cart"])
        hold.release()
        try await until("nothing goes on in it") { shop.host.activity.count(of: "A") == 0 }
    }

    @Test("its ID is free when nothing goes on in it any more, so that no two scenes of one ID overlap in the records")
    func sameID() async throws {
        let gate = GatedExecutor(isOpen: true)
        let host = try makeHost(gate)
        _ = try await close(gate, of: host)
        _ = try host.admit(Submission(try .url("https://shop.example/product/p1"), scene: "A"))
        let isGone = Guarded(false)
        try host.discard(scene: "A") { _ in isGone.withLock { $0 = true } }
        #expect(throws: SceneError.sceneExists("A")) { try host.connect(scene: "A") }
        gate.open()
        try await until("the client is answered") { isGone.withLock { $0 } }
        try host.connect(scene: "A")
        await host.quiesce()
        let life: Set<RecordKind> = [.sceneConnected, .sceneDiscarded]
        let kinds = host.records.read(after: 0).records.map(\.kind).filter(life.contains)
        #expect(kinds == [.sceneConnected, .sceneDiscarded, .sceneConnected])
        await host.drain()
    }

    @Test("a new window of its ID keeps its transition, however early it is there")
    func transitionOfTheNext() async throws {
        let gate = GatedExecutor(isOpen: true)
        let clock = ManualClock()
        let host = try SceneHost(
            id: "test",
            manifest: try AppManifest.builtInShop(),
            settings: HostSettings(transitionDuration: .seconds(1)),
            clock: clock,
            executors: HostExecutors(session: SerialJobQueue(), scene: { _ in gate })
        )
        try host.connect(scene: "A")
        let scene = try #require(host.directory.withLock { $0.entries["A"]?.scene })
        _ = try await close(gate, of: host)
        let product = Submission(try .url("https://shop.example/product/p1"), scene: "A")
        _ = try host.admit(product)
        let waiting = try host.admit(product)
        // The scene has ended, and its successor moves, before the call that discards it has returned.
        let (hasEnded, isMoving) = (DispatchSemaphore(value: 0), DispatchSemaphore(value: 0))
        scene.whenEnded { hasEnded.signal() }
        host.whenReached(.finished, waiting) { _ in
            gate.open()
            hasEnded.wait()
        }
        async let sleeping: Void = {
            await clock.waitForSleepers(1)
            isMoving.signal()
        }()
        try await BlockingCalls.run {
            try host.discard(scene: "A") { _ in
                #expect(throws: Never.self) {
                    try host.connect(scene: "A")
                    _ = try host.admit(product)
                }
                isMoving.wait()
            }
        }
        await sleeping
        #expect(clock.sleeping == 1)
        #expect(try host.scene("A").isTransitioning)
        await host.drain()
    }

    @Test("whoever is told that a scene is gone can connect another one of its ID at once")
    func sameIDAtOnce() async throws {
        let shop = try TestHost(windows: ["A"])
        let host = shop.host
        let connected: Result<SceneStatus, any Error> = try await withCheckedThrowingContinuation { continuation in
            do {
                try host.discard(scene: "A") { _ in
                    continuation.resume(returning: Result { try host.connect(scene: "A") })
                }
            } catch {
                continuation.resume(throwing: error)
            }
        }
        #expect(try connected.get().isConnected)
    }

    @Test("a resume that was taken is abandoned too, once")
    func resume() async throws {
        let gate = GatedExecutor(isOpen: true)
        let host = try makeHost(gate)
        let cart = try host.admit(Submission(try .url("https://shop.example/cart"), scene: "A"))
        #expect(await host.receipt(of: cart).outcome == .gated(precondition: "signedIn"))
        let mailbox = try await close(gate, of: host)
        // The item taken is the commit's sweep; the intent is still parked.
        try await host.session.signIn(user: "anna")
        #expect(mailbox.isEmpty && !mailbox.isAwaited, "taken, and not begun")
        try host.discard(scene: "A") { _ in }
        gate.open()
        await host.quiesce()
        #expect(await host.receipt(of: cart, at: .finished).outcome == .abandoned(reason: "sceneDiscarded"))
        let records = host.records.read(after: 0).records
        #expect(records.count { $0.kind == .gateAbandoned } == 1)
        #expect(records.count { $0.kind == .gateResumed } == 0)
        #expect(records.count { $0.kind == .dispatchBegan } == 1)
        await host.drain()
    }
}
