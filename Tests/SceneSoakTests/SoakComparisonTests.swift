import Histogram
import StrictJSON
import Testing

@testable import SceneSoak

@Suite("A comparison of two soaks")
struct SoakComparisonTests {
    private func change(_ comparison: SoakComparison, _ name: String) -> SoakComparison.Change? {
        comparison.rows.first { $0.name == name }?.change
    }

    @Test("finds no difference between two soaks of one daemon, whatever the seed of their noise")
    func noise() {
        var found: [String] = []
        for seed in 1...UInt64(8) {
            let comparison = SoakComparison(
                ExampleRun.make(seed: seed, kills: false),
                ExampleRun.make(seed: seed + 100, kills: false)
            )
            #expect(comparison.warnings.isEmpty)
            found += comparison.rows.filter { $0.change != .same }.map { "\(seed): \($0.name) \($0.change)" }
        }
        // One or two of 8 × 10 rows may differ by chance: a 95 % interval misses one in twenty.
        #expect(found.count <= 4, "\(found)")
    }

    @Test("finds what got slower, and calls the reverse better")
    func slower() {
        let before = ExampleRun.make(kills: false)
        var after = before
        after.latency.reset()
        for value in before.latency.recordedValues() { after.latency.record(value.value * 13 / 10, count: value.count) }
        for index in after.intervals.indices {
            after.intervals[index].percentiles = after.intervals[index].percentiles.mapValues { $0 * 13 / 10 }
        }
        let comparison = SoakComparison(before, after)
        for name in ["p50", "p90", "p99", "p99.9", "max"] { #expect(change(comparison, name) == .worse, "\(name)") }
        #expect(change(comparison, "rate") == .same && change(comparison, "memory") == .same)
        #expect(comparison.isWorse)
        let ratio = comparison.rows.first { $0.name == "p99" }?.ratio ?? 0
        #expect(abs(ratio - 1.3) < 0.01)
        let back = SoakComparison(after, before)
        #expect(change(back, "p99") == .better && !back.isWorse)
    }

    @Test("finds more memory, a leak, a loss, refusals and a lower rate")
    func others() {
        let before = ExampleRun.make(kills: false)
        var after = ExampleRun.make(leak: 20, kills: false)
        for index in after.intervals.indices {
            after.intervals[index].sample?.resident? += 8 << 20
            after.intervals[index].errors["QueueFull", default: 0] += 500
        }
        after.intervals[50].answered -= 3
        let comparison = SoakComparison(before, after)
        for name in ["rate", "refused", "lost", "memory", "memory growth"] {
            #expect(change(comparison, name) == .worse, "\(name)")
        }
        #expect(change(comparison, "p99") == .same)
        #expect(comparison.conclusions == [.clean, .guilty])
    }

    @Test("warns of every difference between the plans and machines")
    func warnings() {
        let before = ExampleRun.make(rounds: 40)
        var after = before
        after.plan?.rate = 250
        after.plan?.seed = 2
        after.plan?.mix = [:]
        after.plan?.faults = []
        after.place.cores = 8
        after.ending = .interrupted
        after.generatorLag = after.latency
        let warnings = SoakComparison(before, after).warnings
        for part in [
            "the number of cores differs: 2 and 8.", "the rate differs: 500/s and 250/s.", "the seed differs: ",
            "the mix differs: gesture=2,openurl=4,push=3.5 and none.", "the faults differs: ",
            "the second was interrupted after 6 min 40 s.", "the load generator of the second itself was late",
        ] {
            #expect(warnings.contains { $0.hasPrefix(part) }, "no '\(part)' in \(warnings)")
        }
        #expect(warnings.count == 7)
        after.plan = nil
        #expect(SoakComparison(before, after).warnings.contains { $0.hasPrefix("one was read from a journal") })
    }

    @Test("does not judge a few intervals, and accepts an empty run")
    func few() {
        let short = ExampleRun.make(kills: false, rounds: 16)
        let comparison = SoakComparison(short, short)
        #expect(change(comparison, "p99") == .unknown)
        let nothing = SoakRun(plan: nil, place: short.place, began: 0)
        let empty = SoakComparison(nothing, nothing)
        #expect(!empty.isWorse && empty.rows.allSatisfy { $0.change == .unknown || $0.name == "lost" })
        #expect(empty.text(names: ("a", "b")).contains("unknown"))
    }

    @Test("is a table with a ratio in each row, as text and as JSON")
    func text() {
        let run = ExampleRun.make(kills: false)
        let comparison = SoakComparison(run, run)
        let text = comparison.text(names: ("before", "a-folder-with-a-very-long-name/soak.json"))
        #expect(text.contains("ratio"))
        #expect(text.contains("…"))
        #expect(text.split(separator: "\n").contains { $0.hasPrefix("p99 ") && $0.hasSuffix("1 ×  within noise") })
        #expect(text.split(separator: "\n").contains { $0.hasPrefix("verdict") && $0.hasSuffix("clean") })
        #expect(comparison.json["rows"]?[0]?["change"]?.stringValue == "same")
        #expect(comparison.json["rows"]?[0]?["unit"]?.stringValue == "nanoseconds")
    }
}
