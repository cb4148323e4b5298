import Logging
import SceneManifest
import SceneRouting
import SceneRuntime
import Basics
import TestFixtures
import Testing

@testable import scened

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

    private struct Handler: LogHandler {
        let notes: Notes
        var metadata: Logger.Metadata = [:]
        var logLevel = Logger.Level.trace

        subscript(metadataKey key: String) -> Logger.Metadata.Value? {
            get { metadata[key] }
            set { metadata[key] = newValue }
        }

        func log(event: LogEvent) {
            notes.complain("\(event.level) \(event.metadata?["actors"].map { "\($0)" } ?? "")")
        }
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
        _ body: (TestClock, Notes) async throws -> Void
    ) async throws {
        let clock = TestClock()
        let notes = Notes()
        let watchdog = Watchdog(
            probe: { whenAnswered in
                let probe = host.probe(whenAnswered)
                notes.probe.withLock { $0 = probe }
                return probe
            },
            interval: .seconds(20),
            allIsWell: notes.tell,
            logger: Logger(label: "test") { _ in Handler(notes: notes) },
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
