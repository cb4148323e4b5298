import SceneManifest
import SceneNavigation
import SceneRouting
import SceneRuntime
import SceneTesting
import ShopInSwift
import Testing

@Suite("Types in Swift and the manifest of a test")
struct RoutesTests {
    @Test(
        "have to fit each other, whichever of them lacks something",
        arguments: [
            (
                "\nfacts:\n", "\nfacts:\n  wishes: { type: strings, default: [] }\n",
                "facts: the fact 'wishes' is declared, and the types 'Shop' in ShopInSwift/ShopRoutes.swift lack it"
            ),
            (
                "accountTapped", "accountTouched",
                "intents: the types 'Shop' in ShopInSwift/ShopRoutes.swift have the intent 'accountTapped', which is not declared"
            ),
        ]
    )
    func fit(old: String, new: String, message: String) async throws {
        let manifest = try AppManifest.read(ExampleApp.shop.text.replacing(old, with: new)).manifest
        let error = await #expect(throws: ManifestProblems.self) {
            try await withApp(manifest, code: ShopInSwift.code) { _ in }
        }
        #expect(error?.description.contains(message) == true, "\(String(describing: error))")
        try await withApp(.builtInShop(), code: ShopInSwift.code) { _ in }
    }
}
