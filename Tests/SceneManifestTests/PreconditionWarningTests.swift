import SceneManifest
import SceneRouting
import Testing

/// What can be used in a gate, but probably is not meant (<doc:/SceneRuntime/TheSession>).
@Suite struct PreconditionWarningTests {
    private static func warnings(
        pass: String = "",
        desk: String = "{ trip: { type: string, default: any } }",
        more: String = ""
    )
        -> [String]
    {
        AppManifest.problems(
            in: """
                name: Trips
                schemes: [trips]
                facts: { checkedIn: { type: strings } }
                tabs: { home: home }
                preconditions:
                  checkedIn: { holds: { fact: checkedIn, contains: { parameter: trip } }, flow: checkIn }
                \(more)
                destinations:
                  home: { tab: home }
                  pass:
                    ancestry: [home]
                    parameters: { trip: { type: string\(pass) } }
                    preconditions: [checkedIn]
                    routes: ["trips://pass?trip={trip?}"]
                flows:
                  checkIn:
                    screens:
                      - id: desk
                        parameters: \(desk)
                """
        ).map(\.description)
    }

    @Test func `what is right is not warned of`() {
        #expect(Self.warnings(pass: ", default: t1").isEmpty)
    }

    @Test func `a parameter that may be absent`() {
        #expect(
            Self.warnings(pass: ", optional: true") == [
                "12:19: warning: destinations.pass.parameters.trip: 'checkedIn' looks at 'trip', which may be absent; then nothing is "
                    + "equal to it, and no list contains it; expected a required parameter or a default"
            ]
        )
    }

    @Test func `a first screen's parameter that nothing gives`() {
        #expect(
            Self.warnings(pass: ", default: t1", desk: "{ tripp: { type: string, default: any } }") == [
                "19:23: warning: flows.checkIn.screens[0].parameters.tripp: nothing that waits for 'checkIn' has 'tripp', so it always "
                    + "has its default; expected one of trip"
            ]
        )
    }

    @Test func `a precondition that nothing needs`() {
        #expect(
            Self.warnings(
                pass: ", default: t1",
                more: "  rich: { holds: { fact: checkedIn, contains: { parameter: zzz } }, flow: checkIn }"
            )
                == [
                    "7:3: warning: preconditions.rich: no destination needs 'rich'; expected 'preconditions: [rich]' in a destination"
                ]
        )
    }
}
