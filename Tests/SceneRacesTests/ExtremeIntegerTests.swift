import Foundation
import SceneRaces
import TestFixtures
import Testing

@Suite("Extreme integers in a scenario")
struct ExtremeIntegerTests {
    @Test("are refused or run", arguments: ShippedScenarios.names)
    func everyNumber(name: String) async throws {
        let folder = URL(filePath: #filePath).deletingLastPathComponent()
            .appending(path: "../../Sources/SceneRaces/Shipped/Scenarios").standardized
        let text = try String(contentsOf: folder.appending(path: "\(name).yaml"), encoding: .utf8)
        // Numbers of their own, not those in words such as p1.
        for number in text.ranges(of: /\b\d+\b/) {
            for integer in extremeIntegers {
                let changed = text.replacingCharacters(in: number, with: "\(integer)")
                guard let scenario = try? Scenario.read(changed, file: name) else { continue }
                _ = try await Race(scenario).search(Race.Options(iterations: 1, seed: 1))
            }
        }
    }
}
