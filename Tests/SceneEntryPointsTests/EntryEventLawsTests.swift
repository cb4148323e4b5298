import SceneEntryPoints
import Basics
import StrictJSON
import Testing

@Suite("The laws of events")
struct EntryEventLawsTests {
    let chain = AdapterChain(manifest: ShopAdapters.manifest)

    private func bytes(_ kind: EntryKind, _ text: String) throws -> [UInt8] {
        let index = try #require(EntryKind.allCases.firstIndex(of: kind))
        return [UInt8(index)] + Array(text.utf8)
    }

    /// The law that an event breaks. The first byte chooses its kind; the rest is its JSON form.
    private func law(_ bytes: [UInt8]) -> String? {
        let kinds = EntryKind.allCases
        guard let first = bytes.first, case .object(let json)? = try? JSONValue(parsing: Array(bytes.dropFirst()))
        else {
            return nil
        }
        return EntryEventLaws.broken(by: json, as: kinds[Int(first) % kinds.count], adapters: chain)
    }

    @Test("every sample keeps them", arguments: EventSamples.all)
    func samplesKeepThem(kind: EntryKind, text: String) throws {
        #expect(law(try bytes(kind, text)) == nil)
    }

    @Test("five thousand sets of URLs with something exchanged, cut or doubled keep those of sets")
    func damagedSetsKeepTheirs() throws {
        var random = SplitMix(seed: 5)
        let set = Array(
            #"{"urls": ["qcommerce://cart", "qcommerce:/orders"], "sourceApplication": "com.example.mail"}"#.utf8
        )
        let pieces = [#""a:b","#, #""""#, "null", "1", "[]", #""https://a.b","#].map { Array($0.utf8) }
        var sets = 0
        for _ in 0..<5_000 {
            var text = set
            for _ in 0..<random.next() % 3 { damage(&text, &random, pieces) }
            guard case .object(let json)? = try? JSONValue(parsing: text) else { continue }
            let urls = (json["urls"]?.arrayValue ?? []).compactMap(\.stringValue)
            if (try? URLSet(urls, sourceApplication: json["sourceApplication"]?.stringValue)) != nil { sets += 1 }
            let law = EntryEventLaws.broken(byURLsOf: json, adapters: chain)
            #expect(law == nil, "\(String(decoding: text, as: UTF8.self))")
        }
        #expect(sets > 1_500)
    }

    @Test("twenty thousand samples with something exchanged, cut or doubled keep them, too", arguments: 0..<4)
    func damagedSamplesKeepThem(seed: UInt64) throws {
        var random = SplitMix(seed: seed)
        let samples = try EventSamples.all.map { try bytes($0.0, $0.1) }
        // Likely to break formats: other types, limits of numbers, names with a meaning elsewhere.
        let pieces = [
            "1", "-0", "1e15", "1.0", "true", "null", "[]", "{}", "\"\"", "\"a\"", "\"$date\"", "{\"$set\":[1.0]}",
            "\"aps\"",
            "9007199254740993", "\"\\u0000\"", "\"userInfo\"", ",", ":",
        ].map { Array($0.utf8) }
        var broken: [String] = []
        for _ in 0..<5_000 {
            var text = samples[Int(random.next() % UInt64(samples.count))]
            for _ in 0...random.next() % 3 { damage(&text, &random, pieces) }
            if let law = law(text) {
                broken.append("\(law): \(String(decoding: text, as: UTF8.self))")
            }
        }
        #expect(broken.prefix(3) == [])
    }

    private func damage(_ text: inout [UInt8], _ random: inout SplitMix, _ pieces: [[UInt8]]) {
        func place(_ count: Int) -> Int { count == 0 ? 0 : Int(random.next() % UInt64(count)) }
        let start = place(text.count)
        switch random.next() % 5 {
        case 0: text[start] = UInt8(truncatingIfNeeded: random.next())
        case 1: text.removeSubrange(start..<min(text.count, start + 1 + place(8)))
        case 2: text.insert(contentsOf: text[start..<min(text.count, start + 1 + place(16))], at: start)
        default:
            // One whole value replaced by another still parses.
            let ends = text.indices.filter {
                [UInt8(ascii: ","), UInt8(ascii: "}"), UInt8(ascii: "]")].contains(text[$0])
            }
            let starts = text.indices.filter { [UInt8(ascii: ":"), UInt8(ascii: "[")].contains(text[$0]) }
            guard !starts.isEmpty else { return }
            let from = starts[place(starts.count)] + 1
            guard let to = ends.first(where: { $0 >= from }) else { return }
            text.replaceSubrange(from..<to, with: pieces[place(pieces.count)])
        }
        if text.isEmpty { text = [0] }
    }
}
