import Foundation
import SceneRaces
import Testing

/// Compares the table with the files in Tests/Mutants, which `make mutants` weaves and judges.
@Suite("The table of mistakes in the documentation")
struct MutantTableTests {
    private static let tests = URL(filePath: #filePath).deletingLastPathComponent().deletingLastPathComponent()
    private static let folder = tests.appending(path: "Mutants/Mutants")

    @Test("has a row for each mutant, with its rule, its sentence, its scenario and how it may show")
    func allAreDocumented() throws {
        let page = Self.tests.appending(path: "../Sources/SceneRaces/SceneRaces.docc/SceneRaces.md").standardized
        let rows = try String(contentsOf: page, encoding: .utf8).split(separator: "\n").filter {
            // The page has narrower tables, too.
            $0.hasPrefix("| `") && $0.split(separator: "|").count > 4
        }
        let files = try FileManager.default.contentsOfDirectory(atPath: Self.folder.path).filter {
            $0.hasSuffix(".mutant")
        }
        #expect(rows.count == files.count)
        for file in files {
            let lines = try String(contentsOf: Self.folder.appending(path: file), encoding: .utf8).split(
                separator: "\n"
            )
            func field(_ name: String) -> String {
                lines.first { $0.hasPrefix("\(name): ") }.map { String($0.dropFirst(name.count + 2)) } ?? ""
            }
            let name = file.dropLast(".mutant".count)
            let row = try #require(
                rows.first { $0.hasPrefix("| `\(name)` |") },
                "\(name) has no row: make mutants ARGS=page"
            )
            let stops = field("granularity").isEmpty ? "" : " with stops at \(field("granularity"))"
            // Either a scenario finds it, or a history of kills.
            let history = field("kills")
            let place = history.isEmpty ? "`\(field("scenario"))`\(stops)" : "`make kills`, `\(history)`"
            let cells = row.split(separator: "|").map { $0.trimmingCharacters(in: .whitespaces) }
            #expect(
                cells[1].replacing(" of <doc:/SceneRuntime/TheSession>", with: "") == field("rule")
                    && cells[2] == lines[0] && cells[3] == place,
                "\(row)"
            )
            #expect(
                field("shows").split(separator: ",").map { $0.trimmingCharacters(in: .whitespaces) }.contains(cells[4])
            )
            #expect(!history.isEmpty || ShippedScenarios.names.contains(field("scenario")), "\(name): no such scenario")
        }
    }
}
