import SceneHistory
import StrictJSON
import TestFixtures
import Testing

@Suite("Extreme integers in a history")
struct ExtremeIntegerTests {
    @Test("are judged or refused in every field of every kind of record, and end nothing")
    func everyField() async throws {
        var host = try RandomHost(seed: 7)
        host.actions = 5
        // Each change means judging all of a history, so a long one gets few.
        let histories = [
            (HandMade.clean.records, [.max, 1 << 62, 0, .min]), (try await host.run(), [Int.max]),
        ]
        for (records, integers) in histories {
            var seen: Set<String> = []
            for (place, record) in records.enumerated() {
                let kind = record["kind"]?.stringValue ?? ""
                for (path, value) in JSONValue.object(record).with(integers)
                where seen.insert(kind + path).inserted {
                    guard let changed = value.objectValue else { continue }
                    // What follows is judged with the number in mind, and meets it again.
                    var others = records
                    others[place] = changed
                    #expect(!checked(others).text.isEmpty, "\(kind)\(path)")
                    #expect(!checked(others[place...] + [changed]).text.isEmpty, "\(kind)\(path)")
                }
            }
            #expect(seen.count > 25 * integers.count)
        }
    }

    @Test("are refused with the range that is right")
    func message() throws {
        let report = checked([["host": "h", "index": .integer(.max), "kind": "host.quiet", "monotonic": 0]])
        #expect(report.badLines.first?.reason.contains("index: expected integer from 1 to 4611686018427387904") == true)
    }
}
