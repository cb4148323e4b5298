import Basics
import Dispatch
import NIOCore
import NIOEmbedded
import TestFixtures
import Testing

@testable import SceneDaemon

@Suite("The watch over an app's own code", .timeLimit(.minutes(15)))
struct CodeWatchTests {
    /// What the watch told.
    private final class Notes: Sendable {
        private let lines = Guarded<[String]>([])
        var all: [String] { lines.withLock { $0 } }
        func note(_ what: String, _ overdue: CodeWork.Overdue) {
            let seconds = overdue.time.nanoseconds / 1_000_000_000
            let line = "\(what) \(overdue.activity?.description ?? "nothing") \(seconds)"
            lines.withLock { $0.append(line) }
        }
    }

    private let loop = NIOAsyncTestingEventLoop()
    private let notes = Notes()
    private let watch: CodeWatch

    init() {
        watch = CodeWatch(
            eventLoop: loop,
            patience: .seconds(5),
            blocks: { [notes] in notes.note("blocks", $0) },
            goesOn: { [notes] in notes.note("goes on", $0) }
        )
    }

    /// Blocks the thread that runs it between two points that a test waits for and sets.
    private struct Gate: Sendable {
        private let reached = DispatchSemaphore(value: 0)
        private let opened = DispatchSemaphore(value: 0)

        func pass() {
            reached.signal()
            opened.wait()
        }

        func awaitSomebody() async {
            await withCheckedContinuation { continuation in
                DispatchQueue.global().async {
                    reached.wait()
                    continuation.resume()
                }
            }
        }

        func open() { opened.signal() }
    }

    @Test("names what does not return once, and says so when it has returned")
    func blocks() async throws {
        let gate = Gate()
        let queue = CodeQueue(watch: watch)
        queue.run {
            queue.work.doing(CodeActivity(scene: "A", event: "slow", kind: "url", ticket: 3))
            gate.pass()
        }
        await gate.awaitSomebody()
        await loop.advanceTime(by: .milliseconds(4_999))
        #expect(notes.all.isEmpty)
        await loop.advanceTime(by: .milliseconds(1))
        #expect(notes.all == ["blocks window A, event slow (url), ticket 3 5"])
        await loop.advanceTime(by: .hours(1))
        #expect(notes.all.count == 1)
        gate.open()
        try await until("it goes on") { notes.all.count == 2 }
        #expect(notes.all.last == "goes on window A, event slow (url), ticket 3 3605")
    }

    @Test("each queue that blocks is named by itself, and one that works has not to wait")
    func several() async throws {
        let gates = (0..<3).map { _ in Gate() }
        let queues = gates.map { _ in CodeQueue(watch: watch) }
        for (index, queue) in queues.enumerated() {
            queue.run { [gate = gates[index]] in
                queue.work.doing(CodeActivity(scene: "\(index)"))
                gate.pass()
            }
            await gates[index].awaitSomebody()
            await loop.advanceTime(by: .seconds(2))
        }
        // The first began 6 s ago, the second 4 s, the third 2 s.
        #expect(notes.all == ["blocks window 0, no event 5"])
        await loop.advanceTime(by: .seconds(1))
        #expect(notes.all == ["blocks window 0, no event 5", "blocks window 1, no event 5"])
        let other = Gate()
        let free = CodeQueue(watch: watch)
        free.run { other.pass() }
        await other.awaitSomebody()
        for gate in gates + [other] { gate.open() }
        // What each queue runs now has begun after all that it ran before.
        for queue in queues + [free] {
            let after = Gate()
            queue.run { after.pass() }
            await after.awaitSomebody()
            after.open()
        }
        try await until("those that were named go on") { notes.all.filter { $0.hasPrefix("goes on") }.count == 2 }
        await loop.advanceTime(by: .seconds(4))
        #expect(notes.all.count == 4, "\(notes.all)")
    }

    @Test("time that passes between two jobs is nobody's")
    func idle() async throws {
        let queue = CodeQueue(watch: watch)
        for _ in 0..<3 {
            let gate = Gate()
            queue.run { gate.pass() }
            await gate.awaitSomebody()
            await loop.advanceTime(by: .seconds(4))
            gate.open()
            let after = Gate()
            queue.run { after.pass() }
            await after.awaitSomebody()
            after.open()
            await loop.advanceTime(by: .seconds(4))
        }
        #expect(notes.all.isEmpty)
    }

    @Test(
        "says in one line what code is called for",
        arguments: [
            (
                CodeActivity(scene: "A", event: "e", kind: "url", ticket: 3), "window A, event e (url), ticket 3"
            ),
            (CodeActivity(event: "e", kind: "push", ticket: 1), "the app itself, event e (push), ticket 1"),
            (CodeActivity(scene: "A"), "window A, no event"),
            (.adapters(kind: "push"), "the adapters, asked about an event (push)"),
        ]
    )
    func lines(activity: CodeActivity, line: String) {
        #expect("\(activity)" == line)
    }
}
