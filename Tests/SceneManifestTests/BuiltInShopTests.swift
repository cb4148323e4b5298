import Foundation
import SceneManifest
import SceneRouting
import Testing

@Suite("The built-in shop")
struct BuiltInShopTests {
    @Test("is the file in Resources, letter for letter")
    func isTheFile() throws {
        let file = URL(filePath: #filePath).deletingLastPathComponent()
            .appending(path: "../../Sources/SceneManifest/Resources/shop.yaml").standardized
        #expect(try String(contentsOf: file, encoding: .utf8) == AppManifest.builtInShopText)
    }

    @Test("has no problem, not even a warning")
    func hasNoProblem() throws {
        #expect(AppManifest.problems(in: AppManifest.builtInShopText).map(\.description) == [])
        _ = try RoutingEngine(manifest: AppManifest.builtInShop())
    }
}
