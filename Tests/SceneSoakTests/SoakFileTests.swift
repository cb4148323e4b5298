import Foundation
import Histogram
import SceneHistory
import Basics
import StrictJSON
import TestFixtures
import Testing

@testable import SceneSoak

@Suite("soak.json")
struct SoakFileTests {
    /// A run with every kind of member.
    private var full: SoakRun { full(rounds: 40) }

    private func full(rounds: Int) -> SoakRun {
        var run = ExampleRun.make(rounds: rounds)
        run.ending = .failed("the daemon did not come back")
        run.place.manifest = "0123456789abcdef"
        run.plan?.shard = SoakPlan.Shard(number: 2, count: 7)
        run.faults[0].hasFailed = true
        run.hosts[0].gaps = SoakHost.Gap.Cause.allCases.enumerated().map {
            SoakHost.Gap(first: $0 * 10, last: $0 * 10 + 3, at: .nanoseconds(1_234_567_891), cause: $1)
        }
        run.hosts[0].report = ExampleRun.whole("h1", but: .stacks, unknown: "the records end")
        run.hosts[0].invocation = "0123456789abcdef0123456789abcdef"
        run.hosts[0].boot = "fedcba9876543210fedcba9876543210"
        run.hosts[0].evidence = [
            SoakHost.Evidence(
                invariant: .stacks,
                records: "evidence/stacks.jsonl",
                page: "evidence/stacks.html",
                replay: "evidence/stacks.json",
                places: [815: 3, 9: 0]
            ),
            SoakHost.Evidence(invariant: .stacks, records: "evidence/2.jsonl", replay: nil),
        ]
        run.hosts[1].ending = .vanished("signal 6")
        run.hosts.append(SoakHost(id: "h3 \"<\u{7}", start: .zero))
        run.coverage = SoakCoverage(
            items: Dictionary(
                uniqueKeysWithValues: SoakCoverage.Part.allCases.map { part in
                    (part, [SoakCoverage.Item("one <", 3), SoakCoverage.Item("two", 0, why: "nobody \"asked\"")])
                }
            )
        )
        run.faults[0].page = SoakFault.Page(file: "fault-stall.html", place: 1000)
        run.latency.record(86_400_000_000_000)
        run.latency.record(1)
        return run
    }

