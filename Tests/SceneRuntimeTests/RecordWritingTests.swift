import SceneManifest
import SceneNavigation
import SceneRouting
@testable import SceneRuntime
import SeededRandom
import StrictJSON
import Testing

/// What every follower is sent is written by hand; here it is held against the tree that others read.
@Suite struct RecordWritingTests {
    @Test(arguments: Record.Kind.allCases)
    func `a record is written as a tree of the same values is`(_ kind: Record.Kind) throws {
        let engine = try RoutingEngine(manifest: .builtInShop())
        for seed in 1...200 as ClosedRange<UInt64> {
            var maker = RecordMaker(random: SplitMix(seed: seed), traits: engine.traits)
            let record = maker.record(kind)
            var json = JSONText()
            record.write(to: &json)
            #expect(record.body.kind == kind)
            #expect(String(decoding: json.bytes, as: UTF8.self) == JSONValue.object(record.json).text(), "seed \(seed)")
        }
    }
}
