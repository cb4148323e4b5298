import Foundation
import Testing

@Suite("Versions of formats")
struct FormatTests {
    /// What the page on formats says of a file, and where the code says it.
    private static let formats: [(row: String, cell: String, source: String, line: String)] = [
        ("manifest", "format: ", "Sources/SceneManifest/ManifestDecoder.swift", "static let newestFormat = "),
        ("record", "format: ", "Sources/SceneRuntime/Records/Record.swift", "static let format = "),
        (
            "sum of soaks (`sum.json`)", "version: ", "Sources/SceneSoak/Merging/SoakSum+Text.swift",
            "static let version = "
        ),
        ("soak", "version: ", "Sources/SceneSoak/Files/SoakFile.swift", "static let version = "),
        (
            "saved race or test (`race.json`)", "version: ", "Sources/Interleaving/Files/ReplayFile.swift",
            "static let version = "
        ),
        ("shard of a race", "version: ", "Sources/SceneRaces/Shards/RaceShard+JSON.swift", "static let version = "),
        ("shard of a long target of the Makefile", "version: ", ".ci/shards", "VERSION = "),
    ]

    @Test("the page says of each format the version that the code has")
    func page() throws {
        let root = ArrowTests.sources.deletingLastPathComponent()
        func text(_ path: String) throws -> String {
            try String(contentsOf: root.appending(path: path), encoding: .utf8)
        }
        let rows = try text("Sources/scened/scened.docc/Formats.md").split(separator: "\n")
        for (row, cell, source, line) in Self.formats {
            let number = try #require(
                try text(source).split(separator: "\n").compactMap { code in
                    code.range(of: line).map { code[$0.upperBound...].prefix(while: \.isNumber) }
                }.first,
                "\(source) has no line '\(line)'"
            )
            let said = try #require(rows.first { $0.hasPrefix("| \(row) |") }, "no row '\(row)'")
            #expect(said.contains("`\(cell)\(number)`"), "\(said)")
        }
    }

    @Test("every schema and interface of the protocol is on the page")
    func all() throws {
        let root = ArrowTests.sources.deletingLastPathComponent()
        let page = try String(
            contentsOf: root.appending(path: "Sources/scened/scened.docc/Formats.md"),
            encoding: .utf8
        )
        let files = try FileManager.default.contentsOfDirectory(atPath: root.appending(path: "protocol").path)
        let schemas = files.filter { $0.hasSuffix(".schema.json") }
        #expect(schemas.count >= 5)
        for schema in schemas { #expect(page.contains("`protocol/\(schema)`"), "\(schema)") }
    }
}
