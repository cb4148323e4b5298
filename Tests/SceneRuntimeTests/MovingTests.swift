import Basics
import SceneNavigation
@testable import SceneRuntime
import TestFixtures
import Testing

@Suite("Whatever is seen to move in a window", .timeLimit(.minutes(15)))
struct MovingTests {
    /// Each of these shows something else than the one before.
    private static let acts: [(what: String, admit: @Sendable (TestHost) throws -> SceneHost.Admission)] = [
        ("a link", { try $0.admit("product/p1") }),
        ("a tap that leads to a gate", { try $0.admit(.intent(Intent(name: "cartTapped"))) }),
        ("a move within a flow", { try $0.admit(.intent(Intent(name: "signUpRequested"))) }),
        ("a way back within a flow", { try $0.admit(.gesture(.back)) }),
        ("the end of a flow", { try $0.admit(.finishFlow("auth", .cancelled)) }),
        ("a link that has to wait", { try $0.admit("cart") }),
        ("a sheet pulled down", { try $0.admit(.gesture(.swipeDown())) }),
        ("a way back", { try $0.admit(.gesture(.swipeBack())) }),
    ]

    @Test("takes the time of a transition, and no event ends before it is over")
    func takesTime() async throws {
        let clock = ManualClock()
        let shop = try TestHost(
            windows: ["A"],
            settings: HostSettings(transitionDuration: .seconds(1)),
            clock: clock
        )
        for (what, admit) in Self.acts {
            let before = try shop.window()
            let admission = try admit(shop)
            try await until("\(what) sleeps") { clock.sleeping == 1 }
            #expect(try shop.host.scene("A").isTransitioning && shop.window() != before, "\(what)")
            #expect(shop.host.receipt(event: admission.receipt.event)?.outcome == .admitted, "\(what)")
            await clock.advance(by: .seconds(1))
            _ = await shop.host.receipt(of: admission)
            await shop.host.quiesce()
            #expect(try !shop.host.scene("A").isTransitioning, "\(what)")
        }
        #expect(try shop.shown() == "home")
    }

    @Test("brings the scene to the front")
    func activates() async throws {
        let shop = try TestHost(windows: ["A"])
        for (what, admit) in Self.acts {
            for activation in [Activation.foregroundInactive, .background] {
                try await shop.host.setActivation(activation, of: "A")
            }
            _ = await shop.host.receipt(of: try admit(shop))
            #expect(try shop.host.scene("A").activation == .foregroundActive, "\(what)")
        }
    }
}
