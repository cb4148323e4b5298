import Interleaving
import SceneEntryPoints
import SceneRaces
import Testing

/// A worker finds the race, and it is shrunk, reported and replayed, in a process that must survive.
@Suite("A race that ends its process")
struct FatalRaceTests {
    /// Ends the process when the product p666 is requested.
    private struct Doom: EntryPointAdapter {
        let name = "doom"
        let kinds: Set<EntryKind> = [.url]
        let strike: @Sendable () -> Void

        func adapt(_ event: EntryEvent) -> AdapterAnswer {
            if "\(event)".contains("p666") { strike() }
            return .declined(reason: "not mine")
        }

        static let doubleResume = Doom {
            Task {
                await withCheckedContinuation { continuation in
                    continuation.resume()
                    continuation.resume()
                }
            }
        }

        static let trap = Doom { fatalError("doom has come") }
    }

    /// Searches for the race with one worker, and replays it.
    private static func found(_ doom: Doom, shrinks: Bool) async throws -> FoundRace {
        let text = """
            name: doomed
            description: An adapter that ends the process.
            windows: { A: {}, B: {} }
            actors:
              one:
                - { openurl: "https://shop.example/product/p666", scene: A, event: doom }
              other:
                - { openurl: "https://shop.example/product/p1", scene: B, event: link }
            expect:
              - results: { link: applied }
            """
        let race = try Race(Scenario.read(text, file: "doomed.yaml"), adapters: [doom])
        var options = Race.Options(iterations: 20, seed: 1, shrinks: shrinks, jobs: 1)
        options.countsEnds = true
        let report = try await race.search(options)
        // Nothing more is run that would end its process.
        #expect(report.survey?.runs == report.exploration.runs && report.survey?.ends.runs == report.exploration.runs)
        let found = try #require(report.found)
        let page = found.report(of: "doomed", report, replay: "again").text()
        #expect(page.contains(found.findings[0]))
        #expect(found.shrunk?.confirmation == (shrinks ? .confirmed : nil))
        #expect(try await race.replay(found.code, inWorker: true).run.verdict.kind == found.kind)
        return found
    }

    @Test("a double resume is repeated only in forked processes", arguments: [false, true])
    func doubleResume(shrinks: Bool) async {
        await #expect(processExitsWith: .success) { [shrinks] in
            let found = try await Self.found(.doubleResume, shrinks: shrinks)
            #expect(found.kind == "double-resume")
        }
    }

    @Test("a trap is repeated only in forked processes", arguments: [false, true])
    func trap(shrinks: Bool) async {
        await #expect(processExitsWith: .success) { [shrinks] in
            let found = try await Self.found(.trap, shrinks: shrinks)
            #expect(found.kind == "trapped")
            #expect(found.findings[0].contains("doom has come"))
        }
    }
}
