import Basics
import Dispatch
import Foundation
import Logging
import NIOCore
import NIOPosix
import SceneManifest
import SceneRouting
import TestFixtures
import Testing
import Varlink

@testable import SceneRuntime

@testable import SceneDaemon

@Suite("The watchdog and the extension of the stop timeout", .timeLimit(.minutes(15)))
struct WatchdogTests {
    private final class Notes: Sendable {
        private let told = Guarded(0)
        private let lines = Guarded<[String]>([])
        var count: Int { told.withLock { $0 } }
        var complaints: [String] { lines.withLock { $0 } }
        let probe = Guarded<LivenessProbe?>(nil)
        func tell() { told.withLock { $0 += 1 } }
        func complain(_ line: String) { lines.withLock { $0.append(line) } }
    }

    /// Runs no job until it is opened.
    private final class StuckExecutor: SerialExecutor {
        private let state = Guarded<(waiting: [UnownedJob], isOpen: Bool)>(([], false))
        private let other = SerialJobQueue()

        func enqueue(_ job: consuming ExecutorJob) {
            let job = UnownedJob(job)
            let runs = state.withLock { state in
                if !state.isOpen { state.waiting.append(job) }
                return state.isOpen
            }
            if runs { run(job) }
        }

        func open() {
            let waiting = state.withLock { state in
                defer { state = ([], true) }
                return state.waiting
            }
            for job in waiting { run(job) }
        }

        private func run(_ job: UnownedJob) {
            let executor = asUnownedSerialExecutor()
            Task { job.runSynchronously(on: executor) }
        }
    }

    /// Runs a watchdog of 20 s while `body` runs.
    private func watch(
        _ host: SceneHost,
        _ parts: [LivenessProbe.Part] = [],
        threads: WatchdogThreads? = nil,
        _ body: (TestClock, Notes) async throws -> Void
    ) async throws {
        let clock = TestClock()
        let notes = Notes()
        let watchdog = Watchdog(
            probe: { whenAnswered in
                let probe = host.probe(parts, actors: threads?.own, locks: threads?.locks, whenAnswered)
                notes.probe.withLock { $0 = probe }
                return probe
            },
            interval: .seconds(20),
            allIsWell: notes.tell,
            logger: Logger(label: "test") { _ in
                TakingHandler { notes.complain("\($0.level) \($0.text("parts"))") }
            },
            clock: clock
        )
        let running = Task { await watchdog.run() }
        try await body(clock, notes)
        running.cancel()
        await running.value
    }

    @Test("notifies twice per interval")
    func notifies() async throws {
        let host = try SceneHost(id: "test", manifest: try AppManifest.builtInShop())
        try host.connect(scene: "A")
        try await watch(host) { clock, notes in
            for expected in 1...4 {
                try await until("it notifies") { notes.count >= expected }
                await clock.advance(by: .seconds(10))
            }
            try await until("it notifies") { notes.count >= 5 }
            await clock.advance(by: .seconds(9))
            await clock.settle()
            #expect(notes.count == 5)
            #expect(notes.complaints.isEmpty)
        }
    }

    @Test("does not notify while a window is stuck, logs its name once, and notifies again when it runs")
    func wedged() async throws {
        let stuck = StuckExecutor()
        let host = try SceneHost(
            id: "test",
            manifest: try AppManifest.builtInShop(),
            executors: HostExecutors(
                session: SerialJobQueue(),
                scene: { number -> any SerialExecutor in number == 1 ? stuck : SerialJobQueue() }
            )
        )
        try host.connect(scene: "A")
        try host.connect(scene: "B")
        try await watch(host) { clock, notes in
            // The others answer when they get to it.
            try await until("they have") { notes.probe.withLock { $0?.silent } == ["scene B"] }
            for _ in 0..<5 { await clock.advance(by: .seconds(10)) }
            await clock.settle()
            #expect(notes.count == 0)
            #expect(notes.complaints == ["critical scene B"])
            stuck.open()
            try await until("it notifies") { notes.count >= 1 }
            await clock.advance(by: .seconds(10))
            try await until("it notifies again") { notes.count >= 2 }
            #expect(notes.complaints.count == 1)
        }
    }

