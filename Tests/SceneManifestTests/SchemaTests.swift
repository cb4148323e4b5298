import Foundation
import SceneManifest
import SceneRouting
import StrictJSON
import TestFixtures
import Testing

/// `protocol/manifest.schema.json` is for editors. These tests keep it in line with the loader, which decides.
@Suite("The manifest's JSON Schema")
struct SchemaTests {
    let schema: JSONSchema

    init() throws {
        let file = URL(filePath: #filePath).deletingLastPathComponent()
            .appending(path: "../../protocol/manifest.schema.json").standardized
        schema = JSONSchema(try JSONValue(parsing: String(contentsOf: file, encoding: .utf8)))
    }

    @Test("accepts the built-in shop")
    func takesTheShop() throws {
        let shop = try JSONValue(parsing: AppManifest.json(of: AppManifest.builtInShopText))
        #expect(try schema.failures(shop) == [])
    }

    static let wrong: [(String, String)] = [
        (#"{"name": "a", "tab": {}}"#, ".tab"),
        (#"{"tabs": {}}"#, ".name"),
        (#"{"name": "a", "facts": {"x": {"type": "list"}}}"#, ".facts.x.type"),
        (#"{"name": "a", "destinations": {"x": {"route": []}}}"#, ".destinations.x"),
        (#"{"name": "a", "policies": {"maximumScenes": 0}}"#, ".policies.maximumScenes"),
    ]

    @Test("refuses the same mistakes as the loader", arguments: wrong)
    func refuses(text: String, place: String) throws {
        #expect(try schema.failures(JSONValue(parsing: text)).contains(place))
        #expect(AppManifest.problems(in: text).contains { $0.severity == .error })
    }
}
