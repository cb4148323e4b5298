import SceneClientTesting
import Testing

/// How a team tests its app: a link that must not be shown any more, a guest who signs in, two windows, time.
@Suite("The hotel", .daemon(app: "hotel.yaml"))
struct HotelTests {
    let app = TestApp.current

    @Test("a sign-out overtakes a link")
    func signOutOvertakesLink() async throws {
        try await app.signIn("anna")
        let window = try await app.window("A")
        let link = try await window.at(.planned) {
            let link = try await window.open("hotel://bill")  // planned, and not yet shown …
            try await app.signOut()  // … and now it must not be shown
            return link
        }
        try await window.expect("rooms › auth[login]")
        try await link.expect(gatedAt: "signedIn")
    }

    @Test("a link waits for the sign-in, wherever that happens")
    func signInElsewhere() async throws {
        let (a, b) = (try await app.window("A"), try await app.window("B"))
        let link = try await a.open("hotel://bill")
        try await a.expect("rooms › auth[login]")
        try await b.open("hotel://bill")
        try await b.report("loginCompleted", ["user": "anna"])
        try await a.expect("stay › bill")
        try await b.expect("rooms: rooms | *stay: stay › bill")
        try await link.expect(.applied)
        try await app.expect(user: "anna")
    }

    @Test("the door opens for who has checked in", arguments: ["anna", "theo"])
    func door(guest: String) async throws {
        let window = try await app.window()
        try await app.signIn(guest)
        let link = try await window.open("hotel://door")
        try await link.expect(gatedAt: "checkedIn")
        try await window.expect(parkedAt: "checkedIn")
        try await window.report("arrived")
        try await window.expect("stay › door")
        try await app.expect(facts: ["checkedIn": true])
    }

    @Test("a sign-in that expires takes the bill from every window")
    func expires() async throws {
        try await app.signIn("anna", expiresIn: .seconds(3600))
        let (a, b) = (try await app.window("A"), try await app.window("B"))
        for window in [a, b] { try await window.open("hotel://bill") }
        try await app.clock.advance(by: .seconds(3600))
        for window in [a, b] { try await window.expect(notShown: "bill") }
        try await app.expect(user: nil)
    }

    @Test("a window that the system took away comes back for a link")
    func comesBack() async throws {
        let window = try await app.window()
        try await window.open("hotel://room/7")
        try await window.disconnect()
        try await window.expect("disconnected")
        try await window.open("hotel://room/8")
        try await window.expect("rooms › room(id: 8)")
    }

    @Test("what a campaign's push opens, an adapter says")
    func campaign() async throws {
        try await app.adapter("campaign", kinds: ["push"], priority: 20) { asked in
            guard let room = asked.payload["room"]?.stringValue else { return .declined("no campaign") }
            return .destination(Destination(id: "room", parameters: ["id": room]))
        }
        let window = try await app.window()
        try await window.push(["aps": ["alert": "Cheap tonight"], "room": "12"])
        try await window.expect("rooms › room(id: 12)")
    }
}