    @Test("gives back the run that was written, to the nanosecond and the last count")
    func roundTrip() throws {
        for run in [full, ExampleRun.make(), SoakRun(plan: nil, place: full.place, began: 0)] {
            let bytes = SoakFile.bytes(of: run, verdict: SoakVerdict(of: run))
            let read = try SoakFile.run(parsing: bytes)
            #expect(read.plan == run.plan)
            #expect(read.place.system == run.place.system && read.place.memory == run.place.memory)
            #expect(read.began == run.began && read.length == run.length && read.ending == run.ending)
            #expect(read.intervals == run.intervals)
            let isSame =
                read.latency == run.latency && read.serviceTime == run.serviceTime
                && read.generatorLag == run.generatorLag
            #expect(isSame)
            let most = (read.latency.maxRecorded, run.latency.maxRecorded)
            #expect(most.0 == most.1)
            #expect(read.latencyByKind.mapValues(\.totalCount) == run.latencyByKind.mapValues(\.totalCount))
            #expect(read.faults == run.faults && read.hosts == run.hosts && read.scenes == run.scenes)
            #expect(
                SoakFile.bytes(of: read, verdict: SoakVerdict(of: read)) == bytes,
                "writing it again gives the same bytes"
            )
        }
    }

    @Test("is shown and compared, or refused, whatever its integers are")
    func extremeIntegers() throws {
        let run = full(rounds: 3)
        let file = SoakFile.json(of: run, verdict: SoakVerdict(of: run))
        var accepted = 0
        for (index, (path, value)) in file.with([.max, 1 << 62, 0, .min]).enumerated() {
            guard let read = try? SoakFile.run(parsing: Array(value.text().utf8)) else { continue }
            accepted += 1
            let verdict = SoakVerdict(of: read)
            #expect(!SoakReport.text(of: read, verdict: verdict).isEmpty, "\(path)")
            // These take long, and each integer of a path meets one of them, another one in the next path.
            switch index % 9 {
            case 0: #expect(!SoakReport.html(of: read, verdict: verdict).isEmpty, "\(path)")
            case 1: #expect(!SoakComparison(run, read).text(names: ("a", "b")).isEmpty, "\(path)")
            case 2: #expect(!SoakComparison(read, run).text(names: ("a", "b")).isEmpty, "\(path)")
            default: break
            }
        }
        #expect(accepted > 100)
    }

    @Test("keeps latencies of a microsecond, an hour and a day")
    func latencies() {
        var histogram = SoakRun.histogram()
        let taken = [1_000, 3_600_000_000_000, 86_400_000_000_000].map { histogram.record($0) }
        #expect(taken == [true, true, true])
        let count = histogram.totalCount
        #expect(count == 3)
    }

    @Test("keeps histograms exactly, whatever was recorded", arguments: 1...20)
    func histograms(seed: UInt64) throws {
        var random = SplitMix(seed: seed)
        var run = SoakRun(plan: nil, place: full.place, began: 0)
        for _ in 0..<random.below(200) {
            let magnitude = UInt64(1) << UInt64(random.below(50))
            run.latency.record(UInt64.random(in: 0...magnitude, using: &random), count: UInt64(1 + random.below(5)))
        }
        let read = try SoakFile.run(parsing: SoakFile.bytes(of: run)).latency
        let isSame = read == run.latency
        #expect(isSame)
        for rank in [0.1, 50, 99, 99.99, 100] {
            let values = (read.valueAtPercentile(rank), run.latency.valueAtPercentile(rank))
            #expect(values.0 == values.1)
        }
    }

    private static func replaced(_ old: String, _ new: String) throws -> [UInt8] {
        let text = String(decoding: SoakFile.bytes(of: ExampleRun.make(rounds: 40)), as: UTF8.self)
        #expect(text.contains(old))
        return Array(text.replacing(old, with: new, maxReplacements: 1).utf8)
    }

    @Test(
        "that is damaged is refused with the place and what was expected",
        arguments: [
            ("\"scened-soak\"", "\"other\"", "format: expected \"scened-soak\", found \"other\""),
            (
                "\"version\":1", "\"version\":2",
                "version: expected 1, the version that this build reads, found 2"
            ),
            ("\"began\":17", "\"began\":-17", "began: expected integer from 0, found -1700000000000000"),
            (
                "\"cores\":2", "\"cores\":\"two\"",
                "place.cores: expected integer from 0 to 1000000000000, found \"two\""
            ),
            ("\"sent\":", "\"gone\":", "intervals[0].sent: expected integer from 0 to 1000000000000, found nothing"),
            (
                "\"arrival\":\"poisson\"", "\"arrival\":\"monday\"",
                "expected one of \"uniform\", \"poisson\", found \"monday\""
            ),
            ("\"kind\":\"stall\"", "\"kind\":\"hug\"", "faults[0].kind: expected one of \"client\""),
            ("\"name\":\"ticketOrder\"", "\"name\":\"luck\"", "hosts[0].report.invariants[0].name: expected one of "),
            ("\"ending\":\"killed\"", "\"ending\":\"bored\"", "hosts[0].ending: expected one of "),
            ("\"seed\":\"184", "\"seed\":\"-184", "seed: expected string with a 64-bit number"),
            ("\"50\":", "\"500\":", "expected object of percentiles"),
            (
                "\"length\":400000000000", "\"length\":9223372036854775807",
                "length: expected integer from 0 to 3155760000000000000, found 9223372036854775807"
            ),
            (
                "\"due\":", "\"due\":9223372036854775807,\"x\":",
                "intervals[0].due: expected integer from 0 to 1000000000000, found 9223372036854775807"
            ),
            ("\"values\":[[", "\"values\":[[9,9],[8,1],[", "latency.values: expected ascending values"),
            (
                "\"values\":[[", "\"values\":[[9],[",
                "latency.values[0]: expected [value, count from 1], found array"
            ),
            ("\"values\":[[", "\"values\":[[1,0],[", "latency.values[0]: expected [value, count from 1]"),
        ]
    )
    func damage(old: String, new: String, problem: String) throws {
        let bytes = try Self.replaced(old, new)
        let error = #expect(throws: SoakFileError.self) { try SoakFile.run(parsing: bytes) }
        #expect(error?.problem.contains(problem) == true, "\(error?.description ?? "")")
        #expect((error?.column ?? 0) > (new.contains("other") ? 0 : 1), "\(error?.description ?? "")")
    }

    @Test("that was cut off is refused")
    func cut() {
        let bytes = SoakFile.bytes(of: ExampleRun.make(rounds: 20))
        for count in [0, 1, 100, bytes.count / 2, bytes.count - 3] {
            let error = #expect(throws: SoakFileError.self) { try SoakFile.run(parsing: Array(bytes[..<count])) }
            #expect(error?.problem.hasPrefix("not complete JSON") == true)
        }
    }

    @Test("never traps, whichever byte is changed")
    func mutations() {
        let bytes = SoakFile.bytes(of: ExampleRun.make(rounds: 16))
        var random = SplitMix(seed: 11)
        var read = 0
        for _ in 0..<60 {
            var changed = bytes
            for _ in 0..<1 + random.below(3) {
                changed[random.below(changed.count)] = UInt8(ascii: "0") + UInt8(random.below(10))
            }
            guard let run = try? SoakFile.run(parsing: changed) else { continue }
            read += 1
            _ = SoakReport.text(of: run, verdict: SoakVerdict(of: run))
        }
        #expect(read > 0)
    }

    @Test("carries the verdict, for other tools")
    func verdict() throws {
        let run = ExampleRun.make()
        let json = SoakFile.json(of: run, verdict: SoakVerdict(of: run))
        let latency = json["verdict"]?["latency"]
        #expect(latency?["99.9"]?.integerValue == Int(run.latency.valueAtPercentile(99.9)))
        #expect(latency?["100"]?.integerValue == Int(run.latency.maxRecorded))
        #expect(json["verdict"]?["conclusion"]?.stringValue == "clean")
        #expect(json["verdict"]?["objectives"]?[0]?["state"]?.stringValue == "met")
        #expect(json["verdict"]?["trends"]?[0]?["subject"]?.stringValue == "resident")
    }

    private static func schema() throws -> JSONSchema {
        let file = URL(filePath: #filePath).deletingLastPathComponent()
            .appending(path: "../../protocol/soak.schema.json").standardized
        return JSONSchema(try JSONValue(parsing: String(contentsOf: file, encoding: .utf8)))
    }

    @Test("conforms to protocol/soak.schema.json, whatever is in it")
    func schema() throws {
        let schema = try Self.schema()
        for run in [full, ExampleRun.make(rounds: 40), SoakRun(plan: nil, place: full.place, began: 0)] {
            #expect(try schema.failures(SoakFile.json(of: run, verdict: SoakVerdict(of: run))) == [])
        }
        #expect(
            try schema.failures(JSONValue(parsing: Self.replaced("\"cores\":2", "\"cores\":\"two\""))) == [
                ".place.cores"
            ]
        )
        #expect(try schema.failures(JSONValue(parsing: Self.replaced("\"began\":", "\"begun\":"))) == [".began"])
    }

    @Test("writes no member that the schema does not know")
    func members() throws {
        let file = try Self.schema().schema
        let json = SoakFile.json(of: full, verdict: SoakVerdict(of: full))
        func keys(_ value: JSONValue?) -> Set<String> { Set(value?.objectValue?.keys ?? []) }
        #expect(keys(json).isSubset(of: keys(file["properties"])))
        #expect(keys(json["plan"]) == keys(file["properties"]?["plan"]?["properties"]))
        #expect(keys(json["place"]) == keys(file["properties"]?["place"]?["properties"]))
        #expect(keys(json["hosts"]?[0]).union(["reason"]) == keys(file["$defs"]?["host"]?["properties"]))
        let evidence = file["$defs"]?["host"]?["properties"]?["evidence"]?["items"]?["properties"]
        #expect(keys(json["hosts"]?[0]?["evidence"]?[0]) == keys(evidence))
        #expect(keys(json["faults"]?[0]) == keys(file["properties"]?["faults"]?["items"]?["properties"]))
        for interval in json["intervals"]?.arrayValue ?? [] {
            #expect(keys(interval).isSubset(of: keys(file["$defs"]?["interval"]?["properties"])))
            #expect(
                keys(interval["sample"]).isSubset(
                    of: keys(file["$defs"]?["interval"]?["properties"]?["sample"]?["properties"])
                )
            )
        }
    }
}
