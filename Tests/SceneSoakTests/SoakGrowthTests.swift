import Basics
import StrictJSON
import Testing

@testable import SceneSoak

@Suite("An objective about growth")
struct SoakGrowthTests {
    private static let mebibyte = 1_048_576.0

    /// Memory of one host, sampled every ten seconds: a slope under noise of which a share carries over to the next sample.
    private struct Memory {
        var seed: UInt64
        /// In MiB per hour.
        var slope = 0.0
        /// The standard deviation, in MiB.
        var noise = 1.0
        var likeness = 0.5
        var hours = 1.0

        var samples: [(time: Duration, value: Double)] {
            var random = SplitMix(seed: seed)
            var rest = 0.0
            return (0..<Int(hours * 360)).map { index in
                // The sum of three numbers is nearly normal; of these, the variance is 1.
                var shock = 0.0
                for _ in 0..<3 { shock += Double.random(in: -1...1, using: &random) }
                rest = likeness * rest + (1 - likeness * likeness).squareRoot() * shock
                let time = Double(index) / 360
                return (.seconds(index * 10), (40 + slope * time + noise * rest) * mebibyte)
            }
        }

        var trend: SoakTrend { SoakTrend(.resident, host: "h", samples: samples) }
    }

    /// A run of which only the trends matter.
    private static let empty = SoakRun(plan: nil, place: ExampleRun.make(rounds: 1).place, began: 0)

    private static func result(_ objective: String, _ trends: [SoakTrend]) throws -> SoakObjectiveResult {
        let run = empty
        let parsed = try #require(try SoakObjective.parse(objective).first)
        return parsed.judge(run, totals: SoakTotals(of: run), trends: trends)
    }

    /// Whether it is met; `nil` if that is unknown.
    private static func isMet(_ objective: String, _ trends: [SoakTrend]) throws -> Bool? {
        switch try result(objective, trends).state {
        case .met: true
        case .missed: false
        case .unknown: nil
        }
    }

    /// Series of every kind, flat and not, quiet and noisy, short and long, with their trends.
    private static let series: [(memory: Memory, trend: SoakTrend)] = (1...UInt64(40)).map { seed in
        var random = SplitMix(seed: seed)
        let memory = Memory(
            seed: seed,
            slope: random.pick([-20, -1, 0, 0, 0.5, 2, 4, 8, 40]),
            noise: random.pick([0, 0.1, 1, 10]),
            likeness: random.pick([0, 0.5, 0.9]),
            hours: random.pick([0.2, 0.5, 1])
        )
        return (memory, memory.trend)
    }

    /// In KiB per hour.
    private static let limits = [0, 1, 100, 512, 1_024, 2_048, 4_096, 8_192, 40_960, 200_000]

    @Test(
        "is monotone in its limit: what is met stays met below a higher one, what is missed stays missed below a lower one"
    )
    func monotone() throws {
        var seen: Set<Bool?> = []
        for (memory, trend) in Self.series {
            let trends = [trend]
            for comparison in ["<", "<="] {
                let states = try Self.limits.map { try Self.isMet("rss.growth\(comparison)\($0)KiB/h", trends) }
                let order = states.map { state in state.map { $0 ? 2 : 0 } ?? 1 }
                #expect(order == order.sorted(), "seed \(memory.seed): \(order)")
                seen.formUnion(states)
            }
            for comparison in [">", ">="] {
                let states = try Self.limits.map { try Self.isMet("rss.growth\(comparison)\($0)KiB/h", trends) }
                let order = states.map { state in state.map { $0 ? 0 : 2 } ?? 1 }
                #expect(order == order.sorted(), "seed \(memory.seed): \(order)")
            }
        }
        #expect(seen == [true, false, nil], "the series are of every kind")
    }

    @Test("is met or missed only if all of the interval is on one side of the limit, and else unknown")
    func crossing() throws {
        for (memory, trend) in Self.series {
            let trends = [trend]
            let line = try #require(trends[0].line)
            for limit in Self.limits {
                let bytes = Double(limit) * 1024
                let expected: Bool? = line.high < bytes ? true : line.low >= bytes ? false : nil
                #expect(try Self.isMet("rss.growth<\(limit)KiB/h", trends) == expected, "seed \(memory.seed), \(limit)")
            }
        }
    }

