import Foundation
import StrictJSON
import TestFixtures
import Testing

/// The examples in the schemas of `protocol/`, which the documentation shows.
@Suite struct SchemaExampleTests {
    @Test(arguments: ["record", "script"])
    func `the examples in a schema fit it, and what is changed in them does not`(name: String) throws {
        let root = URL(filePath: #filePath).deletingLastPathComponent().deletingLastPathComponent()
            .deletingLastPathComponent()
        let data = try Data(contentsOf: root.appending(path: "protocol/\(name).schema.json"))
        let schema = try JSONValue(parsing: Array(data))
        let examples = try #require(schema["examples"]?.arrayValue)
        #expect(!examples.isEmpty)
        for example in examples {
            #expect(try JSONSchema(schema).failures(example) == [])
            #expect(try JSONSchema(schema).failures(.array([example])) != [])
        }
    }
}
