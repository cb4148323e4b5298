import Foundation
import SceneManifest
import SceneRouting
import StrictJSON
import Testing

/// `protocol/manifest.schema.json` is for editors; the loader is the judge. Here the two are kept together.
@Suite("The manifest's JSON Schema")
struct SchemaTests {
    let schema: JSONValue

    init() throws {
        let file = URL(filePath: #filePath).deletingLastPathComponent()
            .appending(path: "../../protocol/manifest.schema.json").standardized
        schema = try JSONValue(parsing: String(contentsOf: file, encoding: .utf8))
    }

    @Test("takes the built-in shop")
    func takesTheShop() throws {
        let shop = try JSONValue(parsing: AppManifest.json(of: AppManifest.builtInShopText))
        #expect(try failures(shop, schema, at: "") == [])
    }

    static let wrong: [(String, String)] = [
        (#"{"name": "a", "tab": {}}"#, ".tab"),
        (#"{"tabs": {}}"#, ".name"),
        (#"{"name": "a", "facts": {"x": {"type": "list"}}}"#, ".facts.x.type"),
        (#"{"name": "a", "destinations": {"x": {"route": []}}}"#, ".destinations.x"),
        (#"{"name": "a", "policies": {"maximumScenes": 0}}"#, ".policies.maximumScenes"),
    ]

    @Test("refuses what the loader refuses", arguments: wrong)
    func refuses(text: String, place: String) throws {
        #expect(try failures(JSONValue(parsing: text), schema, at: "").contains(place))
        #expect(AppManifest.problems(in: text).contains { $0.severity == .error })
    }

    /// As much of JSON Schema as the file uses; where it fails, the places.
    private func failures(_ value: JSONValue, _ schema: JSONValue, at place: String) throws -> [String] {
        var schema = schema
        if let reference = schema["$ref"]?.stringValue {
            let name = try #require(reference.split(separator: "/").last.map(String.init))
            schema = try #require(self.schema["$defs"]?[name], "\(reference) does not exist")
        }
        if let choices = schema["anyOf"]?.arrayValue {
            let results = try choices.map { try failures(value, $0, at: place) }
            if !results.contains([]) { return [place] }
        }
        if let choices = schema["oneOf"]?.arrayValue {
            let matching = try choices.filter { try failures(value, $0, at: place).isEmpty }
            if matching.count != 1 { return [place] }
        }
        if let constants = schema["enum"]?.arrayValue, !constants.contains(value) { return [place] }
        if let type = schema["type"] {
            let types = (type.arrayValue ?? [type]).compactMap(\.stringValue)
            let name = value.typeName
            guard types.contains(name) || name == "integer" && types.contains("number") else { return [place] }
        }
        if let least = schema["minimum"]?.doubleValue, let number = value.doubleValue, number < least { return [place] }
        if let pattern = schema["pattern"]?.stringValue, let text = value.stringValue {
            let expression = try Regex(pattern)
            guard try expression.firstMatch(in: text) != nil else { return [place] }
        }
        var found: [String] = []
        for (index, element) in (value.arrayValue ?? []).enumerated() {
            guard let items = schema["items"] else { break }
            found += try failures(element, items, at: "\(place)[\(index)]")
        }
        for required in schema["required"]?.arrayValue ?? [] {
            let name = try #require(required.stringValue)
            if value.objectValue != nil, value[name] == nil { found.append("\(place).\(name)") }
        }
        for (key, member) in value.objectValue ?? [:] {
            if let names = schema["propertyNames"] { found += try failures(.string(key), names, at: "\(place).\(key)") }
            if let property = schema["properties"]?[key] {
                found += try failures(member, property, at: "\(place).\(key)")
            } else if let additional = schema["additionalProperties"] {
                if additional == .bool(false) {
                    found.append("\(place).\(key)")
                } else if additional != .bool(true) {
                    found += try failures(member, additional, at: "\(place).\(key)")
                }
            }
        }
        return found
    }
}
