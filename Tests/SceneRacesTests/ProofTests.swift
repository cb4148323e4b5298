import Basics
import SceneManifest
import SceneRouting
import Testing

@testable import Interleaving
@testable import SceneRaces

/// Searches that end when every class of orders was run.
@Suite("Proofs of scenarios", .serialized)
struct ProofTests {
    @Test("runs of one class end alike, with the same records", arguments: ShippedScenarios.names)
    func classes(name: String) async throws {
        let body = try ScenarioBody(try #require(try ShippedScenarios.scenario(name)))
        let differences = try await withExplorationRunner(
            SimulationSettings(granularity: .jobs),
            body: body.run
        ) { runner in
            var ends: [UInt64: (end: String, records: [String])] = [:]
            var differences: [String] = []
            for run in 0..<25 {
                // A few deviations from one order, so that many runs are of one class.
                var random = SplitMix(seed: UInt64(run))
                let deviations = (0..<(run % 3)).map { _ in
                    RunDeviation(step: random.below(60), position: 1 + random.below(2))
                }
                let schedule = RunSchedule(deviations.sorted { $0.step < $1.step })
                let seed = DrawnTimes.seed(0)
                let verdict = runner.run(seed: seed, schedule: schedule).verdict
                let name = classHash(of: runner.steps, runner.accesses, under: .reported(.fifo))
                let records = body.history.map { $0.replacing(/"index":[0-9]+,?/, with: "") }.sorted()
                let end = "\(verdict) \(body.end?.lines ?? [])"
                if let known = ends[name] {
                    if known.end != end { differences.append("\(known.end) and \(end)") }
                    if known.records != records { differences.append("the records of \(run)") }
                } else {
                    ends[name] = (end, records)
                }
            }
            return differences
        }
        #expect(differences == [])
    }

    @Test(
        "every end that random orders have is one of a proof",
        arguments: ["cold-start", "double-tap", "sign-out-against-push", "two-users", "full-mailbox", "links-at-once"]
    )
    func ends(name: String) async throws {
        let race = try Race(try #require(try ShippedScenarios.scenario(name)))
        var options = Race.Options(iterations: 300, seed: 9)
        options.countsEnds = true
        let proof = try await race.prove(options)
        #expect(proof.exploration.isComplete, "\(proof.exploration.summary ?? "")")
        #expect(proof.found == nil)
        #expect(proof.proof?.assumptions == [])
        let proved = Set(proof.exploration.ends.all.map(\.text))
        let random = try await race.search(options)
        for end in random.exploration.ends.all { #expect(proved.contains(end.text), "\(end.text)") }
    }

    /// A link that finds the window busy if it comes at one of the times.
    private static func scenario(_ range: String, expect: String = "applied") throws -> Scenario {
        try Scenario.read(
            """
            name: late
            description: A link comes a while after a swipe.
            windows: { A: {} }
            settings: { transitionMilliseconds: 20 }
            setup:
              - { openurl: "qcommerce://cart", scene: A, event: cart }
            actors:
              finger:
                - { swipe: down, scene: A, event: swipe }
              link:
                - { wait: \(range) }
                - { tap: orders, scene: A, event: tab }
            expect:
              results: { tab: \(expect) }
            """,
            file: "late.yaml"
        )
    }

    @Test("each combination of times is tried, and a race in one of them can be repeated")
    func times() async throws {
        let report = try await Race(Self.scenario("[0, 40]", expect: "[applied, ignored inTransition, ignored tabsCovered]")).prove(.init())
        #expect(report.exploration.isComplete, "\(report.exploration.summary ?? "") \(report.found?.findings ?? [])")
        #expect(report.proof?.times == 41)
        let race = try Race(Self.scenario("[0, 40]"))
        let found = try #require(try await race.prove(.init()).found)
        let again = try await race.replay(found.code)
        #expect(again.found?.findings == found.findings)
    }

    @Test("so many times that they cannot all be tried are refused")
    func tooManyTimes() async throws {
        let race = try Race(Self.scenario("[0, 4000000]"))
        await #expect(throws: Race.TooManyTimes.self) { try await race.prove(.init()) }
    }

    @Test("a search that was too short has proved nothing")
    func tooShort() async throws {
        let race = try Race(try #require(try ShippedScenarios.scenario("two-buyers")))
        let report = try await race.prove(Race.Options(timeLimit: .milliseconds(20)))
        #expect(!report.exploration.isComplete)
        #expect(report.found == nil)
        #expect(report.exploration.summary?.hasPrefix("not complete: ") ?? false, "\(report.exploration.summary ?? "")")
    }

    @Test("what the named exhaustive search calls complete assumes no more")
    func exhaustive() async throws {
        let race = try Race(try #require(try ShippedScenarios.scenario("cold-start")))
        let report = try await race.search(
            Race.Options(iterations: 20_000, seed: 3, strategy: .exhaustive(preemptions: nil))
        )
        #expect(report.exploration.isComplete, "\(report.exploration.summary ?? "")")
        #expect(report.exploration.summary?.contains("reports its accesses") ?? false)
    }
}