    @Test("with = is met only by what certainly does not vary, and missed by what cannot be it")
    func equal() throws {
        let still = SoakTrend(
            .descriptors,
            host: "h",
            samples: (0..<200).map { (time: .seconds($0 * 10), value: 64) }
        )
        #expect(try Self.isMet("descriptors.growth=0/h", [still]) == true)
        #expect(try Self.isMet("descriptors.growth=1/h", [still]) == false)
        let noisy = try Self.result("rss.growth=0KiB/h", [Memory(seed: 1).trend])
        guard case .unknown(let reason) = noisy.state else {
            Issue.record("\(noisy.state)")
            return
        }
        #expect(reason.hasSuffix("an interval is never one number, so compare with < or <="))
        #expect(noisy.longer == nil)
    }

    @Test("finds a real leak, and does not call it met", arguments: [8.0, 16, 64])
    func leak(slope: Double) throws {
        var missed = 0
        for seed in 1...UInt64(15) {
            let state = try Self.isMet("rss.growth<4MiB/h", [Memory(seed: seed, slope: slope, hours: 2).trend])
            #expect(state != true, "seed \(seed)")
            if state == false { missed += 1 }
        }
        #expect(missed >= 14, "\(missed) of 15")
    }

    @Test("is hardly ever met although memory grows by just more, nor missed although it grows by just less")
    func borderline() throws {
        var (wronglyMet, wronglyMissed) = (0, 0)
        let seeds = 150
        for seed in 1...UInt64(seeds) {
            let over = [Memory(seed: seed, slope: 4.001, hours: 1).trend]
            if try Self.isMet("rss.growth<4MiB/h", over) == true { wronglyMet += 1 }
            let under = [Memory(seed: seed, slope: 3.999, hours: 1).trend]
            if try Self.isMet("rss.growth<4MiB/h", under) == false { wronglyMissed += 1 }
        }
        // Each end of the interval is wrong once in forty times.
        #expect(wronglyMet <= seeds * 6 / 100, "\(wronglyMet) of \(seeds)")
        #expect(wronglyMissed <= seeds * 6 / 100, "\(wronglyMissed) of \(seeds)")
    }

    @Test("is met by memory that is flat, given enough samples")
    func flat() throws {
        var met = [0, 0]
        for seed in 1...UInt64(15) {
            for (index, hours) in [0.2, 4].enumerated() {
                let trends = [Memory(seed: seed, hours: hours).trend]
                if try Self.isMet("rss.growth<2MiB/h", trends) == true { met[index] += 1 }
            }
        }
        #expect(met[0] <= 2, "twelve minutes tell nothing: \(met[0]) of 15")
        #expect(met[1] >= 14, "\(met[1]) of 15")
    }

    @Test("that is unknown says how much longer would tell, and mostly that tells")
    func longer() throws {
        var (unknown, told) = (0, 0)
        for seed in 1...UInt64(24) {
            var memory = Memory(seed: seed, slope: seed.isMultiple(of: 2) ? 0.5 : 7, noise: 2, hours: 0.5)
            let result = try Self.result("rss.growth<4MiB/h", [memory.trend])
            guard case .unknown(let reason) = result.state, let longer = result.longer else { continue }
            #expect(reason.hasSuffix("; about \(Wording.duration(longer)) more would tell"), "\(reason)")
            #expect(longer >= .seconds(300))
            unknown += 1
            memory.hours += longer.seconds / 3600
            // It cannot know how far the slope of a short time is off.
            guard memory.hours < 12 else { continue }
            memory.hours *= 1.5
            if try Self.isMet("rss.growth<4MiB/h", [memory.trend]) != nil { told += 1 }
        }
        #expect(unknown >= 12, "\(unknown)")
        #expect(told * 4 >= unknown * 3, "\(told) of \(unknown)")
    }

    @Test("does not pretend that time would tell where the slope is as good as the limit")
    func never() throws {
        let trend = Memory(seed: 1).trend
        let line = try #require(trend.line)
        let run = Self.empty
        for distance in [0, line.margin / 1e6] {
            let objective = SoakObjective(
                text: "rss.growth<x",
                metric: .growth(.resident),
                comparison: .less,
                limit: SoakObjective.Limit(value: line.perHour + distance, isPercent: false)
            )
            let result = objective.judge(run, totals: SoakTotals(of: run), trends: [trend])
            guard case .unknown(let reason) = result.state else {
                Issue.record("\(result.state)")
                continue
            }
            #expect(reason.hasSuffix("; a month more would not tell") && result.longer == nil)
        }
    }

