import Basics
import SceneEntryPoints
@testable import SceneRuntime
import Testing

@Suite("Waits for rest end once, in order, and leave nothing behind")
struct ActivityMonitorTests {
    @Test("all waits end in the order they began, outside of the lock, and the moment is marked once")
    func tellsAll() {
        let monitor = ActivityMonitor()
        let told = Guarded<[Int]>([])
        let marks = Guarded(0)
        monitor.began("A")
        for number in 0..<1_000 {
            monitor.when(.quiet(nil), mark: { marks.withLock { $0 += 1 } }) {
                // A lock that is held would never be given.
                #expect(monitor.count(of: "A") == 0)
                told.withLock { $0.append(number) }
            }
        }
        monitor.ended("A")
        #expect(told.withLock { $0 } == Array(0..<1_000))
        #expect(marks.withLock { $0 } == 1)
        #expect(monitor.waiterCount == 0)
    }

    @Test("each rest ends the waits for it, and no others")
    func tellsTheRight() {
        let monitor = ActivityMonitor()
        let told = Guarded<[String]>([])
        func note(_ what: String) -> @Sendable () -> Void { { told.withLock { $0.append(what) } } }
        monitor.began("A")
        monitor.began("B")
        monitor.when(.quiet("A"), note("A"))
        monitor.when(.quiet("B"), note("B"))
        monitor.when(.quiet(nil), note("all"))
        monitor.when(.settled, note("settled"))
        monitor.ended("A")
        #expect(told.withLock { $0 } == ["A"])
        monitor.rest("B")
        #expect(told.withLock { $0 } == ["A", "settled"])
        monitor.wake("B")
        monitor.ended("B")
        #expect(told.withLock { $0 } == ["A", "settled", "B", "all"])
        monitor.when(.quiet(nil), note("at once"))
        #expect(told.withLock { $0.last } == "at once")
        #expect(monitor.waiterCount == 0)
    }

    @Test("a wait that was cancelled does not end, and nothing of it stays")
    func forgets() {
        let monitor = ActivityMonitor()
        monitor.began("A")
        let rests: [ActivityMonitor.Rest] = [.quiet("A"), .quiet(nil), .settled]
        let tokens = (0..<300).map { monitor.when(rests[$0 % 3]) { Issue.record("told, though it gave up") } }
        #expect(monitor.waiterCount == 300)
        for token in tokens { #expect(monitor.forget(token)) }
        #expect(monitor.waiterCount == 0)
        #expect(!monitor.forget(tokens[0]))
        monitor.ended("A")
    }

    @Test(
        "whichever wait is cancelled, the others for the same rest end",
        arguments: [ActivityMonitor.Rest.quiet("A"), .quiet(nil), .settled],
        0..<3
    )
    func forgetsNoOther(rest: ActivityMonitor.Rest, cancelled: Int) {
        let monitor = ActivityMonitor()
        let told = Guarded<[Int]>([])
        monitor.began("A")
        let tokens = (0..<3).map { number in monitor.when(rest) { told.withLock { $0.append(number) } } }
        #expect(monitor.forget(tokens[cancelled]))
        monitor.ended("A")
        #expect(told.withLock { $0 } == (0..<3).filter { $0 != cancelled })
        #expect(monitor.waiterCount == 0)
    }

    @Test("a cancelled wait for an event does not end; the others do")
    func forgetsAnEvent() async throws {
        let shop = try TestHost()
        let hold = try shop.hold(.admitted, scene: "A")
        let event = try shop.admit("orders", id: "e1")
        let told = Guarded<[Int]>([])
        let tokens = (0..<100).map { number in
            shop.host.whenReached(.settled, event) { _ in told.withLock { $0.append(number) } }
        }
        for (number, token) in tokens.enumerated() where number % 2 == 0 {
            shop.host.stopWaiting(try #require(token), for: event)
        }
        #expect(event.progress.waiterCount == 50)
        hold.release()
        _ = await shop.host.receipt(of: event)
        #expect(told.withLock { $0 } == Array(0..<100).filter { $0 % 2 == 1 })
        #expect(event.progress.waiterCount == 0)
    }

    @Test("whichever of the waits is cancelled, only that one does not end", arguments: 0..<3)
    func forgetsOne(of cancelled: Int) async throws {
        let shop = try TestHost()
        let hold = try shop.hold(.admitted, scene: "A")
        let event = try shop.admit("orders", id: "e1")
        let told = Guarded<[Int]>([])
        let tokens = (0..<3).map { number in
            shop.host.whenReached(.settled, event) { _ in told.withLock { $0.append(number) } }
        }
        shop.host.stopWaiting(try #require(tokens[cancelled]), for: event)
        hold.release()
        _ = await shop.host.receipt(of: event)
        #expect(told.withLock { $0 } == (0..<3).filter { $0 != cancelled })
    }
}
