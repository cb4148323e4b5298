import SceneNavigation
@testable import SceneRuntime
import Basics
import TestFixtures
import Testing

/// Time that stands still until it is advanced.
@Suite(.timeLimit(.minutes(15))) struct VirtualClockTests {
    private func test(transition: Duration = .milliseconds(300)) throws -> (TestHost, VirtualClock) {
        let clock = VirtualClock(wallTime: 1_000)
        return (try TestHost(settings: HostSettings(transitionDuration: transition), clock: clock), clock)
    }

    @Test("time does not move until it is advanced, and then exactly as far as asked")
    func standsStill() async throws {
        let (test, clock) = try test()
        let event = try test.admit("product/p1")
        #expect(await test.host.advance(by: .zero) == .zero)
        #expect(try test.host.scene("A").isTransitioning)
        #expect(await test.host.advance(by: .milliseconds(299)) == .milliseconds(299))
        #expect(event.progress.receipt.outcome == .admitted)
        #expect(await test.host.advance(by: .milliseconds(1)) == .milliseconds(300))
        #expect(event.progress.receipt.outcome == .applied)
        #expect(try !test.host.scene("A").isTransitioning)
        #expect(clock.wallTime == 1_000.3)
    }

    @Test("time goes to a moment that is to come, deadline by deadline, and never back")
    func toAMoment() async throws {
        let (test, clock) = try test()
        let event = try test.admit("product/p1")
        #expect(await test.host.advance(to: .milliseconds(299)) == true)
        #expect(event.progress.receipt.outcome == .admitted)
        #expect(await test.host.advance(to: .milliseconds(300)) == true)
        #expect(event.progress.receipt.outcome == .applied)
        #expect(await test.host.advance(to: .milliseconds(300)) == true, "it is that time")
        #expect(await test.host.advance(to: .milliseconds(299)) == false)
        #expect(clock.now == .milliseconds(300))
        #expect(test.host.time(of: 1_001) == .seconds(1))
        #expect(test.host.time(of: 999) == .seconds(-1))
        #expect(try await TestHost().host.advance(to: .seconds(1)) == nil, "the real clock")
    }

    @Test("a sleeper that falls asleep may have something recorded, with the time")
    func tellsTimeToSleepers() async throws {
        let clock = VirtualClock(wallTime: 0)
        let times = Guarded<[Duration]>([])
        let note: @Sendable () -> Void = {
            let now = clock.now
            times.withLock { $0.append(now) }
        }
        let sleeper = Task {
            try await clock.sleep(until: .seconds(1), watcher: SleepWatcher(fallsAsleep: note, wakes: note))
        }
        try await until("it sleeps") { !times.withLock { $0.isEmpty } }
        await clock.advance(by: .seconds(1)) {}
        try await sleeper.value
        #expect(times.withLock { $0 } == [.zero, .seconds(1)])
    }

    @Test("a long advance goes from deadline to deadline, and everything due is done before the next")
    func deadlineByDeadline() async throws {
        let (test, _) = try test()
        for link in ["product/p1", "orders", "promo/SUMMER"] { _ = try test.admit(link) }
        _ = try test.admit("product/p2", in: "B")
        #expect(await test.host.advance(by: .seconds(10)) == .seconds(10))
        let records = test.records(of: .dispatchEnded)
        #expect(records.map { $0.time / .milliseconds(1) } == [300, 300, 600, 900])
        // Two scenes do not wait for each other.
        let ends = records.map { "\($0.subject.scene ?? "") \($0.time / .milliseconds(1))" }
        #expect(ends.sorted() == ["A 300.0", "A 600.0", "A 900.0", "B 300.0"])
    }

    @Test("a scene that is held stays where it is, and the others go on")
    func heldIsSettled() async throws {
        let (test, _) = try test()
        let hold = try test.hold(.resolved, scene: "A")
        let held = try test.admit("product/p1")
        let other = try test.admit("product/p1", in: "B")
        #expect(await test.host.advance(by: .seconds(1)) == .seconds(1))
        #expect(held.progress.receipt.outcome == .admitted)
        #expect(other.progress.receipt.outcome == .applied)
        hold.release()
        #expect(await test.host.advance(by: .seconds(1)) == .seconds(2))
        #expect(held.progress.receipt.outcome == .applied)
        #expect(test.records(of: .dispatchEnded, scene: "A").last?.time == .milliseconds(1_300))
    }

    @Test("a sign-in expires at its time, with everything that follows from it")
    func expiry() async throws {
        let (test, _) = try test(transition: .zero)
        try await test.host.session.signIn(user: "anna", expiresAfter: .seconds(5))
        try await test.open("cart")
        #expect(await test.host.advance(by: .milliseconds(4_999)) == .milliseconds(4_999))
        #expect(try test.shown() == "home › cart")
        await test.host.advance(by: .milliseconds(1))
        #expect(try test.shown() == "home")
        #expect(test.host.session.snapshot.user == nil)
        #expect(test.records(of: .sessionCommitted).last?.time == .seconds(5))
        // A sign-in that ended before leaves no deadline behind.
        try await test.host.session.signIn(user: "ben", expiresAfter: .seconds(5))
        await test.host.session.signOut()
        try await test.host.session.signIn(user: "ben")
        await test.host.advance(by: .seconds(60))
        #expect(test.host.session.snapshot.user == "ben")
    }

    @Test("advances that overlap are carried out one after the other")
    func overlapping() async throws {
        let (test, _) = try test()
        for link in ["product/p1", "orders"] { _ = try test.admit(link) }
        let times = await withTaskGroup(of: Duration?.self) { group in
            for _ in 0..<20 { group.addTask { await test.host.advance(by: .milliseconds(50)) } }
            return await group.reduce(into: [Duration?]()) { $0.append($1) }
        }
        #expect(Set(times) == Set((1...20).map { .milliseconds($0 * 50) }))
        #expect(test.records(of: .dispatchEnded).map(\.time) == [.milliseconds(300), .milliseconds(600)])
    }

    @Test("a sleeper that is cancelled is not waited for, even if that happens before it sleeps")
    func cancellation() async throws {
        let clock = VirtualClock(wallTime: 0)
        let asleep = Guarded(0)
        let watcher = SleepWatcher(fallsAsleep: { asleep.withLock { $0 += 1 } }, wakes: {})
        let early = Task {
            withUnsafeCurrentTask { $0?.cancel() }
            try await clock.sleep(until: .seconds(1), watcher: watcher)
        }
        await #expect(throws: CancellationError.self) { try await early.value }
        let late = Task { try await clock.sleep(until: .seconds(1), watcher: watcher) }
        try await until("it sleeps") { asleep.withLock { $0 } == 1 }
        late.cancel()
        await #expect(throws: CancellationError.self) { try await late.value }
        await clock.advance(by: .seconds(2)) {}
        try await clock.sleep(until: .seconds(2))
        #expect(asleep.withLock { $0 } == 1)
    }

    @Test("a host with another clock cannot be advanced")
    func realClock() async throws {
        let test = try TestHost()
        #expect(await test.host.advance(by: .seconds(1)) == nil)
    }
}