    @Test("does not depend on the order in which the samples come")
    func order() {
        for (memory, trend) in Self.series.prefix(10) {
            let samples = memory.samples
            var random = SplitMix(seed: memory.seed ^ 77)
            #expect(SoakTrend(.resident, host: "h", samples: samples.shuffled(using: &random)) == trend)
        }
    }

    @Test("does not depend on the unit")
    func units() throws {
        for (memory, trend) in Self.series {
            let trends = [trend]
            for (one, other) in [("2MiB/h", "2048KiB/h"), ("8192KiB/h", "8MiB/h"), ("1GiB/h", "1024MiB/h")] {
                let results = try [one, other].map { try Self.result("rss.growth<\($0)", trends) }
                #expect(results[0].state == results[1].state && results[0].longer == results[1].longer)
            }
            // A thousand times the memory against a thousand times the limit.
            guard memory.seed.isMultiple(of: 4) else { continue }
            let large = SoakTrend(.resident, host: "h", samples: memory.samples.map { ($0.time, $0.value * 1024) })
            #expect(try Self.isMet("rss.growth<4MiB/h", trends) == Self.isMet("rss.growth<4GiB/h", [large]))
        }
    }

    @Test("is about the host that grows fastest, as far as any of them tells")
    func hosts() throws {
        let quiet = Memory(seed: 1, noise: 0.1, hours: 3).trend
        let leaking = Memory(seed: 2, slope: 20, noise: 0.1, hours: 3).trend
        let noisy = Memory(seed: 3, noise: 30, hours: 3).trend
        let brief = SoakTrend(.resident, host: "h", samples: Array(Memory(seed: 4, slope: 500).samples.prefix(9)))
        #expect(try Self.isMet("rss.growth<4MiB/h", [quiet]) == true)
        #expect(try Self.isMet("rss.growth<4MiB/h", [quiet, leaking]) == false)
        #expect(try Self.isMet("rss.growth<4MiB/h", [quiet, noisy]) == nil)
        #expect(try Self.isMet("rss.growth<4MiB/h", [leaking, noisy]) == false)
        #expect(try Self.isMet("rss.growth<4MiB/h", [quiet, brief]) == true, "it ran for too short a time to count")
        #expect(try Self.result("rss.growth<4MiB/h", [brief]).seen == nil)
        #expect(try Self.isMet("rss.growth<4MiB/h", [brief]) == nil)
    }

    @Test("that is unknown makes the verdict unknown and the exit status 4, and the reports say why")
    func verdict() throws {
        var run = ExampleRun.make(kills: false)
        var random = SplitMix(seed: 5)
        for index in run.intervals.indices {
            run.intervals[index].sample?.resident? += random.below(50 << 20)
        }
        run.plan?.objectives = ["rss.growth<4MiB/h"]
        let verdict = SoakVerdict(of: run)
        #expect(verdict.conclusion == .unknown && verdict.status(of: run) == 4)
        let reason = try #require(verdict.reasons.first?.text)
        #expect(reason.hasPrefix("rss.growth<4MiB/h cannot be judged: "))
        #expect(
            reason.contains(" MiB/h, and with 95 % certainty −") && reason.hasSuffix(" more would tell"),
            "\(reason)"
        )
        #expect(
            verdict.sentence(of: run).hasPrefix("Unknown: nothing wrong was found in 32 min, but rss.growth<4MiB/h")
        )
        let text = SoakReport.text(of: run, verdict: verdict)
        #expect(text.contains("  unknown  rss.growth<4MiB/h ") && !text.contains("  met "))
        #expect(SoakReport.html(of: run, verdict: verdict).contains("? unknown: "))
        let objective = try #require(verdict.json(of: run)["objectives"]?[0])
        #expect(objective["state"] == "unknown" && objective["reason"] != nil)
        let value = try #require(objective["value"]?.doubleValue)
        let (low, high) = (objective["low"]?.doubleValue ?? .nan, objective["high"]?.doubleValue ?? .nan)
        #expect(low < value && value < high && low < 4 * Self.mebibyte && high >= 4 * Self.mebibyte)
        #expect((objective["longer"]?.integerValue ?? 0) >= 300_000_000_000)
    }
}
