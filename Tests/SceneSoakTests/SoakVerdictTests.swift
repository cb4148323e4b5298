import SceneHistory
import Testing

@testable import SceneSoak

@Suite("The verdict of a soak")
struct SoakVerdictTests {
    @Test("is clean if everything holds, although the soak killed the daemon")
    func clean() {
        let run = ExampleRun.make()
        let verdict = SoakVerdict(of: run)
        #expect(verdict.conclusion == .clean, "\(verdict.reasons)")
        #expect(verdict.reasons.isEmpty)
        #expect(verdict.sentence(of: run).hasPrefix("Clean: in 32 min and 900"))
        #expect(verdict.trends.contains { $0.host == "h1" } && verdict.trends.contains { $0.host == "h2" })
    }

    @Test("is clean for many seeds, because noise is not a leak")
    func noise() {
        let guilty = (1...UInt64(12)).filter { SoakVerdict(of: ExampleRun.make(seed: $0)).conclusion != .clean }
        #expect(guilty.count <= 1, "seeds \(guilty)")
    }

    @Test("is guilty for a leak, with its slope and certainty")
    func leak() throws {
        let verdict = SoakVerdict(of: ExampleRun.make(leak: 6, kills: false))
        #expect(verdict.conclusion == .guilty)
        let reason = try #require(verdict.reasons.first { $0.kind == .leak })
        #expect(reason.text.hasPrefix("resident memory grows: +"))
        #expect(reason.text.hasSuffix("p < 0.001"))
    }

    @Test("judges each host separately: a restart neither hides a leak nor looks like one")
    func restart() {
        let leaking = SoakVerdict(of: ExampleRun.make(leak: 8))
        #expect(leaking.reasons.filter { $0.kind == .leak }.count == 2, "both daemons leak, though memory fell between")
        var run = ExampleRun.make()
        for index in run.intervals.indices where run.intervals[index].sample?.host == "h2" {
            run.intervals[index].sample?.resident? += 50 << 20
        }
        #expect(SoakVerdict(of: run).conclusion == .clean)
    }

    @Test("is guilty for latency that grows, but not for latency under a fault")
    func drift() {
        var run = ExampleRun.make()
        for index in run.intervals.indices where !run.intervals[index].isWarmUp {
            run.intervals[index].percentiles[99]? += UInt64(index) * 30_000
        }
        let verdict = SoakVerdict(of: run)
        #expect(verdict.reasons.map(\.kind) == [.drift], "\(verdict.reasons)")
    }

