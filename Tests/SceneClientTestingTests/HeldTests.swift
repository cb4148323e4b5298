// The script held.jsonl, as 'scenectl play --export swift' has written it.
import SceneClientTesting
import Testing

@Suite(.daemon(app: "hotel.yaml", clock: .virtual, start: "2026-11-27T08:00Z", seed: 7))
struct HeldTests {
    let app = TestApp.current

    @Test("the script held.jsonl")
    func held() async throws {
        // Step 1: Scenes.Connect
        let a = try await app.window("A")

        // Step 2: Scenes.Connect
        let b = try await app.window("B")

        // Step 3: Session.SignIn
        try await app.settle()
        try await app.signIn("anna")

        // Step 4: Control.Hold
        try await app.settle()
        try await a.at(.planned) { planned in
            // Step 5: Control.Hold
            try await app.at(.settled, kind: .dispatch) { anywhere in
                // Step 6: Events.OpenURL
                let link = try await a.open("hotel://bill", wait: .admitted)

                // Step 7: Control.Await
                let caught7 = try await planned.wait()
                #expect(caught7.scene == "A")
                #expect(caught7.ticket == 1)

                // Step 8: Events.OpenURL
                try await app.clock.advance(by: max(.zero, .milliseconds(500) - app.clock.now))
                let link2 = try await b.open("hotel://room/101", wait: .admitted)

                // Step 9: Control.Await
                try await anywhere.wait()

                // Step 10: Session.SignOut
                try await app.clock.advance(by: max(.zero, .milliseconds(1500) - app.clock.now))
                try await app.signOut()

                // Step 11: Control.Release
                try await planned.release()

                // Step 12: Control.Await
                // left out: what anywhere has caught besides, which the library does not tell

                // Step 13: Control.Release
                try await app.clock.advance(by: max(.zero, .milliseconds(1600) - app.clock.now))
                try await anywhere.release()

                // Step 14: Scenes.Get
                try await app.settle()
                try await a.expect("*rooms: rooms › sheet auth[login] | stay: stay")

                // Step 15: Session.Get
                try await app.expect(user: nil)

                // At the end
                try await link.expect(.gated)  // step 6
                try await link2.expect(.applied)  // step 8
            }
        }
    }
}
