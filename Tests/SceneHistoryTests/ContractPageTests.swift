import Foundation
import SceneHistory
import StrictJSON
import Testing

/// The lists in the contract match the code: the pages of `SceneRuntime` on records, outcomes and invariants.
@Suite("The pages of the contract")
struct ContractPageTests {
    private static let root = URL(filePath: #filePath).deletingLastPathComponent().deletingLastPathComponent()
        .deletingLastPathComponent()

    private static func page(_ name: String) -> URL {
        root.appending(path: "Sources/SceneRuntime/SceneRuntime.docc/\(name).md")
    }

    private static func schema() throws -> JSONValue {
        try JSONValue(parsing: Array(Data(contentsOf: root.appending(path: "protocol/record.schema.json"))))
    }

    private static func text(_ name: String) throws -> String {
        try String(contentsOf: page(name), encoding: .utf8)
    }

    @Test("describe every kind of record, and every field of it, as the schema does")
    func records() throws {
        let page = try Self.text("Records")
        let beginning = try #require(page.range(of: RecordPage.beginning)).lowerBound
        let written = page[beginning...].split(separator: "\n", omittingEmptySubsequences: false)
        let expected = RecordPage(schema: try Self.schema()).text
            .split(separator: "\n", omittingEmptySubsequences: false)
        #expect(expected.count > 100)
        // Only the first difference, because all lines after it may differ.
        if let (line, other) = zip(written, expected).first(where: !=) { #expect(line == other) }
        #expect(written.count == expected.count)
    }

    @Test("list the outcomes that records have")
    func outcomes() throws {
        let lines = try Self.text("Outcomes").split(separator: "\n")
        let overview = lines.drop { $0 != "## Overview" }.dropFirst().prefix { !$0.hasPrefix("## ") }
        let listed = overview.filter { $0.hasPrefix("| `") }.compactMap { $0.split(separator: "`").dropFirst().first }
        let known = try Self.schema()["$defs"]?["dispatch.ended"]?["properties"]?["outcome"]?["enum"]?.arrayValue
        #expect(listed.map(String.init) == known?.compactMap(\.stringValue))
    }

    @Test("list the invariants in order, each with its number and promise")
    func invariants() throws {
        let lines = try Self.text("Invariants").split(separator: "\n")
        let headings = lines.filter { $0.hasPrefix("### ") }
        #expect(headings == Invariant.allCases.map { "### Invariant \($0.rawValue)" })
        #expect(Invariant.allCases.map(\.rawValue) == Array(1...Invariant.allCases.count))
        for (heading, invariant) in zip(headings, Invariant.allCases) {
            let section = lines.drop { $0 != heading }.dropFirst()
            #expect(section.first == "`\(invariant.name)`: \(invariant.promise).")
        }
    }

    /// Not a test: writes the tables of records.
    @Test(
        "is written on request",
        .enabled(if: ProcessInfo.processInfo.environment["TEST_RECORD_TABLES"] != nil, "TEST_RECORD_TABLES is not set")
    )
    func write() throws {
        let page = try Self.text("Records")
        let introduction = page.range(of: RecordPage.beginning).map { page[..<$0.lowerBound] } ?? page[...]
        let text = introduction + RecordPage(schema: try Self.schema()).text
        try String(text).write(to: Self.page("Records"), atomically: true, encoding: .utf8)
    }
}
