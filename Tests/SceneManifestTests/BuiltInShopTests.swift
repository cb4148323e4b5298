import SceneManifest
import SceneRouting
import Testing

@Suite("The built-in shop")
struct BuiltInShopTests {
    @Test("has no problem, not even a warning")
    func hasNoProblem() throws {
        #expect(AppManifest.problems(in: AppManifest.builtInShopText).map(\.description) == [])
        _ = try RoutingEngine(manifest: AppManifest.builtInShop())
    }
}
