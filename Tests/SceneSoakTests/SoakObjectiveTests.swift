import SceneVocabulary
import Testing

@testable import SceneSoak

@Suite("An objective")
struct SoakObjectiveTests {
    private static let readings: [(String, SoakMetric, SoakObjective.Comparison, Double)] = [
        ("p99<20ms", .percentile(99, kind: nil), .less, 20e6),
        ("p99.99 <= 1.5s", .percentile(99.99, kind: nil), .atMost, 1.5e9),
        ("p50<800us", .percentile(50, kind: nil), .less, 800e3),
        ("p50<800µs", .percentile(50, kind: nil), .less, 800e3),
        ("max<1s", .percentile(100, kind: nil), .less, 1e9), ("mean<2ms", .mean(kind: nil), .less, 2e6),
        ("p99[push]<50ms", .percentile(99, kind: .push), .less, 50e6),
        ("max[links]<50ms", .percentile(100, kind: .openurl), .less, 50e6), ("lost=0", .lost, .equal, 0),
        ("missed<1%", .missed, .less, 1), ("cutoff<=5", .cutOff, .atMost, 5),
        ("errors<0.1%", .errors(nil), .less, 0.1),
        ("errors.QueueFull<10", .errors("QueueFull"), .less, 10),
        ("outcome.rejected<1%", .outcome(.rejected), .less, 1),
        ("rate>=450/s", .rate, .atLeast, 450), ("rate>450", .rate, .more, 450),
        ("rss<64MiB", .peak(.resident), .less, 64 * 1_048_576),
        ("rss.growth<512KiB/h", .growth(.resident), .less, 524_288),
        ("descriptors<100", .peak(.descriptors), .less, 100),
        ("descriptors.growth<1/h", .growth(.descriptors), .less, 1),
        ("coordinators.growth<2/h", .growth(.coordinators), .less, 2), ("violations=0", .violations, .equal, 0),
        ("gaps=0", .gaps, .equal, 0),
    ]

    @Test("is read with its metric, comparison and limit", arguments: readings)
    func reading(text: String, metric: SoakMetric, comparison: SoakObjective.Comparison, limit: Double) throws {
        let objective = try #require(try SoakObjective.parse(text).first)
        #expect(objective.metric == metric)
        #expect(objective.comparison == comparison)
        #expect(abs(objective.limit.value - limit) <= limit * 1e-12)
        #expect(objective.limit.isPercent == text.hasSuffix("%"))
        #expect(objective.text == text.filter { $0 != " " })
        #expect(try SoakObjective.parse(objective.text) == [objective], "the text kept in the plan reads the same")
    }

    @Test("is read in a list, with white space or without")
    func list() throws {
        let texts = try SoakObjective.parse(" p99<20ms,lost = 0 , p99[push] < 50ms ").map(\.text)
        #expect(texts == ["p99<20ms", "lost=0", "p99[push]<50ms"])
    }

    @Test(
        "that cannot be read says at which column, what is wrong and what was expected",
        arguments: [
            ("", 1, "expected a metric, as in p99<20ms or lost=0"),
            ("p99<20ms,", 10, "expected a metric, as in p99<20ms or lost=0"),
            ("p99<20", 7, "the unit is missing; expected 20us or 20ms or 20s"),
            ("p99<20min", 7, "wrong unit 'min'; expected 20us or 20ms or 20s"),
            ("rss<64MB", 7, "wrong unit 'MB'; expected 64KiB or 64MiB"),
            ("rss.growth<1MiB", 13, "wrong unit 'MiB'; expected 1KiB/h or 1MiB/h"),
            ("lost=0,erors<1%", 8, "unknown metric 'erors'. Did you mean 'errors'?"),
            ("p999<1ms", 1, "'p999' is not a percentile; expected a number above 0 and up to 100, as in p99.9"),
            ("p99 20ms", 5, "expected one of < <= = >= >"),
            ("p99==20ms", 4, "expected one of < <= = >= >, found '=='"),
            ("p99≤20ms", 4, "expected one of < <= = >= >, found '≤'"),
            ("p99<fast", 5, "expected a number, such as 20ms"),
            ("p99<1.2.3ms", 5, "expected a number, such as 20ms"),
            ("p99[push<1ms", 13, "expected a kind of event and ']', as in p99[push]"),
            ("lost[push]=0", 5, "only latencies have a kind: p99[push], max[push], mean[push]"),
            ("p99<20ms lost=0", 10, "expected ',' or the end, found 'l'"),
            ("lost=0,lost<0", 8, "nothing could meet this, because it is 0 or more"),
            ("lost>=0", 1, "everything would meet this, because it is 0 or more"),
            ("p99<0ms", 1, "nothing could meet this, because it is 0 or more"),
            ("errors>100%", 1, "nothing could meet this, because it is from 0 to 100 %"),
            ("errors=101%", 1, "nothing could meet this, because it is from 0 to 100 %"),
            ("cutoff<=100%", 1, "everything would meet this, because it is from 0 to 100 %"),
            ("outcome.aplied>1%", 9, "unknown outcome 'aplied'; expected one of \(outcomes)"),
            ("p99[siri]<1ms", 5, "unknown kind of event 'siri'; expected one of \(ActionKind.names)"),
        ]
    )
    func problems(text: String, column: Int, problem: String) {
        let error = #expect(throws: SoakObjectiveError.self) { try SoakObjective.parse(text) }
        #expect(error?.problem == problem)
        #expect(error?.column == column)
        #expect(error?.description == "'\(text)', column \(column): \(problem)")
    }

