import SceneHistory
import StrictJSON
import Testing

@Suite struct HistoryReaderTests {
    private static let quiet = #"{"host":"h","index":1,"kind":"host.quiet","monotonic":5}"#

    private func lines(_ text: String, longestLine: Int = 1 << 20, chunk: Int = .max) -> [HistoryReader.Line] {
        var reader = HistoryReader(longestLine: longestLine)
        var lines: [HistoryReader.Line] = []
        var bytes = Array(text.utf8)[...]
        while !bytes.isEmpty {
            reader.read(bytes.prefix(chunk)) { lines.append($0) }
            bytes = bytes.dropFirst(chunk)
        }
        reader.finish { lines.append($0) }
        return lines
    }

    private func problem(_ text: String) -> String? {
        guard case .bad(let bad)? = lines(text).first else { return nil }
        return bad.description
    }

    @Test func `a history reads the same in chunks of any size`() {
        let text = HandMade.clean.records.map { JSONValue.object($0).text() }.joined(separator: "\n")
        let whole = lines(text)
        #expect(whole.count == HandMade.clean.records.count)
        #expect(lines(text, chunk: 1) == whole)
        #expect(lines(text + "\n", chunk: 7) == whole)
    }

    @Test func `empty lines and carriage returns are skipped`() {
        #expect(lines("\r\n  \n\(Self.quiet)\r\n\n").count == 1)
        #expect(lines("").isEmpty)
    }

    @Test func `a bad line is reported with its number and reading goes on`() {
        let lines = lines("\(Self.quiet)\n{\"host\"\n\(Self.quiet)\n")
        #expect(lines.count == 3)
        guard case .bad(let bad) = lines[1] else {
            Issue.record("expected a bad line, found \(lines[1])")
            return
        }
        #expect(bad.line == 2)
    }

    @Test func `a line that is too long is bad and takes no more memory than the limit`() {
        let lines = lines("{\"host\":\"\(String(repeating: "x", count: 500))\"}\n\(Self.quiet)", longestLine: 100)
        #expect(lines.first == .bad(HistoryReader.BadLine(line: 1, reason: "is longer than 100 bytes")))
        #expect(lines.count == 2)
    }

    @Test(arguments: [
        ("[]", "line 1: expected object, found array"),
        (#"{"index":1,"kind":"host.quiet","monotonic":5}"#, "line 1: host: expected string, found nothing"),
        (
            #"{"host":"h","index":0,"kind":"host.quiet","monotonic":5}"#,
            "line 1: index: expected integer from 1, found 0"
        ),
        (
            #"{"host":"h","index":"1","kind":"host.quiet","monotonic":5}"#,
            #"line 1: index: expected integer from 1, found "1""#
        ),
        (
            #"{"host":"h","index":1,"kind":"dispatch.began","monotonic":5,"ticket":1,"attempt":1,"event":"e"}"#,
            "line 1: scene: expected string, found nothing"
        ),
        (
            #"{"host":"h","index":1,"kind":"host.started","monotonic":5,"revision":0,"epoch":0,"holds":{"a":1}}"#,
            "line 1: holds.a: expected boolean, found integer"
        ),
        (
            #"{"host":"h","index":1,"kind":"dispatch.ended","monotonic":5,"scene":"s","ticket":1,"attempt":1,"event":"e","outcome":"won"}"#,
            #"line 1: outcome: expected one of "applied", "unchanged", "delivered", "ignored", "rejected", "superseded", "#
                + #""abandoned", "gated", found "won""#
        ),
        (
            #"{"host":"h","index":1,"kind":"dispatch.began","monotonic":5,"scene":"s","ticket":1,"attempt":1,"event":"e","item":"sweep"}"#,
            #"line 1: item: expected one of "dispatch", "resume", found "sweep""#
        ),
    ])
    func `a record without what its kind needs is told by the field`(text: String, expected: String) {
        #expect(problem(text) == expected)
    }

    @Test func `a record whose window's details do not match its stacks is bad`() throws {
        var record = try #require(HandMade.clean.records.first { $0["kind"] == "scene.connected" })
        var window = try #require(record["window"]?.objectValue)
        window["shown"] = []
        record["window"] = .object(window)
        #expect(
            problem(JSONValue.object(record).text())
                == "line 1: window.shown: expected the 2 destinations of the stacks in their order, found 0: "
        )
    }

    @Test func `unknown kinds and fields are not mistakes`() {
        var history = HandMade()
        history.add("scene.snapshotted", scene: "s1", ["shape": "square"])
        history.add("host.quiet", ["mood": "calm"])
        #expect(checked(history.records).conclusion == .holds)
    }
}
