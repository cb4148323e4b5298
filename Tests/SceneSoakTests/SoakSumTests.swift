import Basics
import Histogram
import SceneHistory
import StrictJSON
import Testing

@testable import SceneSoak

@Suite("The sum of several machines' soaks")
struct SoakSumTests {
    /// The soaks of `count` machines, each with hosts of its own.
    private static func shards(_ count: Int, leak: Double = 0) -> [(label: String, run: SoakRun)] {
        (1...count).map { number in
            var run = ExampleRun.make(seed: UInt64(number), leak: leak, kills: false)
            run.plan?.shard = SoakPlan.Shard(number: number, count: count)
            run.place.manifest = "1"
            for index in run.hosts.indices { run.hosts[index] = run.hosts[index].named("\(number)-\(index)") }
            for index in run.intervals.indices { run.intervals[index].sample?.host = "\(number)-0" }
            return ("machine \(number)", run)
        }
    }

    @Test("has all counts and each latency of its parts, in whatever order they come", arguments: [1, 2, 3, 7])
    func sums(_ count: Int) throws {
        let runs = Self.shards(count)
        let sum = try SoakSum(runs)
        #expect(sum.conclusion == .clean && sum.missing.isEmpty && sum.status == 0, "\(sum.reasons)")
        let totals = runs.map { SoakTotals(of: $0.run) }
        #expect(sum.totals.answered == totals.map(\.answered).reduce(0, +))
        #expect(sum.totals.sent == totals.map(\.sent).reduce(0, +) && sum.totals.lost == 0)
        #expect(sum.totals.outcomes["applied"] == totals.compactMap { $0.outcomes["applied"] }.reduce(0, +))
        // As if one machine had measured all.
        var latency = SoakRun.histogram()
        for (_, run) in runs {
            for value in run.latency.recordedValues() { latency.record(value.value, count: value.count) }
        }
        #expect(sum.latency.totalCount == latency.totalCount && latency.totalCount > 0)
        for rank in [1, 50, 90, 99, 99.9] {
            #expect(sum.latency.valueAtPercentile(rank) == latency.valueAtPercentile(rank))
        }
        #expect(sum.latency.maxRecorded == runs.map(\.run.latency.maxRecorded).max())
        var random = SplitMix(seed: 7)
        for _ in 0..<3 {
            let other = try SoakSum(runs.shuffled(using: &random))
            #expect(other.json == sum.json && other.html == sum.html && other.lines == sum.lines)
        }
        #expect(sum.lines.count { $0.text.hasPrefix("  machine ") } == count)
    }

    @Test("is guilty where one machine is, and unknown where one is missing, and says which")
    func verdict() throws {
        var runs = Self.shards(3)
        runs[1].run.hosts[0].report = ExampleRun.whole("2-0", but: .stacks)
        let guilty = try SoakSum(runs)
        #expect(guilty.conclusion == .guilty && guilty.status == 1)
        #expect(guilty.sentence.hasPrefix("Guilty: machine 2: invariant"), "\(guilty.sentence)")
        let missing = try SoakSum([Self.shards(3)[0], Self.shards(3)[2]])
        #expect(missing.conclusion == .unknown && missing.status == 4 && missing.missing == [2])
        #expect(missing.sentence.hasSuffix("but shard 2 of 3 is missing."), "\(missing.sentence)")
        let both = try SoakSum([runs[1]])
        #expect(both.conclusion == .guilty && both.missing == [1, 3])
        #expect(both.reasons.map(\.isGuilt) == [true, false, false])
    }

