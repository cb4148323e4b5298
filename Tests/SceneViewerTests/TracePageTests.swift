import StrictJSON
import Testing

@testable import SceneViewer

@Suite("The page that shows runs")
struct TracePageTests {
    /// Texts that would end a script, an attribute or a comment, or import something.
    static let hostile = [
        "</script><script>alert(1)</script>", "<!--<script>", "]]>", "\"><img src=x onerror=alert(1)>", "' onload='x",
        "&lt;",
        "\u{2028}\u{202E}\u{0}", "<\u{301}/script>",
    ]

    @Test("nothing of a record or a name is markup", arguments: hostile)
    func markup(text: String) throws {
        let record = JSONValue.object(["kind": "host.started", "host": .string(text), "app": .string(text)]).text()
        let harmless = TracePage(title: "x").text([(TracePage.Run(label: "x"), [#"{"kind":"host.started"}"#])])
        let page = TracePage(title: text).text([(TracePage.Run(label: text), [record])])
        func tags(_ page: String) -> [Substring] {
            page.unicodeScalars.split(separator: "<", omittingEmptySubsequences: false).map { Substring($0.prefix(6)) }
        }
        #expect(tags(page).count == tags(harmless).count)
        // What a reader of JSON makes of it is the same.
        let embedded = String(decoding: TracePage.embedded(record.utf8), as: UTF8.self)
        #expect(try JSONValue(parsing: embedded) == JSONValue(parsing: record))
        #expect(!embedded.utf8.contains(UInt8(ascii: "<")))
    }

    @Test("it comes out alike each time, and fetches nothing")
    func same() throws {
        let runs = [(TracePage.Run(label: "a", isGood: true), ["{}"])]
        let page = TracePage(title: "x").text(runs)
        #expect(page == TracePage(title: "x").text(runs))
        #expect(page.contains("default-src 'none'"))
        #expect(!page.contains("http://") && !page.contains("https://"))
    }
}
