import SceneManifest
import Testing

/// Random walks whose host is ended in the middle of everything, again and again, and goes on from any step that nobody was told of.
@Suite(.timeLimit(.minutes(15))) struct KilledWalkTests {
    @Test(
        arguments: ["shop", "bank", "club", "login-first", "vault", "windows", "offers", "travel", "ward", "intake"],
        1...2
    )
    func `a walk in which the host is ended again and again holds`(_ app: String, _ seed: UInt64) async throws {
        let manifest = try app == "shop" ? .builtInShop() : RandomWalkTests.app(app)
        var walk = try RandomWalk(seed: seed, manifest: manifest, users: 3, kills: seed)
        try await walk.go(steps: 400, checkingEvery: 100)
        #expect(walk.restarts > 3, "\(app), seed \(seed)")
        #expect(walk.report.violated.isEmpty, "\(app), seed \(seed): \(walk.report.text)")
    }
}