    @Test("lists the weightiest reason first")
    func order() {
        var run = ExampleRun.make(leak: 8)
        run.plan?.objectives = ["p99<1us", "p99[siri]<1ms"]
        run.hosts[1].report = ExampleRun.whole("h2", but: .ticketOrder)
        run.hosts[0].gaps = [SoakHost.Gap(first: 5, last: 9, at: .seconds(3), cause: .rateLimit)]
        run.intervals[40].answered -= 2
        let verdict = SoakVerdict(of: run)
        #expect(verdict.conclusion == .guilty)
        #expect(verdict.reasons.map(\.kind) == [.invariant, .lost, .objective, .leak, .leak, .objective, .gap])
        #expect(verdict.reasons.map(\.isGuilt) == [true, true, true, true, true, false, false])
        #expect(
            verdict.sentence(of: run)
                == "Guilty: invariant 1 is violated in host h2, 3 times: scene C ran ticket 7 while ticket 6 was running; 2 events were lost, and 3 more."
        )
    }

    @Test("forgives the end of a host that the soak killed, and not of one that disappeared by itself")
    func endings() {
        var run = ExampleRun.make()
        run.hosts[0].report = ExampleRun.whole("h1", unknown: "the records end before the host stopped")
        #expect(SoakVerdict(of: run).conclusion == .clean)
        run.hosts[0].ending = .stopped
        #expect(SoakVerdict(of: run).conclusion == .unknown)
        run.hosts[0].ending = .vanished("signal 11")
        let verdict = SoakVerdict(of: run)
        #expect(verdict.conclusion == .guilty)
        #expect(verdict.reasons.first?.text == "the daemon (host h1) disappeared at 16:00: signal 11")
    }

    @Test(
        "takes a gap for a gap, not for a loss, and says how to avoid it",
        arguments: SoakHost.Gap.Cause.allCases
    )
    func gaps(cause: SoakHost.Gap.Cause) {
        var run = ExampleRun.make()
        run.hosts[0].gaps = [SoakHost.Gap(first: 10, last: 12, at: .seconds(30), cause: cause)]
        let verdict = SoakVerdict(of: run)
        #expect(verdict.conclusion == .unknown)
        #expect(verdict.reasons.map(\.text) == ["host h1: 3 records missing (\(cause.explanation))"])
    }

    @Test("says how much could not be judged after a gap, and judges what could")
    func judgedAfterGap() {
        var run = ExampleRun.make()
        run.hosts[0].gaps = [SoakHost.Gap(first: 10, last: 12, at: .seconds(30), cause: .reader)]
        run.hosts[0].report = ExampleRun.whole("h1", unknown: "records 10 to 12 are missing", unjudged: 400)
        let text = SoakVerdict(of: run).reasons.map(\.text).first
        #expect(text?.hasSuffix("; so 400 of 1000 could not be judged") == true, "\(text ?? "")")
        run.hosts[0].report = ExampleRun.whole("h1", but: .stacks, unjudged: 400)
        #expect(SoakVerdict(of: run).conclusion == .guilty)
    }

    @Test("does not count what a stopping daemon could not send")
    func cutOff() {
        var run = ExampleRun.make()
        run.hosts[0].report = ExampleRun.whole("h1", unknown: "the records end before the host stopped or was quiet")
        run.hosts[0].ending = .cutOff
        #expect(SoakVerdict(of: run).conclusion == .clean)
    }

    @Test("does not call events lost if their ends may lie in a gap of the journal")
    func lossInJournal() {
        var run = ExampleRun.make()
        run.intervals[30].answered -= 4
        #expect(SoakVerdict(of: run).conclusion == .guilty)
        run.plan = nil
        run.hosts[0].gaps = [SoakHost.Gap(first: 10, last: 12, at: .seconds(30), cause: .rotation)]
        let verdict = SoakVerdict(of: run)
        #expect(verdict.conclusion == .unknown)
        #expect(verdict.reasons.first?.kind == .lost)
        #expect(verdict.reasons.first?.isGuilt == false)
    }

    @Test(
        "is unknown where a long soak ended early, and says how long would do; who asks for a minute asks for no trends"
    )
    func short() {
        var run = ExampleRun.make(kills: false, rounds: 20)
        run.faults = []
        var brief = run
        brief.plan?.duration = .seconds(60)
        brief.plan?.objectives = ["lost=0"]
        #expect(SoakVerdict(of: brief).conclusion == .clean)
        let verdict = SoakVerdict(of: run)
        #expect(verdict.conclusion == .unknown)
        #expect(verdict.reasons.map(\.kind) == [.objective, .trend])
        #expect(
            verdict.reasons.last?.text
                == "it is unknown whether anything grows: too few samples: 8 over 1 min 10 s, and 30 over 10 min are needed"
        )
    }

    @Test("is unknown if nothing was seen, and if the soak could not continue")
    func nothing() {
        let empty = SoakVerdict(of: SoakRun(plan: nil, place: ExampleRun.make().place, began: 0))
        #expect(empty.conclusion == .unknown)
        var run = ExampleRun.make()
        run.ending = .failed("the disk is full")
        #expect(SoakVerdict(of: run).reasons.map(\.text) == ["the soak could not continue: the disk is full"])
    }

    @Test("is never clean if it was interrupted, and says so before what is unknown because of that")
    func interrupted() {
        var run = ExampleRun.make(kills: false, rounds: 20)
        run.faults = []
        run.ending = .interrupted
        let verdict = SoakVerdict(of: run)
        #expect(verdict.conclusion == .unknown)
        #expect(verdict.reasons.map(\.kind) == [.ended, .objective, .trend])
        #expect(verdict.reasons.first?.text.hasPrefix("the soak was interrupted after ") == true)
        #expect(verdict.sentence(of: run).contains(", but the soak was interrupted after "))
        run.plan?.objectives = ["p50<1us"]
        #expect(SoakVerdict(of: run).conclusion == .guilty, "what is proved wrong stays wrong")
    }

    @Test("says first that nothing was applied, not that too little was seen of what grows")
    func unapplied() {
        var run = ExampleRun.make(kills: false, rounds: 20)
        run.faults = []
        run.coverage = SoakCoverage(items: [.outcomes: [SoakCoverage.Item("rejected", 9)]])
        let verdict = SoakVerdict(of: run)
        #expect(verdict.reasons.map(\.kind).first == .unapplied, "\(verdict.reasons)")
        #expect(verdict.sentence(of: run).contains(", but no event was applied"))
    }

    @Test("is unknown if a fault that was asked for could not be caused", arguments: SoakFault.Kind.allCases)
    func unbroken(kind: SoakFault.Kind) throws {
        var run = ExampleRun.make()
        let fault = SoakFault(
            kind: kind,
            start: .seconds(61),
            end: .seconds(61),
            note: "it is not allowed",
            hasFailed: true
        )
        run.faults += [fault, fault]
        let verdict = SoakVerdict(of: run)
        #expect(verdict.conclusion == .unknown)
        let expected = "the fault \(kind.rawValue) at 1:01 could not be caused, 2 times: it is not allowed"
        #expect(verdict.reasons.map(\.text) == [expected])
        let read = try SoakFile.run(parsing: SoakFile.bytes(of: run, verdict: verdict))
        #expect(read.faults == run.faults, "the file keeps it")
    }

    @Test(
        "is unknown where more than a quarter of the events was refused at the door, besides the mistakes that were asked for",
        arguments: [
            (0.2, [:], true), (0.3, [:], false), (0.9, ["mistakes": 1, "links": 0], true),
            (0.7, ["mistakes": 1, "links": 1], true), (0.8, ["mistakes": 1, "links": 1], false),
            (0.3, ["links": 1], false),
        ]
    )
    func turnedAway(share: Double, mix: [String: Double], isClean: Bool) {
        var run = ExampleRun.make()
        run.plan?.objectives = []
        run.plan?.mix = mix
        for index in run.intervals.indices {
            let refused = Int(share * Double(run.intervals[index].answered))
            run.intervals[index].errors = ["UnknownScene": refused - refused / 4, "QueueFull": refused / 4]
        }
        let verdict = SoakVerdict(of: run)
        #expect((verdict.conclusion == .clean) == isClean, "\(verdict.reasons)")
        #expect(isClean || verdict.reasons.first?.text.hasSuffix("were refused, mostly by UnknownScene") == true)
    }

    @Test("names a step of memory and the fault that caused it, and does not call it a leak")
    func step() throws {
        var run = ExampleRun.make(kills: false)
        for index in run.intervals.indices where run.intervals[index].start >= .seconds(900) {
            run.intervals[index].sample?.resident? += 6 << 20
        }
        run.faults = [SoakFault(kind: .reload, start: .seconds(900), end: .seconds(901), note: "version 4")]
        let verdict = SoakVerdict(of: run)
        #expect(verdict.conclusion == .clean)
        let trend = try #require(verdict.trends.first { $0.subject == .resident })
        guard case .stepped = trend.state else {
            Issue.record("\(trend.state)")
            return
        }
        #expect(trend.cause(in: run)?.kind == .reload)
        #expect(SoakReport.text(of: run, verdict: verdict).contains("steady except for a step of +6"))
    }

    @Test("is shown as text with figures, objectives, trends and hosts")
    func text() {
        var run = ExampleRun.make()
        run.plan?.objectives.append("p50<1us")
        let text = SoakReport.text(of: run, verdict: SoakVerdict(of: run))
        for part in [
            "Guilty: p50<1us was missed: 6", "  answered ", " of 500/s planned", "p99.9 ", "  refused      3",
            "objectives\n",
            "  met      lost=0", "  MISSED   p50<1us", "trends\n", "resident memory of h1", "hosts\n",
            "killed on purpose, 812\u{202F}345 records, every invariant holds",
        ] {
            #expect(text.contains(part), "no '\(part)' in\n\(text)")
        }
    }
}
