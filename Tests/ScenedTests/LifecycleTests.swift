import NIOCore
import NIOEmbedded
import Locking
import Testing

@testable import scened

/// What the daemon tells and when, on an event loop that the test moves.
@Suite("The daemon's life")
struct LifecycleTests {
    private final class Said: Sendable {
        private let lines = Guarded<[String]>([])
        let text = Guarded("one")

        func say(_ line: String) { lines.withLock { $0.append(line) } }
        var all: [String] { lines.withLock { $0 } }
    }

    private func line(_ said: Said, _ loop: any EventLoop) -> StatusLine {
        StatusLine(eventLoop: loop, text: { said.text.withLock { $0 } }, say: said.say)
    }

    @Test("the status is said when it has changed, at most once a second, and never twice the same")
    func status() {
        let loop = EmbeddedEventLoop()
        let said = Said()
        let line = line(said, loop)
        line.update()
        #expect(said.all == ["one"])
        for word in ["two", "three"] {
            said.text.withLock { $0 = word }
            line.changed()
        }
        loop.advanceTime(by: .milliseconds(999))
        #expect(said.all == ["one"])
        loop.advanceTime(by: .milliseconds(1))
        #expect(said.all == ["one", "three"])
        line.changed()
        loop.advanceTime(by: .hours(1))
        #expect(said.all == ["one", "three"])
    }

    @Test("once the daemon stops, the status is left to what says so")
    func endOfStatus() {
        let loop = EmbeddedEventLoop()
        let said = Said()
        let line = line(said, loop)
        line.changed()
        line.end()
        line.changed()
        line.update()
        loop.advanceTime(by: .hours(1))
        #expect(said.all.isEmpty)
    }

    @Test("a daemon that nobody uses for long enough stops, once; who comes in time keeps it")
    func idle() {
        let loop = EmbeddedEventLoop()
        let connections = Guarded(0)
        let exits = Guarded(0)
        let idle = IdleExit(
            after: .seconds(10),
            eventLoop: loop,
            connections: { connections.withLock { $0 } },
            exit: { exits.withLock { $0 += 1 } }
        )
        func now(_ count: Int) {
            connections.withLock { $0 = count }
            idle.changed()
        }
        now(0)
        loop.advanceTime(by: .seconds(9))
        now(1)
        loop.advanceTime(by: .hours(1))
        #expect(exits.withLock { $0 } == 0)
        now(2)
        now(0)
        loop.advanceTime(by: .seconds(10) - .nanoseconds(1))
        #expect(exits.withLock { $0 } == 0)
        loop.advanceTime(by: .nanoseconds(1))
        #expect(exits.withLock { $0 } == 1)
        now(0)
        loop.advanceTime(by: .hours(1))
        #expect(exits.withLock { $0 } == 1)
    }

    @Test("memory is given back once when most of many clients have gone")
    func memory() {
        let given = Guarded(0)
        let memory = MemoryReturn { given.withLock { $0 += 1 } }
        for count in Array(0...63) + Array(0...62).reversed() { memory.changed(count) }
        #expect(given.withLock { $0 } == 0, "too few")
        for count in Array(0...200) + Array(51...199).reversed() { memory.changed(count) }
        #expect(given.withLock { $0 } == 0)
        for count in (0...50).reversed() { memory.changed(count) }
        #expect(given.withLock { $0 } == 1)
    }

    @Test("a daemon that stops anyway does not do so for idleness")
    func stopsAnyway() {
        let loop = EmbeddedEventLoop()
        let idle = IdleExit(after: .seconds(10), eventLoop: loop, connections: { 0 }, exit: { Issue.record("stopped") })
        idle.changed()
        idle.end()
        idle.changed()
        loop.advanceTime(by: .hours(1))
    }
}
