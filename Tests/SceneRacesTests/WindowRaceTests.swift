import Foundation
import Interleaving
import SceneManifest
import SceneRaces
import Testing

/// Races of the apps in `Tests/Apps`: of windows that an app opens and closes, of windows that lock, of flows that outlast what waits
/// for them, of variants, and of notifications of which the app hears.
@Suite("Races of windows that the app asks for, of those that lock, of variants and of notifications", .serialized)
struct WindowRaceTests {
    @Test(
        "find nothing wrong with the runtime",
        arguments: [
            "window-against-sign-out", "closed-while-used", "variant-against-sign-out", "unlock-against-sign-out",
            "unlock-against-links", "lock-against-sign-in", "report-under-lock", "own-flow-against-gate",
            "root-after-link", "heard-by-the-next-user",
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
