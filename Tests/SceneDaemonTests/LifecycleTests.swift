import NIOCore
import NIOEmbedded
import Basics
import Testing

@testable import SceneDaemon

/// What the daemon shows and does in the course of time, on an event loop that the test drives.
@Suite("The daemon's life")
struct LifecycleTests {
    private final class Shown: Sendable {
        private let lines = Guarded<[String]>([])
        let text = Guarded("one")

        func show(_ line: String) { lines.withLock { $0.append(line) } }
        var all: [String] { lines.withLock { $0 } }
    }

    private func line(_ shown: Shown, _ loop: any EventLoop) -> StatusLine {
        StatusLine(eventLoop: loop, text: { shown.text.withLock { $0 } }, show: shown.show)
    }

    @Test("the status is shown when it has changed, at most once a second, and never twice the same")
    func status() {
        let loop = EmbeddedEventLoop()
        let shown = Shown()
        let line = line(shown, loop)
        line.update()
        #expect(shown.all == ["one"])
        for word in ["two", "three"] {
            shown.text.withLock { $0 = word }
            line.changed()
        }
        loop.advanceTime(by: .milliseconds(999))
        #expect(shown.all == ["one"])
        loop.advanceTime(by: .milliseconds(1))
        #expect(shown.all == ["one", "three"])
        line.changed()
        loop.advanceTime(by: .hours(1))
        #expect(shown.all == ["one", "three"])
    }

    @Test("the status line shows nothing once the daemon stops")
    func endOfStatus() {
        let loop = EmbeddedEventLoop()
        let shown = Shown()
        let line = line(shown, loop)
        line.changed()
        line.end()
        line.changed()
        line.update()
        loop.advanceTime(by: .hours(1))
        #expect(shown.all.isEmpty)
    }

    @Test("a daemon without clients stops, once, after some time, unless a client comes")
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

    @Test("memory is returned when the process has grown and its clients come to rest, whatever they hold meanwhile")
    func memory() {
        let (loop, resident, given) = (EmbeddedEventLoop(), Guarded(20 << 20), Guarded(0))
        let memory = MemoryReturn(eventLoop: loop, resident: { resident.withLock { $0 } }) {
            given.withLock { $0 += 1 }
        }
        func look(at mebibytes: Int, after time: TimeAmount = .seconds(6)) -> Int {
            resident.withLock { $0 = mebibytes << 20 }
            for _ in 1...100 { memory.changed() }
            loop.advanceTime(by: time)
            return given.withLock { $0 }
        }
        #expect(look(at: 35) == 0, "too little")
        #expect(look(at: 36, after: .milliseconds(5_999)) == 0, "too early")
        loop.advanceTime(by: .milliseconds(1))
        #expect(given.withLock { $0 } == 1)
        #expect(look(at: 130) == 2)
        #expect(look(at: 100) == 3, "what clients held before they left was in use, and some of it is free now")
        #expect(look(at: 20) == 3)
        loop.advanceTime(by: .hours(1))
        #expect(given.withLock { $0 } == 3, "nobody came or left")

        // They come and go all the time.
        resident.withLock { $0 = 60 << 20 }
        for _ in 1...8 {
            memory.changed()
            loop.advanceTime(by: .seconds(1))
        }
        #expect(given.withLock { $0 } == 3, "no rest")
        memory.changed()
        loop.advanceTime(by: .seconds(1))
        #expect(given.withLock { $0 } == 4, "no rest for nine seconds")
    }

    @Test("a daemon that stops for another reason does not stop for idleness")
    func stopsAnyway() {
        let loop = EmbeddedEventLoop()
        let idle = IdleExit(after: .seconds(10), eventLoop: loop, connections: { 0 }, exit: { Issue.record("stopped") })
        idle.changed()
        idle.end()
        idle.changed()
        loop.advanceTime(by: .hours(1))
    }
}