    /// What makes a soak another one, with a word that the refusal has to say.
    private static let differences: [(word: String, change: @Sendable (inout SoakRun) -> Void)] = [
        ("the app is Bank 2", { $0.place.app = "Bank 2" }), ("the app's manifest is 2", { $0.place.manifest = "2" }),
        ("the daemon is 9.9", { $0.place.daemon = "9.9" }),
        ("--rate 501", { $0.plan?.rate = 501 }), ("--seed 3", { $0.plan?.seed = 3 }),
        ("--duration 1s", { $0.plan?.duration = .seconds(1) }), ("journal", { $0.plan = nil }),
        ("of 4 shards", { $0.plan?.shard = SoakPlan.Shard(number: 2, count: 4) }),
        ("of no shards", { $0.plan?.shard = nil }),
        ("both shard 1 of 3", { $0.plan?.shard?.number = 1 }),
        ("the same daemon, host 1-0", { $0.hosts[0] = $0.hosts[0].named("1-0") }),
    ]

    @Test("refuses soaks that do not go together, and says what differs", arguments: differences.indices)
    func refuses(_ index: Int) throws {
        let (word, change) = Self.differences[index]
        var runs = Self.shards(3)
        change(&runs[1].run)
        let error = try #require(throws: SoakMismatch.self) { _ = try SoakSum(runs) }
        #expect(error.text.contains(word) && error.text.contains("machine 2"), "\(error.text)")
    }

    @Test("adds up soaks that are no shards, each with its own seed, but none twice")
    func strangers() throws {
        var runs = Self.shards(2)
        for index in runs.indices {
            runs[index].run.plan?.shard = nil
            runs[index].run.plan?.seed = UInt64(index)
        }
        let sum = try SoakSum(runs)
        #expect(sum.count == nil && sum.conclusion == .clean && sum.json["shards"]?.isNull == true)
        #expect(throws: SoakMismatch.self) { _ = try SoakSum([runs[0], runs[0]]) }
        #expect(throws: SoakMismatch.self) { _ = try SoakSum([]) }
    }

    @Test("each shard makes other choices than the others and than the whole, and its file says which it is")
    func seeds() throws {
        var plan = SoakPlan.test(seed: 5)
        var seeds: Set<UInt64> = [plan.ownSeed]
        for number in 1...1_000 {
            plan.shard = SoakPlan.Shard(number: number, count: 1_000)
            seeds.insert(plan.ownSeed)
        }
        #expect(seeds.count == 1_001)
        #expect(plan.commandLine.contains(" --seed 5 ") && plan.commandLine.contains("--shard 1000/1000"))
        // A shard needs a folder, and the one that it wrote keeps what is in it.
        #expect(plan.commandLine.hasSuffix(" --out soak"))
        for folder in ["a b/it.shard-1000-of-1000", "a b/it.shard-1000-of-1000/", "a b/it"] {
            let line = plan.commandLine(wrote: folder, more: ["--socket s"])
            #expect(line.hasSuffix(" --out 'a b/it-again' --socket s"), "\(line)")
        }
        #expect(plan.shard?.folder("a b/it/") == "a b/it.shard-1000-of-1000")
        plan.shard = nil
        #expect(!plan.commandLine(wrote: "it").contains("--out"))
        let run = Self.shards(3)[1].run
        let read = try SoakFile.run(parsing: SoakFile.bytes(of: run, verdict: SoakVerdict(of: run)))
        #expect(read.plan == run.plan && read.plan?.shard == SoakPlan.Shard(number: 2, count: 3))
    }

    @Test("the page says nothing as markup that a folder's name says")
    func hostile() throws {
        var runs = Self.shards(2)
        runs[0].label = "<script>alert(1)</script>"
        runs[0].run.hosts[0].report = ExampleRun.whole("1-0", but: .stacks)
        let html = try SoakSum(runs).html
        #expect(!html.contains("<script>alert") && html.contains("&lt;script&gt;alert(1)"))
    }
}

extension SoakHost {
    /// The same under another ID.
    fileprivate func named(_ id: String) -> SoakHost {
        var host = SoakHost(id: id, start: start)
        (host.end, host.ending, host.gaps) = (end, ending, gaps)
        host.report = report
        return host
    }
}
