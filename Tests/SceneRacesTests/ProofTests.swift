import Basics
import SceneManifest
import SceneRouting
import Testing

@testable import Interleaving
@testable import SceneRaces

/// Searches that end when every class of orders was run.
@Suite("Proofs of scenarios", .serialized)
struct ProofTests {
    /// A run, and how it ended.
    private struct Seen: Sendable {
        let steps: [RunStep]
        let accesses: RunAccesses
        let end: String
        let records: [String]
    }

    /// Runs with a few deviations from one order, so that many of them are of one class.
    private static func runs(
        _ count: Int,
        of name: String,
        _ granularity: SimulationSettings.Granularity = .jobs
    ) async throws -> [Seen] {
        let body = try ScenarioBody(try #require(try ShippedScenarios.scenario(name)))
        var settings = SimulationSettings(granularity: granularity)
        settings.takesJobsWhole = true
        return try await withExplorationRunner(settings, body: body.run) { runner in
            let seed = DrawnTimes.seed(0)
            let first = runner.run(seed: seed, schedule: RunSchedule([])).steps
            // Nothing is chosen while the windows are set up.
            let choices = first.indices.filter { first[$0].alternatives > 1 }.suffix(30)
            return (0..<count).map { run in
                var random = SplitMix(seed: UInt64(run))
                let steps = Set((0..<(1 + run % 3)).map { _ in random.pick(Array(choices)) })
                let deviations = steps.sorted().map { step in
                    RunDeviation(step: step, position: 1 + random.below(2), count: 1 + random.below(4))
                }
                let verdict = runner.run(seed: seed, schedule: RunSchedule(deviations)).verdict
                return Seen(
                    steps: runner.steps,
                    accesses: runner.accesses,
                    end: "\(verdict) \(body.end?.lines ?? [])",
                    // The numbers of records say in which order they came.
                    records: body.history.map { $0.replacing(/"index":[0-9]+,?/, with: "") }.sorted()
                )
            }
        }
    }

    /// How runs of one class differ.
    private static func differences(_ runs: [Seen], by name: (Seen) -> UInt64) -> [String] {
        var first: [UInt64: Seen] = [:]
        var differences: [String] = []
        for run in runs {
            guard let known = first.updateValue(run, forKey: name(run)) else { continue }
            if known.end != run.end { differences.append("\(known.end) and \(run.end)") }
            if known.records != run.records { differences.append("the records") }
        }
        return differences
    }

    private static func byAccesses(_ run: Seen) -> UInt64 {
        classHash(of: run.steps, run.accesses, under: .reported(.fifo))
    }

    @Test(
        "runs of one class end alike, with the same records",
        arguments: ShippedScenarios.names,
        [SimulationSettings.Granularity.jobs, .locks]
    )
    func classes(name: String, granularity: SimulationSettings.Granularity) async throws {
        let runs = try await Self.runs(granularity == .locks ? 6 : 15, of: name, granularity)
        #expect(Self.differences(runs, by: Self.byAccesses) == [])
    }

    @Test(
        "the classes tell apart what the steps alone do not",
        arguments: [
            "double-tap", "full-mailbox", "queued-behind-gate", "closed-from-elsewhere", "payee-for-the-next-user",
        ]
    )
    func sameSteps(name: String) async throws {
        let runs = try await Self.runs(100, of: name)
        #expect(Self.differences(runs, by: Self.byAccesses) == [])
        #expect(Self.differences(runs) { $0.steps.reduce(0) { $0 &+ $1.choice.event.word } } != [])
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
        let report = try await Race(
            Self.scenario("[0, 40]", expect: "[applied, ignored inTransition, ignored tabsCovered]")
        ).prove(.init())
        #expect(report.exploration.isComplete, "\(report.exploration.summary ?? "") \(report.found?.findings ?? [])")
        #expect(report.proof?.times == 41)
        let race = try Race(Self.scenario("[0, 40]"))
        let wrong = try await race.prove(.init())
        let found = try #require(wrong.found)
        #expect(!found.isDoubtful(in: wrong) || wrong.exploration.firstFailure == 0)
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

    /// The classes of orders with the first combination of times that a search sees, and whether it is complete.
    private static func classes(_ race: Race, _ strategy: StrategyName, limit: Int) async throws -> (Set<UInt64>, Bool)
    {
        var exploring = race.proving(Race.Options(), combination: 0)
        exploring.strategyName = strategy
        exploring.iterations = limit
        let exploration = try await explore(exploring, body: race.body.run)
        return (exploration.coverage.map { Set($0.occurrences.keys) } ?? [], exploration.isComplete)
    }

    @Test(
        "the classes of a proof are those of all orders, where these are few enough to run them",
        arguments: ["discard-against-links", "full-mailbox"]
    )
    func allOrders(name: String) async throws {
        let race = try Race(try #require(try ShippedScenarios.scenario(name)))
        let (all, isAll) = try await Self.classes(race, .exhaustiveAll, limit: 2_000)
        let (proved, isComplete) = try await Self.classes(race, .exhaustiveReported, limit: .max)
        #expect(isAll && isComplete)
        #expect(proved == all, "\(proved.count) of \(all.count) classes")
    }
}
