// The script clicked.jsonl, as 'scenectl play --export swift' has written it.
import SceneClientTesting
import Testing

@Suite(.daemon(app: "hotel.yaml", clock: .virtual, start: "2026-11-27T08:00Z", seed: 7))
struct ClickedTests {
    let app = TestApp.current

    @Test("the script clicked.jsonl")
    func clicked() async throws {
        // Step 1: Scenes.Connect
        let a = try await app.window("A")

        // Step 2: Events.OpenURL
        try await app.settle()
        let link = try await a.open("hotel://bill")

        // Step 3: Events.OpenURL
        let refused = await #expect(throws: SceneClientError.self) {
            _ = try await a.open("hotel://nowhere")
        }
        #expect(refusal(refused)["error"] == "UnknownRoute")
        #expect(refusal(refused)["parameters"]?["url"] == "hotel://nowhere")

        // Step 4: Session.SignIn
        try await app.clock.advance(by: .milliseconds(2000))
        try await app.signIn("anna")

        // Step 5: Events.OpenURL
        try await app.settle()
        let link2 = try await a.open("hotel://door")

        // Step 6: Scenes.Get
        try await a.expect("stay › bill › checkIn[arrival]")
        try await a.expect(.foregroundActive)
        let state6 = try #require(await a.state()).reply
        #expect(state6["connected"] == true)

        // Step 7: Session.Get
        try await app.expect(user: "anna")
        try await app.expect(facts: ["checkedIn": .null])

        // At the end
        try await link.expect(.applied)  // step 2
        try await link2.expect(gatedAt: "checkedIn")  // step 5
        let receipt5 = try await link2.receipt().reply  // step 5
        #expect(receipt5["duplicate"] == false)  // step 5
    }
}

/// The daemon's error by its name without the interface, and its parameters.
private func refusal(_ error: SceneClientError?) -> JSONObject {
    guard case .refused(let name, let parameters)? = error else { return [:] }
    return ["error": .string(String(name.split(separator: ".").last ?? "")), "parameters": .object(parameters)]
}
