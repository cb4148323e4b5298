import SceneHistory
import SceneManifest
import Testing

/// Random walks whose host is ended in the middle of everything, again and again, and goes on from any step that nobody was told of.
@Suite(.timeLimit(.minutes(15))) struct KilledWalkTests {
    @Test(
        arguments: ["shop", "bank", "club", "login-first", "vault", "windows", "offers", "travel", "ward", "intake"],
        1...10
    )
    func `a walk in which the host is ended again and again holds`(_ app: String, _ number: UInt64) async throws {
        let manifest = try app == "shop" ? .builtInShop() : RandomWalkTests.app(app)
        let seed = (RandomWalkTests.seed - 1) * 10 + number
        var walk = try RandomWalk(
            seed: seed,
            manifest: manifest,
            users: 3,
            keeps: RandomWalkTests.folder != nil,
            kills: seed
        )
        try await walk.go(steps: 400, checkingEvery: 100)
        #expect(walk.restarts > 0, "\(app), seed \(seed)")
        #expect(walk.report.violated.isEmpty, "\(app), seed \(seed): \(walk.report.text)")
        if !walk.report.violated.isEmpty { try RandomWalkTests.keepRecords(of: walk, as: "\(app)-\(seed)-kills") }
    }
}
