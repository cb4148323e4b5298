import SceneEntryPoints
import SceneNavigation
@testable import SceneRuntime
import StrictJSON
import Testing

/// What an event waits for that has not ended, and which windows rest.
@Suite(.timeLimit(.minutes(15))) struct WaitingTests {
    private func test(windows: [String] = ["A", "B"]) throws -> TestHost {
        let settings = HostSettings(transitionDuration: .milliseconds(300))
        return try TestHost(windows: windows, settings: settings, clock: VirtualClock(wallTime: 0))
    }

    private func key(_ id: String) -> EventKey { EventKey(sender: nil, id: id) }

    @Test func `an event waits for its transition, and one behind it for its turn`() async throws {
        let test = try test()
        for (link, id) in [("product/p1", "first"), ("orders", "second"), ("promo/SUMMER", "third")] {
            try test.admit(link, id: id)
        }
        await test.host.advance(by: .milliseconds(100))
        let rest = SceneRest(scene: "A", handled: key("first"), hold: nil, transitionEnd: .milliseconds(300))
        #expect(test.host.resting == [rest])
        #expect(test.host.wait(of: "first") == EventWait(ahead: 0, behind: nil, rest: rest))
        #expect(test.host.wait(of: "second") == EventWait(ahead: 1, behind: key("first"), rest: rest))
        #expect(test.host.wait(of: "third") == EventWait(ahead: 2, behind: key("first"), rest: rest))
        await test.host.advance(by: .milliseconds(200))
        #expect(test.host.wait(of: "first") == nil)
        await test.host.advance(by: .seconds(10))
        #expect(test.host.wait(of: "third") == nil)
        #expect(test.host.resting == [])
    }

    @Test(arguments: HoldPoint.allCases) func `an event that is held names the hold and the point`(point: HoldPoint)
        async throws
    {
        let test = try test()
        let hold = try test.hold(point, scene: "A", event: "held")
        try test.admit("product/p1", id: "held")
        try test.admit("product/p2", in: "B", id: "other")
        await test.host.advance(by: .seconds(1))
        _ = await hold.caught()
        let rest = try #require(test.host.resting.first)
        #expect(test.host.resting.count == 1, "B is done")
        #expect(rest.scene == "A" && rest.event == "held")
        #expect(rest.hold == SceneRest.Hold(id: hold.id, point: point))
        // It has ended when it is held as settled.
        if point == .settled {
            #expect(test.host.wait(of: "held") == nil)
        } else {
            #expect(test.host.wait(of: "held") == EventWait(ahead: 0, behind: nil, rest: rest))
        }
        hold.release()
        await test.host.advance(by: .seconds(1))
        #expect(test.host.resting == [])
        #expect(test.host.wait(of: "held") == nil)
    }

    @Test func `a parked event waits for its precondition alone, until it resumes`() async throws {
        let test = try test()
        try test.admit("cart", id: "cart")
        await test.host.advance(by: .seconds(1))
        #expect(test.host.receipt(event: "cart")?.outcome == .gated(precondition: "signedIn"))
        #expect(test.host.wait(of: "cart") == EventWait(ahead: 0, behind: nil, rest: nil))
        #expect(test.host.resting == [])
        let hold = try test.hold(.planned, kind: .resume)
        try await test.host.session.signIn(user: "anna")
        await test.host.advance(by: .seconds(1))
        _ = await hold.caught()
        #expect(test.host.wait(of: "cart")?.rest?.hold?.id == hold.id)
        hold.release()
        await test.host.advance(by: .seconds(1))
        #expect(test.host.wait(of: "cart") == nil)
    }

    @Test func `a window that sweeps names no event`() async throws {
        let test = try test()
        try await test.host.session.signIn(user: "anna")
        try test.admit("cart", id: "cart")
        await test.host.advance(by: .seconds(1))
        let hold = try test.hold(.planned, scene: "A", kind: .sweep)
        await test.host.session.signOut()
        _ = await hold.caught()
        try test.admit("product/p1", id: "behind")
        let wait = try #require(test.host.wait(of: "behind"))
        #expect(wait.ahead == 1 && wait.behind == nil)
        #expect(
            wait.rest
                == SceneRest(scene: "A", handled: nil, hold: .init(id: hold.id, point: .planned), transitionEnd: nil)
        )
        hold.release()
    }

    @Test func `what the app itself gets can be held, too`() async throws {
        let test = try test(windows: [])
        let hold = try test.hold(.admitted)
        let push = try EntryEvent.push(payload: ["aps": ["content-available": 1]])
        let event = try test.host.admit(Submission(push)).receipt.event
        let next = try test.host.admit(Submission(push)).receipt.event
        _ = await hold.caught()
        let rest = SceneRest(
            scene: nil,
            handled: key(event),
            hold: .init(id: hold.id, point: .admitted),
            transitionEnd: nil
        )
        #expect(test.host.resting == [rest])
        #expect(test.host.wait(of: next) == EventWait(ahead: 1, behind: key(event), rest: rest))
        hold.release()
        await test.host.quiesce()
        #expect(test.host.resting == [])
    }

    @Test func `an event of somebody else, or none, waits for nothing that is told`() async throws {
        let test = try test()
        try test.admit("product/p1", id: "mine", from: "anna")
        #expect(test.host.wait(of: "mine", sender: "anna") != nil)
        #expect(test.host.wait(of: "mine", sender: "ben") == nil)
        #expect(test.host.wait(of: "none", sender: "anna") == nil)
    }
}
