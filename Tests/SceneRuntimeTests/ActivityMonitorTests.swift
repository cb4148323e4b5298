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

    @Test(
        "whatever begins, ends, rests and goes on: each wait ends as soon as its rest is reached, not before",
        arguments: 1...20
    )
    func anyOrder(seed: UInt64) {
        var random = SplitMix(seed: seed)
        let monitor = ActivityMonitor()
        let told = Guarded<[Int]>([])
        let scenes = ["A", "B", "C"]
        var counts = [String: Int]()
        var resting: Set<String> = []
        var waits: [(number: Int, rest: ActivityMonitor.Rest, token: Int)] = []
        var expected: [Int] = []
        for number in 0..<400 {
            let scene = random.pick(scenes)
            switch random.below(7) {
            case 0:
                let count = 1 + random.below(2)
                monitor.began(scene, count: count)
                counts[scene, default: 0] += count
            case 1, 2:
                guard let count = counts[scene] else { continue }
                let ended = 1 + random.below(count)
                monitor.ended(scene, count: ended)
                counts[scene] = ended < count ? count - ended : nil
                if ended == count { resting.remove(scene) }
            case 3:
                monitor.rest(scene)
                if counts[scene] != nil { resting.insert(scene) }
            case 4:
                monitor.wake(scene)
                resting.remove(scene)
            case 5:
                let rest = random.pick([ActivityMonitor.Rest.quiet(scene), .quiet(nil), .settled])
                waits.append((number, rest, monitor.when(rest) { told.withLock { $0.append(number) } }))
            default:
                guard !waits.isEmpty else { continue }
                let place = random.below(waits.count)
                #expect(monitor.forget(waits.remove(at: place).token))
            }
            // A wait that ends is told after those for a smaller part, and those in the order in which they began.
            for rest in scenes.map(ActivityMonitor.Rest.quiet) + [.quiet(nil), .settled] {
                let isReached =
                    switch rest {
                    case .quiet(nil): counts.isEmpty
                    case .quiet(let scene?): counts[scene] == nil
                    case .settled: counts.count == resting.count
                    }
                guard isReached else { continue }
                expected += waits.filter { $0.rest == rest }.map(\.number)
                waits.removeAll { $0.rest == rest }
            }
            #expect(told.withLock { $0 } == expected && monitor.waiterCount == waits.count)
            #expect(scenes.map(monitor.count) == scenes.map { counts[$0] ?? 0 })
        }
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
