import Basics
import SceneManifest
import SceneRouting
@testable import SceneRuntime
import TestFixtures
import Testing

@Suite("The sign of life", .timeLimit(.minutes(15)))
struct LivenessProbeTests {
    /// Probes and returns when all have answered.
    private func probe(_ host: SceneHost) async {
        await withCheckedContinuation { continuation in
            _ = host.probe { continuation.resume() }
        }
    }

    @Test("a host without windows, one with some, and one whose window is held or gated are alive")
    func alive() async throws {
        try await probe(TestHost(windows: []).host)
        let test = try TestHost()
        await probe(test.host)
        let hold = try test.hold(.resolved, scene: "A")
        let admission = try test.admit("orders")
        _ = await hold.caught()
        await probe(test.host)
        hold.release()
        _ = await test.host.receipt(of: admission, at: .settled)
        #expect(try await test.open("cart", in: "B").outcome.name == .gated)
        await probe(test.host)
    }

    /// Runs what it is given before it returns, so that an answer comes while the question is still being asked.
    private final class AtOnce: SerialExecutor, TaskExecutor {
        func enqueue(_ job: consuming ExecutorJob) {
            UnownedJob(job).runSynchronously(
                isolatedTo: asUnownedSerialExecutor(),
                taskExecutor: asUnownedTaskExecutor()
            )
        }
    }

    @Test(
        "whoever answers at once has answered, and all are told of only when the last has",
        arguments: [[], ["A"], ["A", "B", "C"]]
    )
    func atOnce(windows: [String]) throws {
        let atOnce = AtOnce()
        let host = try SceneHost(
            id: "test",
            manifest: try AppManifest.builtInShop(),
            executors: HostExecutors(session: atOnce, scene: { _ in atOnce })
        )
        for window in windows { try host.connect(scene: window) }
        let answers = Guarded(0)
        let last = Guarded<(@Sendable () -> Void)?>(nil)
        let parts = [
            LivenessProbe.Part("the quick part") { $0() },
            LivenessProbe.Part("the last part") { answer in last.withLock { $0 = answer } },
        ]
        let probe = host.probe(parts, actors: atOnce, locks: atOnce) { answers.withLock { $0 += 1 } }
        #expect(probe.silent == ["the last part"] && answers.withLock { $0 } == 0)
        last.withLock { $0 }?()
        #expect(probe.silent == [] && answers.withLock { $0 } == 1)
    }

    @Test("a window in a transition is alive")
    func inTransition() async throws {
        let clock = ManualClock()
        let test = try TestHost(settings: HostSettings(transitionDuration: .seconds(1)), clock: clock)
        let hold = try test.hold(.transition, scene: "A")
        _ = try test.admit("product/p1")
        _ = await hold.caught()
        hold.release()
        await probe(test.host)
        await test.host.drain()
    }

    @Test("a window whose executor is stuck is named, and the probe completes only when it goes on")
    func wedged() async throws {
        let stuck = GatedExecutor()
        let host = try SceneHost(
            id: "test",
            manifest: try AppManifest.builtInShop(),
            executors: HostExecutors(
                session: SerialJobQueue(),
                scene: { number -> any SerialExecutor in number == 1 ? stuck : SerialJobQueue() }
            )
        )
        for window in ["A", "B", "C"] { try host.connect(scene: window) }
        let (answers, answer) = AsyncStream.makeStream(of: Void.self)
        let probe = host.probe { answer.yield() }
        // The others answer in their own time.
        try await until("they have") { probe.silent == ["scene B"] }
        stuck.open()
        for await _ in answers { break }
        #expect(probe.silent.isEmpty)
    }

    @Test("a session whose executor is stuck is named too")
    func wedgedSession() async throws {
        let stuck = GatedExecutor()
        let host = try SceneHost(
            id: "test",
            manifest: try AppManifest.builtInShop(),
            executors: HostExecutors(session: stuck, scene: { _ in SerialJobQueue() })
        )
        try host.connect(scene: "A")
        let (answers, answer) = AsyncStream.makeStream(of: Void.self)
        let probe = host.probe { answer.yield() }
        try await until("the window has answered") { probe.silent == ["the session"] }
        stuck.open()
        for await _ in answers { break }
    }
}
