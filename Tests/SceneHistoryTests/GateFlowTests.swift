import SceneHistory
import SceneManifest
import SceneRouting
import SceneRuntime
import Testing

/// A flow that is to satisfy a precondition, and whose first screen may not be shown itself (<doc:/SceneRuntime/TheSession>).
@Suite struct GateFlowTests {
    /// The club, where whoever wants to see the guests has to show a card, which only members have.
    private static func club() throws -> Club {
        try Club { manifest in
            for index in manifest.preconditions.indices where manifest.preconditions[index].name == "sponsored" {
                manifest.preconditions[index].flow = "card"
            }
        }
    }

    @Test func `the event is rejected with what that screen needs`() async throws {
        let club = try Self.club()
        try await club.signIn()
        let before = try club.window
        #expect(try await club.open("guests").outcome == .rejected(reason: "member"))
        #expect(try club.window == before)
        #expect(try club.host.scene("A").parked.isEmpty)
        try await club.host.session.commit(set: ["member": .boolean(true)])
        #expect(try await club.open("guests").outcome == .gated(precondition: "sponsored"))
        #expect(try club.shown == "*courts: courts › sheet card[card] | news: news")
        await club.end()
    }

    @Test func `one that begins with what needs the precondition itself is a mistake in the manifest`() {
        let problems = AppManifest.problems(
            in: """
                name: Circle
                tabs: { home: home }
                facts: { pin: { type: string } }
                preconditions: { pin: { holds: { present: pin }, flow: choosePin } }
                destinations:
                  home: { tab: home }
                  choose: { ancestry: [home], preconditions: [pin], flow: choosePin }
                flows: { choosePin: { screens: [choose, repeat] } }
                """
        )
        #expect(
            problems.filter { $0.severity == .error }.map(\.description) == [
                "4:50: error: preconditions.pin.flow: the flow 'choosePin' begins with 'choose', which needs 'pin' itself; "
                    + "expected a flow whose first screen can be shown while 'pin' does not hold"
            ]
        )
    }
}
