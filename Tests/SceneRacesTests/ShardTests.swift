import Basics
import Foundation
import Interleaving
import SceneRaces
import SceneRuntime
import Testing

/// A search that several machines share finds what one finds.
@Suite("Shards of a search", .serialized)
struct ShardTests {
    private static let strategies: [StrategyName] = [.portfolio, .random, .pct(depth: 3), .pos, .urw, .fifo]

    private static func search(
        _ name: String,
        _ strategy: StrategyName = .portfolio,
        iterations: Int? = 60,
        count: Int
    ) -> RaceShard.Search {
        RaceShard.Search(
            scenario: name,
            app: nil,
            contents: "c",
            program: "p",
            seed: 7,
            strategy: "\(strategy)",
            mailbox: .fifo,
            granularity: .jobs,
            iterations: iterations,
            count: count
        )
    }

    /// Makes a shard to its end, from its file after each slice, which of a proof is a piece.
    private static func shard(_ race: Race, _ number: Int, of search: RaceShard.Search, jobs: Int = 0) async throws
        -> RaceShard
    {
        var options = Race.Options(jobs: jobs, determinismChecks: 0)
        options.strategy = try StrategyName(search.strategy)
        var shard = RaceShard(number, of: search)
        while !shard.isDone {
            let before = shard
            struct Enough: Error {}
            var kept: [UInt8]?
            // Ended after one slice, as if it were killed.
            do {
                _ = try await race.search(options, before, every: search.proves ? .zero : .seconds(5)) { slice in
                    kept = slice.bytes
                    throw Enough()
                }
            } catch is Enough {}
            shard = try RaceShard(parsing: try #require(kept))
            #expect(shard.next > before.next || shard.isDone)
        }
        return shard
    }

    private static func merged(
        _ race: Race,
        _ name: String,
        _ strategy: StrategyName = .portfolio,
        iterations: Int? = 60,
        count: Int,
        jobs: Int = 0
    ) async throws -> MergedShards {
        var shards: [(file: String, shard: RaceShard)] = []
        for number in 1...count {
            let search = search(name, strategy, iterations: iterations, count: count)
            shards.append(("\(number).json", try await shard(race, number, of: search, jobs: jobs)))
        }
        let merged = try MergedShards(shards.shuffled())
        #expect(merged.isWhole)
        return merged
    }

    /// That two explorations made the same runs and found the same.
    private static func expectSame(_ one: Exploration, _ other: Exploration, _ what: String) {
        #expect(one.runs == other.runs, "\(what)")
        #expect(one.traceHash == other.traceHash, "\(what)")
        #expect(one.failures == other.failures && one.failedRuns == other.failedRuns, "\(what)")
        #expect(one.failure?.code == other.failure?.code && one.failure?.verdict == other.failure?.verdict, "\(what)")
        #expect(one.longest == other.longest && one.hadChoices == other.hadChoices, "\(what)")
        #expect(one.coverage?.occurrences == other.coverage?.occurrences, "\(what)")
        #expect(one.ends.all == other.ends.all && one.ends.others == other.ends.others, "\(what)")
    }

    @Test(
        "of 2, 3 and 7 find together what one machine finds, in each scenario that ships",
        arguments: ShippedScenarios.names
    )
    func shipped(name: String) async throws {
        let index = try #require(ShippedScenarios.names.firstIndex(of: name))
        let race = try Race(try #require(try ShippedScenarios.scenario(name)))
        // `TEST_SHARDS=all` takes every strategy and number for each, for minutes.
        let areAll = ProcessInfo.processInfo.environment["TEST_SHARDS"] == "all"
        let (strategies, counts) = (Self.strategies, [2, 3, 7])
        for strategy in areAll ? strategies : [strategies[index % strategies.count]] {
            let single = try await Self.merged(race, name, strategy, iterations: 40, count: 1)
            #expect(single.found.runs == 40)
            for count in areAll ? counts : [counts[index % counts.count]] {
                let shared = try await Self.merged(race, name, strategy, iterations: 40, count: count)
                Self.expectSame(single.found, shared.found, "\(name), \(strategy), \(count) shards")
            }
        }
    }

    /// A scenario that expects what only some orders give.
    private static let wrong = """
        name: wrong
        description: Somebody believes that a tab can always be tapped.
        windows: { A: {} }
        settings: { transitionMilliseconds: 100 }
        actors:
          mail:
            - { openurl: "qcommerce://product/p1", scene: A, event: p1 }
          finger:
            - { wait: [0, 150] }
            - { tap: orders, scene: A, event: tab }
        expect:
          results: { p1: applied, tab: applied }

        """

    private static func wrongRace() throws -> Race {
        try Race(try Scenario.read(wrong, file: "wrong.yaml") { _ in throw CancellationError() })
    }

    @Test("count what goes wrong as one machine does, with any strategy", arguments: strategies, [2, 3, 7])
    func failing(strategy: StrategyName, count: Int) async throws {
        let race = try Self.wrongRace()
        let single = try await Self.merged(race, "wrong", strategy, iterations: 500, count: 1)
        if strategy != .fifo { #expect(single.found.failures > 0 && single.found.ends.all.count > 1) }
        let shared = try await Self.merged(race, "wrong", strategy, iterations: 500, count: count)
        Self.expectSame(single.found, shared.found, "\(strategy), \(count) shards")
        // What one search by itself finds first.
        var options = Race.Options(iterations: 500, seed: 7, strategy: strategy, determinismChecks: 0)
        options.countsEnds = false
        let plain = try await race.search(options)
        #expect(plain.exploration.failure?.code == shared.found.failure?.code)
    }

    /// Makes a shard to its end, ended again and again, and from its file each time.
    /// - Parameter end: Sets the options with which it is ended for the given time, from 0.
    private static func endedShard(
        _ race: Race,
        of search: RaceShard.Search,
        jobs: Int = 0,
        _ end: (Int, inout Race.Options) -> Void
    ) async throws -> RaceShard {
        var shard = RaceShard(2, of: search)
        var time = 0
        while !shard.isDone {
            var options = Race.Options(jobs: jobs, determinismChecks: 0)
            options.strategy = try StrategyName(search.strategy)
            end(time, &options)
            shard = try RaceShard(parsing: try await race.search(options, shard) { _ in }.bytes)
            time += 1
        }
        return shard
    }

    @Test(
        "that are ended keep each run that was made, and are at last the same file, byte for byte",
        arguments: strategies
    )
    func ended(strategy: StrategyName) async throws {
        let race = try Self.wrongRace()
        let search = Self.search("wrong", strategy, iterations: 500, count: 3)
        let whole = try await Self.shard(race, 2, of: search)
        var times = 0
        let asked = try await Self.endedShard(race, of: search) { _, options in
            // It asks before a slice, and before each run. The first 17 runs of a search are made each time, because strategies learn from them.
            let asks = Guarded(0)
            options.isAskedToEnd = {
                asks.withLock { count in
                    count += 1
                    return count > 1 + 17 + 5
                }
            }
            times += 1
        }
        #expect(asked.bytes == whole.bytes)
        // The shard has 167 runs, of which six are among those 17; then there are five each time.
        #expect(times == 1 + (167 - (6 + 5) + 4) / 5)
        // By time, which ends it anywhere; sooner or later it is enough.
        let late = try await Self.endedShard(race, of: search) { time, options in
            options.timeLimit = .milliseconds(1 << min(time, 20))
        }
        #expect(late.bytes == whole.bytes)
        // Several processes do not keep what they did not make to the end.
        let shared = try await Self.endedShard(race, of: search, jobs: 2) { time, options in
            options.timeLimit = .milliseconds(1 << min(time, 20))
        }
        #expect(shared.bytes == whole.bytes)
    }

    @Test(
        "do not depend on where their runs are cut into slices",
        arguments: ["two-buyers", "code-of-the-last-user", "wrong"]
    )
    func slices(name: String) async throws {
        let race = name == "wrong" ? try Self.wrongRace() : try Race(try #require(try ShippedScenarios.scenario(name)))
        let granularities: [SimulationSettings.Granularity] =
            SimulationSettings.reasonNotToStop == nil ? [.jobs, .locks] : [.jobs]
        for granularity in granularities {
            var search = Self.search(name, iterations: 180, count: 2)
            search.granularity = granularity
            var options = Race.Options(determinismChecks: 0)
            options.granularity = granularity
            var files: Set<[UInt8]> = []
            for slice in [Duration.zero, .seconds(60)] {
                let shard = try await race.search(options, RaceShard(2, of: search), every: slice) { _ in }
                files.insert(shard.bytes)
            }
            #expect(files.count == 1, "\(granularity)")
        }
    }

    @Test("more than there are runs leave the others empty")
    func many() async throws {
        let race = try Self.wrongRace()
        let single = try await Self.merged(race, "wrong", iterations: 5, count: 1)
        let shared = try await Self.merged(race, "wrong", iterations: 5, count: 9)
        Self.expectSame(single.found, shared.found, "9 shards of 5 runs")
    }

    @Test("that are missing or were ended early are named")
    func lacking() async throws {
        let race = try Self.wrongRace()
        let search = Self.search("wrong", iterations: 2_000, count: 4)
        let whole = try await Self.shard(race, 3, of: search)
        var started = RaceShard(1, of: search)
        struct Enough: Error {}
        do {
            started = try await race.search(Race.Options(), started) { slice in
                started = slice
                throw Enough()
            }
        } catch is Enough {}
        let merged = try MergedShards([("b", whole), ("a", started)])
        #expect(merged.missing == [2, 4] && merged.unfinished == [1] && !merged.isWhole)
        #expect(merged.found.runs == whole.found.runs + started.found.runs)
    }

    @Test("of another search, or twice the same, are refused by name")
    func foreign() throws {
        let search = Self.search("wrong", count: 3)
        func mismatch(_ change: (inout RaceShard.Search) -> Void, _ number: Int = 2) -> String {
            var other = search
            change(&other)
            do throws(ShardMismatch) {
                _ = try MergedShards([
                    ("one.json", RaceShard(1, of: search)), ("two.json", RaceShard(number, of: other)),
                ])
                return ""
            } catch {
                return error.text
            }
        }
        #expect(mismatch({ _ in }) == "")
        #expect(mismatch({ _ in }, 1) == "one.json and two.json are both shard 1 of 3")
        let prefix = "two.json is of another search than one.json: "
        #expect(mismatch { $0.seed = 8 } == prefix + "seed 8 instead of 7")
        #expect(mismatch { $0.scenario = "x" } == prefix + "scenario x instead of wrong")
        #expect(mismatch { $0.app = "x" } == prefix + "app x instead of its own")
        #expect(mismatch { $0.contents = "x" } == prefix + "another text of 'wrong' or its app")
        #expect(mismatch { $0.program = "x" } == prefix + "another build of the program")
        #expect(mismatch { $0.strategy = "pos" } == prefix + "strategy pos instead of portfolio")
        #expect(mismatch { $0.iterations = nil } == prefix + "a proof instead of none")
        #expect(mismatch { $0.iterations = 61 } == prefix + "iterations 61 instead of 60")
        #expect(mismatch { $0.mailbox = .anyOrder } == prefix + "mailbox anyOrder instead of fifo")
        #expect(mismatch { $0.granularity = .locks } == prefix + "granularity locks instead of jobs")
        #expect(mismatch { $0.count = 4 } == prefix + "shards 4 instead of 3")
    }

    @Test("a file that is cut off at any byte, or changed, is refused and never read as another")
    func broken() throws {
        let bytes = RaceShard(2, of: Self.search("wrong", count: 3)).bytes
        #expect(try RaceShard(parsing: bytes).bytes == bytes)
        for length in 0..<(bytes.count - 1) {
            #expect(throws: ShardFileError.self) { try RaceShard(parsing: Array(bytes[..<length])) }
        }
        let text = String(decoding: bytes, as: UTF8.self)
        let changed = "digest: expected the file as it was written"
        for (old, new, said) in [
            (#""version":1"#, #""version":2"#, "version: expected 1"),
            (#""shard":2"#, #""shard":4"#, "shard: expected integer from 1 to 3"),
            (#""shards":3"#, #""shards":4000000000000000000"#, "shards: expected integer from 1 to 100000"),
            (#""iterations":60"#, #""iterations":4611686018427387904"#, "iterations: expected integer from 1 to"),
            (#""runs":0"#, #""runs":9223372036854775807"#, "found: expected what a shard has found"),
            (#""others":0"#, #""others":-1"#, "found: expected what a shard has found"),
            (#""next":0"#, #""next":61"#, "next: expected integer from 0 to 60"),
            (#""seed":"7""#, #""seed":7"#, "seed: expected string"),
            (#""mailbox":"fifo""#, #""mailbox":"x""#, "mailbox: expected"),
            (#""found":{"#, #""found":{"x":1,"#, changed),
            (#""shard":2"#, #""shard":3"#, changed), (#""digest":""#, #""digest":"0"#, changed),
            (#""contents":"c""#, #""contents":"d""#, changed),
        ] {
            #expect(text.contains(old), "\(old)")
            do {
                _ = try RaceShard(parsing: Array(text.replacing(old, with: new).utf8))
                Issue.record("\(new)")
            } catch {
                #expect("\(error)".contains(said), "\(error)")
            }
        }
    }
}