    private static let outcomes = OutcomeName.allCases.map(\.rawValue).joined(separator: ", ")

    @Test(
        "says something: some value meets it and some does not, by whatever metric, comparison and limit",
        arguments: SoakMetric.names + SoakMetric.usualPercentiles + [
            "errors.QueueFull", "outcome.applied", "p99[push]",
        ]
    )
    func meaning(name: String) throws {
        let values: [Double] = [0, 0.5, 1, 2, 50, 100, 101, 1e300]
        for comparison in SoakObjective.Comparison.allCases {
            for limit in ["0", "1", "100", "101"] {
                for unit in ["", "%", "ms", "/s", "KiB", "KiB/h", "/h"] {
                    let text = "\(name == "outcome" ? "outcome.applied" : name)\(comparison.rawValue)\(limit)\(unit)"
                    let read: SoakObjective?
                    var problem = ""
                    do throws(SoakObjectiveError) {
                        read = try SoakObjective.parse(text).first
                    } catch {
                        (read, problem) = (nil, error.problem)
                    }
                    // What may be measured: shares only up to 100, and what grows may also shrink.
                    let number = (Double(limit) ?? 0) * (unit == "ms" ? 1e6 : unit.hasPrefix("KiB") ? 1024 : 1)
                    let isGrowth = name.hasSuffix(".growth")
                    let possible = (values + [number] + (isGrowth ? [-1e300] : [])).filter { unit != "%" || $0 <= 100 }
                    let results = Set(possible.map { comparison.holds($0, number) })
                    if read != nil { #expect(results.count == 2, "\(text)") }
                    if problem.contains("meet this") { #expect(results.count == 1, "\(text): \(problem)") }
                }
            }
        }
    }

    @Test("lists all metrics if the name resembles none")
    func unknownMetric() {
        let error = #expect(throws: SoakObjectiveError.self) { try SoakObjective.parse("happiness>9") }
        #expect(error?.problem.hasPrefix("unknown metric 'happiness'. The metrics are p50, p90") == true)
    }

    private func result(_ text: String, of run: SoakRun) throws -> SoakObjectiveResult {
        let objective = try #require(try SoakObjective.parse(text).first)
        return objective.judge(run, totals: SoakTotals(of: run), trends: SoakTrend.all(of: run))
    }

    @Test(
        "is met, missed or unknown according to the run",
        arguments: [
            ("p99<20ms", true), ("p50>1s", false), ("max<10s", true), ("lost=0", true), ("missed=0", true),
            ("cutoff=34", true),
            ("cutoff<1%", true), ("errors<1%", true), ("errors.QueueFull<1", false), ("errors.Other=0", true),
            ("outcome.gated>1%", true), ("rate>=450/s", true), ("rate<450/s", false), ("rss<64MiB", true),
            ("rss.growth<4MiB/h", true), ("threads<=6", true), ("violations=0", true), ("gaps=0", true),
            ("p99[push]<20ms", true),
            ("p99[widget]<20ms", nil),
        ] as [(String, Bool?)]
    )
    func judging(text: String, isMet: Bool?) throws {
        let result = try result(text, of: ExampleRun.make())
        switch result.state {
        case .met: #expect(isMet == true)
        case .missed: #expect(isMet == false, "\(result.seen ?? "")")
        case .unknown(let reason):
            #expect(isMet == nil)
            #expect(reason == "no widget was answered; there were gesture, openurl, push")
        }
        #expect((result.seen == nil) == (isMet == nil))
    }

    @Test("is unknown if nothing was measured")
    func unmeasured() throws {
        let run = SoakRun(plan: ExampleRun.plan(), place: ExampleRun.make().place, began: 0)
        for text in ["p99<1ms", "errors<1%", "rate>1", "rss<1MiB", "rss.growth<1MiB/h", "violations=0"] {
            guard case .unknown = try result(text, of: run).state else {
                Issue.record("\(text): \(try result(text, of: run).state)")
                continue
            }
        }
    }

    @Test("on latency is unknown, not missed, if the generator itself was as late")
    func lateGenerator() throws {
        var run = ExampleRun.make()
        #expect(try result("p99<1ms", of: run).state != .unknown(""))
        guard case .missed = try result("p99<1ms", of: run).state else {
            Issue.record("\(try result("p99<1ms", of: run).state)")
            return
        }
        run.generatorLag = run.serviceTime
        guard case .unknown(let reason) = try result("p99<1ms", of: run).state else {
            Issue.record("\(try result("p99<1ms", of: run).state)")
            return
        }
        #expect(reason.hasPrefix("the load generator itself was late, by 2.5"))
        guard case .met = try result("p99<20ms", of: run).state else {
            Issue.record("what is met is met")
            return
        }
    }
}
