import Foundation
import SceneManifest
import SceneNavigation
import SceneRouting
@testable import SceneRuntime
import Basics
import StrictJSON
import Testing

/// Records are written by hand for speed; these tests compare them with the schema and with a general writer.
@Suite struct RecordWritingTests {
    @Test(arguments: RecordKind.allCases)
    func `a record is written as its schema says, and as its tree is`(_ kind: RecordKind) throws {
        let root = URL(filePath: #filePath).deletingLastPathComponent().deletingLastPathComponent()
            .deletingLastPathComponent()
        let data = try Data(contentsOf: root.appending(path: "protocol/record.schema.json"))
        let schema = try JSONValue(parsing: Array(data))
        let subject = Set(schema["properties"]?.objectValue?.keys ?? [])
        let body = try #require(schema["$defs"]?[kind.rawValue])
        let fields = Set(body["properties"]?.objectValue?.keys ?? [])
        let needed = Set((body["required"]?.arrayValue ?? []).compactMap(\.stringValue)).subtracting(subject)
        let engine = try RoutingEngine(manifest: .builtInShop())
        for seed in 1...200 as ClosedRange<UInt64> {
            var maker = RecordMaker(random: SplitMix(seed: seed), traits: engine.traits)
            let record = maker.record(kind)
            var json = JSONText()
            record.write(to: &json)
            #expect(record.body.kind == kind)
            let tree = JSONValue.object(record.json)
            #expect(String(decoding: json.bytes, as: UTF8.self) == tree.text(), "seed \(seed)")
            let written = Set(record.json.keys)
            #expect(written.isSubset(of: subject.union(fields)) && needed.isSubset(of: written), "seed \(seed)")
        }
    }
}
