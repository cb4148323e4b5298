import Foundation
import Interleaving
import SceneManifest
import SceneRaces
import SceneRouting
import Testing

/// The scenarios that ship, run with the runtime.
@Suite("The scenarios that ship", .serialized)
struct ShippedScenarioTests {
    @Test("are the files in the folder, each with the name of its file")
    func areThoseInTheFolder() throws {
        let folder = URL(filePath: #filePath).deletingLastPathComponent()
            .appending(path: "../../Sources/SceneRaces/Shipped/Scenarios").standardized
        let files = try FileManager.default.contentsOfDirectory(atPath: folder.path)
        #expect(files.map { String($0.dropLast(".yaml".count)) }.sorted() == ShippedScenarios.names)
        for name in ShippedScenarios.names {
            let scenario = try #require(try ShippedScenarios.scenario(name))
            #expect(scenario.name == name)
            #expect(!scenario.expectations.isEmpty, "\(name) expects nothing")
        }
    }

    @Test("a smaller form is one of another that ships, and says so")
    func smallerForms() throws {
        for name in ShippedScenarios.names {
            let scenario = try #require(try ShippedScenarios.scenario(name))
            guard let larger = scenario.summary.firstMatch(of: /The smaller form of ([a-z-]+)\./)?.1 else { continue }
            #expect(ShippedScenarios.names.contains(String(larger)), "\(name)")
            #expect(scenario.summary.hasSuffix("The smaller form of \(larger)."), "\(name)")
        }
    }

    @Test(
        "find nothing wrong with the runtime",
        arguments: ShippedScenarios.names,
        [SimulationSettings.Granularity.jobs, .locks]
    )
    func pass(name: String, granularity: SimulationSettings.Granularity) async throws {
        let race = try Race(try #require(try ShippedScenarios.scenario(name)))
        var options = Race.Options(iterations: granularity == .locks ? 8 : 25, seed: 8)
        options.granularity = granularity
        let report = try await race.search(options)
        #expect(report.found == nil, "\(name): \(report.found?.findings ?? [])")
        #expect(report.exploration.hadChoices, "\(name) has nothing to choose")
        #expect(report.coverage.classes > 1)
    }

    @Test(
        "an app that is reloaded under its version, or as another app, is not judged by the manifest",
        arguments: [("ancestry: [home, cart]", "ancestry: [home]"), ("name: Shop", "name: Store")]
    )
    func reloadsUnderTheSameVersion(old: String, new: String) async throws {
        let other = AppManifest.builtInShopText.replacing(old, with: new)
        #expect(other != AppManifest.builtInShopText)
        let scenario = try Scenario.read(
            """
            name: reloaded
            description: Another manifest of the same version is loaded while a link waits.
            windows: { A: {} }
            session: { user: mina, facts: { cart: [p1], paymentMethod: card } }
            actors:
              x: [ { openurl: "qcommerce://checkout", scene: A } ]
              y: [ { reload: other.yaml } ]
            """,
            file: "reloaded.yaml",
            readFile: { _ in other }
        )
        let report = try await Race(scenario).search(Race.Options(iterations: 20, seed: 1))
        #expect(report.found == nil, "\(report.found?.findings ?? [])")
    }

    @Test("several steps of a setup in one window are no race")
    func setsUpInOrder() async throws {
        let scenario = try Scenario.read(
            """
            name: set-up
            description: A window is set up by links and an intent, then others act.
            windows: { A: {}, B: {} }
            setup:
              - { openurl: "qcommerce://cart", scene: A }
              - { openurl: "qcommerce://orders", scene: A }
              - { back: A }
            actors:
              x: [ { openurl: "qcommerce://account", scene: A }, { openurl: "qcommerce://home", scene: A } ]
              y: [ { openurl: "qcommerce://home", scene: B } ]
            """,
            file: "set-up.yaml"
        )
        let report = try await Race(scenario).search(Race.Options(iterations: 20, seed: 1))
        #expect(report.found == nil, "\(report.found?.findings ?? [])")
    }
}
