import Foundation
import Interleaving
import SceneManifest
import SceneRaces
import Testing

/// Races of the apps in `Tests/Apps`: one opens windows and closes them, the destinations of the other have variants.
@Suite("Races of windows that the app asks for, and of variants", .serialized)
struct WindowRaceTests {
    @Test(
        "find nothing wrong with the runtime",
        arguments: [
            "window-against-sign-out", "closed-while-used", "variant-against-sign-out",
        ]
    )
    func pass(name: String) async throws {
        let folder = URL(filePath: #filePath).deletingLastPathComponent().appending(path: "../Apps/Races").standardized
        let scenario = try Scenario.read(
            try String(contentsOf: folder.appending(path: "\(name).yaml"), encoding: .utf8),
            file: "\(name).yaml",
            readFile: { try String(contentsOf: folder.appending(path: $0), encoding: .utf8) }
        )
        let report = try await Race(scenario).search(Race.Options(iterations: 100, seed: 8))
        #expect(report.found == nil, "\(name): \(report.found?.findings ?? [])")
        #expect(report.exploration.hadChoices && report.coverage.classes > 1)
    }
}
