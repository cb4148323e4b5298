import Testing

@testable import SceneSoak

@Suite("SoakCoverage")
struct SoakCoverageTests {
    private static func run(
        applied: Int,
        delivered: Int,
        shown: Int,
        of all: Int,
        change: (inout SoakPlan) -> Void = { _ in }
    ) -> SoakRun {
        var run = ExampleRun.make()
        var plan = ExampleRun.plan()
        (plan.mix, plan.script) = ([:], nil)
        change(&plan)
        run.plan = plan
        run.coverage = SoakCoverage(items: [
            .destinations: (0..<all).map {
                .init("d\($0)", $0 < shown ? 1 : 0, why: $0 < shown ? nil : "no event asked for it")
            },
            .outcomes: [.init("applied", applied), .init("delivered", delivered)],
        ])
        return run
    }

    private static func doubts(_ run: SoakRun) -> [String] {
        SoakVerdict(of: run).reasons.filter { [.coverage, .unapplied].contains($0.kind) }.map {
            $0.isGuilt ? "guilty" : $0.text
        }
    }

    @Test("a run in which nothing was applied is unknown, whatever else came, and if nothing came")
    func nothingApplied() {
        for delivered in [9, 0] {
            let run = Self.run(applied: 0, delivered: delivered, shown: 4, of: 4)
            #expect(Self.doubts(run) == ["no event was applied"])
            let verdict = SoakVerdict(of: run)
            #expect(verdict.conclusion == .unknown && verdict.status(of: run) == 4)
        }
        #expect(Self.doubts(Self.run(applied: 1, delivered: 8, shown: 4, of: 4)) == [])
    }

    @Test("where no records say what was reached, the receipts do")
    func receipts() {
        for plan in [ExampleRun.plan(), nil] {
            var run = ExampleRun.make()
            run.plan = plan
            #expect(Self.doubts(run) == [])
            for index in run.intervals.indices { run.intervals[index].outcomes["applied"] = nil }
            #expect(Self.doubts(run) == ["no event is known to have been applied"])
            run.intervals[0].outcomes["applied"] = 1
            #expect(Self.doubts(run) == [], "in the warm-up it counts, too")
        }
    }

    static let shares: [(shown: Int, events: Int, isDoubtful: Bool)] = [
        (1, 80, true), (2, 80, false), (4, 80, false), (0, 80, true), (1, 79, false),
    ]

    @Test("with enough events at random, half of the destinations have to be shown", arguments: shares)
    func share(shown: Int, events: Int, isDoubtful: Bool) {
        let doubts = Self.doubts(Self.run(applied: 1, delivered: events - 1, shown: shown, of: 4))
        #expect(doubts.isEmpty == !isDoubtful, "\(doubts)")
        if isDoubtful {
            #expect(doubts[0].hasPrefix("only \(shown) of 4 destinations were shown, and never d"), "\(doubts)")
            #expect(doubts[0].contains("d3 (no event asked for it)"), "\(doubts)")
        }
    }

    @Test("events that somebody has chosen need not go everywhere")
    func chosen() {
        func doubts(_ change: (inout SoakPlan) -> Void) -> [String] {
            Self.doubts(Self.run(applied: 1, delivered: 999, shown: 1, of: 4, change: change))
        }
        #expect(doubts { $0.script = "links.jsonl" } == [])
        #expect(doubts { $0.mix = ["push": 1] } == [])
        #expect(doubts { _ in }.count == 1)
    }

    @Test("the summary and the page say what was reached and what never was")
    func said() {
        let run = Self.run(applied: 1, delivered: 9, shown: 3, of: 4)
        let verdict = SoakVerdict(of: run)
        let text = SoakReport.text(of: run, verdict: verdict)
        #expect(text.contains("  destinations 3 of 4; never d3 (no event asked for it)\n"), "\(text)")
        let page = SoakReport.html(of: run, verdict: verdict)
        #expect(page.contains("destinations: 3 of 4") && page.contains("never: no event asked for it"))
    }
}