    /// What a client's call passes through, each of which is held in turn.
    enum Part: String, CaseIterable {
        case session = "the session"
        case scene = "scene B"
        case sessionLock = "the session's lock"
        case list = "the list of scenes"
        case records = "the record log"
        case firstLoop = "event loop 1"
        case secondLoop = "event loop 2"
        case taskLoop = "task loop 1"
    }

    @Test("does not notify while any part that a call passes through is held, and names it", arguments: Part.allCases)
    func held(part: Part) async throws {
        let (actors, gate) = (StuckExecutor(), DispatchSemaphore(value: 0))
        let group = MultiThreadedEventLoopGroup(numberOfThreads: 2)
        let (eventLoops, threads) = (EventLoops(forClients: group), WatchdogThreads())
        let host = try SceneHost(
            id: "test",
            manifest: try AppManifest.builtInShop(),
            executors: HostExecutors(
                session: part == .session ? actors : SerialJobQueue(),
                scene: { number -> any SerialExecutor in
                    part == .scene && number == 1 ? actors : SerialJobQueue()
                }
            )
        )
        try host.connect(scene: "A")
        try host.connect(scene: "B")
        let holding = DispatchSemaphore(value: 0)
        let hold = { @Sendable in
            holding.signal()
            gate.wait()
        }
        let release = { @Sendable in
            actors.open()
            gate.signal()
        }
        let loops = Array(group.makeIterator())
        switch part {
        case .session, .scene: holding.signal()
        case .sessionLock: Thread.detachNewThread { host.store.withNewest { _ in hold() } }
        case .list: Thread.detachNewThread { host.directory.withLock { _ in hold() } }
        case .records:
            Thread.detachNewThread {
                let isFirst = Guarded(true)
                _ = host.records.listen(replaying: true) { _ in
                    if isFirst.withLock({ isFirst in
                        defer { isFirst = false }; return isFirst
                    }) {
                        hold()
                    }
                }
            }
        case .firstLoop: loops[0].execute(hold)
        case .secondLoop: loops[1].execute(hold)
        case .taskLoop: Array(MultiThreadedEventLoopGroup.singleton.makeIterator())[0].execute(hold)
        }
        try await BlockingCalls.run { holding.wait() }
        try await watch(host, eventLoops.parts, threads: threads) { clock, notes in
            // A lock that is held hides those taken after it.
            let locks: [Part] = [.sessionLock, .list, .records]
            let silent = (locks.firstIndex(of: part).map { Array(locks[$0...]) } ?? [part]).map(\.rawValue).sorted()
            try await until("the others have answered") { notes.probe.withLock { $0?.silent } == silent }
            for _ in 0..<4 { await clock.advance(by: .seconds(10)) }
            await clock.settle()
            #expect(notes.count == 0)
            #expect(notes.complaints == ["critical " + silent.joined(separator: ", ")])
            release()
            try await until("it notifies") { notes.count >= 1 }
        }
        await threads.end()
        try await eventLoops.close()
    }

    @Test("a drain within the usual time asks for no extension, a longer one asks repeatedly until it is over")
    func patience() async {
        let clock = TestClock()
        let asked = Notes()
        let running = Task {
            await StopTimeoutExtension(clock: clock, ask: { asked.complain("\($0)") }).run()
        }
        await clock.advance(by: .seconds(4) - .nanoseconds(1))
        await clock.settle()
        #expect(asked.complaints.isEmpty)
        await clock.advance(by: .nanoseconds(1))
        await clock.settle()
        #expect(asked.complaints.count == 1)
        for _ in 0..<3 { await clock.advance(by: .seconds(3)) }
        await clock.settle()
        #expect(asked.complaints == Array(repeating: "10.0 seconds", count: 4))
        running.cancel()
        await running.value
        #expect(asked.complaints.count == 4)
    }
}
