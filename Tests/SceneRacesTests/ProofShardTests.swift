import Foundation
import Interleaving
import SceneRaces
import Testing

/// A proof that several machines share is that of one.
@Suite("Shards of a proof", .serialized)
struct ProofShardTests {
    private static func search(_ name: String, count: Int, _ granularity: SimulationSettings.Granularity = .jobs)
        -> RaceShard.Search
    {
        RaceShard.Search(
            scenario: name,
            app: nil,
            contents: "c",
            program: "p",
            seed: 1,
            strategy: "exhaustive-reported",
            mailbox: .fifo,
            granularity: granularity,
            iterations: nil,
            count: count
        )
    }

    /// Searches a shard to its end.
    /// - Parameter isEnded: Whether it is ended between any two pieces, and goes on from its file.
    private static func shard(
        _ race: Race,
        _ number: Int,
        of search: RaceShard.Search,
        _ options: Race.Options,
        isEnded: Bool = false
    ) async throws -> RaceShard {
        struct Enough: Error {}
        var shard = RaceShard(number, of: search)
        if !isEnded {
            shard = try await race.search(options, shard) { _ in }
            #expect(shard.isDone)
            return try RaceShard(parsing: shard.bytes)
        }
        while !shard.isDone {
            let before = shard
            var kept: [UInt8]?
            do {
                _ = try await race.search(options, before, every: .zero) { slice in
                    kept = slice.bytes
                    throw Enough()
                }
            } catch is Enough {}
            shard = try RaceShard(parsing: try #require(kept))
            #expect(shard.made > before.made || shard.isDone)
        }
        return shard
    }

    private static func merged(
        _ race: Race,
        count: Int,
        _ options: Race.Options = proving,
        areEnded: Bool = false
    ) async throws -> MergedShards {
        var shards: [(file: String, shard: RaceShard)] = []
        for number in 1...count {
            let search = search(race.scenario.name, count: count, options.granularity)
            let shard = try await shard(race, number, of: search, options, isEnded: areEnded)
            shards.append(("\(number).json", shard))
        }
        let merged = try MergedShards(shards.shuffled())
        #expect(merged.isWhole)
        return merged
    }

    private static let proving = Race.Options(determinismChecks: 0)

    @Test("a shard that came no further in its time is told what helps, and no other")
    func advice() async throws {
        let race = try Race(try #require(try ShippedScenarios.scenario("sign-out-against-push")))
        struct Enough: Error {}
        let new = RaceShard(2, of: Self.search("sign-out-against-push", count: 3))
        var kept: RaceShard?
        do {
            _ = try await race.search(Self.proving, new, every: .zero) { slice in
                kept = slice
                throw Enough()
            }
        } catch is Enough {}
        let begun = try #require(kept)
        #expect(begun.made == 1 && !begun.isDone)
        #expect(new.advice(since: new)?.contains("not cut into pieces") == true)
        #expect(begun.advice(since: begun)?.contains("or more shards, which make smaller pieces") == true)
        #expect(begun.advice(since: new) == nil)
        let done = try await race.search(Self.proving, begun) { _ in }
        #expect(done.isDone && done.advice(since: done) == nil)
        // Orders by chance count one by one.
        var chance = new.search
        chance.iterations = 60
        #expect(RaceShard(1, of: chance).advice(since: RaceShard(1, of: chance)) == nil)
    }

    /// The scenarios that have few classes, as the page about proofs says.
    private static let small: [String] = {
        let page = URL(filePath: #filePath).deletingLastPathComponent().appending(
            path: "../../Sources/SceneRaces/SceneRaces.docc/Proofs.md"
        )
        let lines = (try? String(contentsOf: page, encoding: .utf8))?.split(separator: "\n") ?? []
        return lines.compactMap { line in
            let cells = line.split(separator: "|").map { $0.trimmingCharacters(in: .whitespaces) }
            guard cells.count > 3, cells[1] == "proved", let classes = Int(cells[2]), classes < 35 else { return nil }
            return cells[0].replacing("`", with: "")
        }
    }()

    @Test("of 2, 3 and 7 prove together what one machine proves, with the same classes and ends", arguments: small)
    func proved(name: String) async throws {
        let race = try Race(try #require(try ShippedScenarios.scenario(name)))
        let index = try #require(Self.small.firstIndex(of: name))
        let one = try await Self.merged(race, count: 1)
        let count = [2, 3, 7][index % 3]
        let shared = try await Self.merged(race, count: count)
        let classes = try #require(one.found.coverage?.occurrences)
        #expect(Set(classes.keys) == shared.found.coverage.map { Set($0.occurrences.keys) }, "\(count) shards")
        #expect(Set(one.found.ends.all.map(\.text)) == Set(shared.found.ends.all.map(\.text)))
        #expect(one.found.isComplete && shared.found.isComplete, "\(shared.found.summary ?? "")")
        #expect(shared.found.failures == 0)
        let report = try await race.report(Self.proving, shared)
        #expect(report.exploration.isComplete && report.proof != nil && report.found == nil)
        let times = report.proof.map { $0.times > 1 ? " in all, with each of \($0.times) combinations of times" : "" }
        let number = "\(classes.count) \(classes.count == 1 ? "class" : "classes")"
        #expect(report.exploration.summary == "complete: \(number) of orders\(times ?? "")")
    }

    @Test("there are scenarios to try that on")
    func some() { #expect(Self.small.count > 10) }

    @Test("do not run much more often than one machine does", arguments: [2, 7])
    func cost(count: Int) async throws {
        let race = try Race(try #require(try ShippedScenarios.scenario("sign-out-against-push")))
        let one = try await Self.merged(race, count: 1)
        let shared = try await Self.merged(race, count: count)
        #expect(
            Set(one.found.coverage?.occurrences.keys ?? [:].keys)
                == Set(shared.found.coverage?.occurrences.keys ?? [:].keys)
        )
        #expect(
            shared.found.runs < one.found.runs + one.found.runs / 2,
            "\(shared.found.runs) instead of \(one.found.runs)"
        )
    }

    /// A link that finds the window busy if it comes at one of the times.
    private static func late(_ range: String) throws -> Race {
        try Race(
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
                  results: { tab: applied }
                """,
                file: "late.yaml"
            ) { _ in throw CancellationError() }
        )
    }

    @Test(
        "find a race in whichever piece it is, and the simplest of those that they find",
        arguments: [0, 1],
        [1, 3]
    )
    func race(jobs: Int, count: Int) async throws {
        let race = try Self.late("[0, 40]")
        var options = Self.proving
        options.jobs = jobs
        let merged = try await Self.merged(race, count: count, options)
        let failure = try #require(merged.found.failure)
        let report = try await race.report(options, merged)
        let found = try #require(report.found)
        #expect(!report.exploration.isComplete)
        #expect(found.run.code == failure.code)
        let again = try await race.replay(found.code)
        #expect(again.found?.findings == found.findings)
    }

    @Test("are the same files, byte for byte, also if they are ended between any two pieces", arguments: [0, 2])
    func bytes(jobs: Int) async throws {
        let race = try Self.late("[60, 90]")
        var options = Self.proving
        options.jobs = jobs
        for number in 1...2 {
            let search = Self.search("late", count: 2)
            let whole = try await Self.shard(race, number, of: search, Self.proving)
            let ended = try await Self.shard(race, number, of: search, options, isEnded: true)
            #expect(whole.bytes == ended.bytes)
        }
    }

    @Test("share the combinations of times, of which there may be more than pieces, or fewer", arguments: [2, 3])
    func times(count: Int) async throws {
        let race = try Self.late("[60, 90]")
        let one = try await Self.merged(race, count: 1)
        let shared = try await Self.merged(race, count: count, areEnded: true)
        #expect(one.found.isComplete && shared.found.isComplete, "\(shared.found.summary ?? "")")
        #expect(
            one.found.coverage.map { Set($0.occurrences.keys) }
                == shared.found.coverage.map { Set($0.occurrences.keys) }
        )
    }

    @Test("that are missing or ended early are named, and prove nothing")
    func lacking() async throws {
        let race = try Race(try #require(try ShippedScenarios.scenario("sign-out-against-push")))
        let search = Self.search("sign-out-against-push", count: 3)
        let whole = try await Self.shard(race, 3, of: search, Self.proving)
        var ended = Self.proving
        ended.isAskedToEnd = { true }
        let nothing = try await race.search(ended, RaceShard(1, of: search)) { _ in }
        #expect(nothing.made == 0 && !nothing.isDone && nothing.size == nil)
        let merged = try MergedShards([("b", whole), ("a", nothing)])
        #expect(merged.missing == [2] && merged.unfinished == [1] && !merged.isWhole)
        let report = try await race.report(Self.proving, merged)
        #expect(!report.exploration.isComplete && report.found == nil)
        #expect(report.exploration.summary == "not complete: not every shard is done")
    }
}
