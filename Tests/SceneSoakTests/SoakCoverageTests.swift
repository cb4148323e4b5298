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
        SoakVerdict(of: run).reasons.filter { $0.kind == .coverage }.map { $0.isGuilt ? "guilty" : $0.text }
    }

    @Test("a run in which no event changed a window is unknown")
    func nothingApplied() {
        #expect(
            Self.doubts(Self.run(applied: 0, delivered: 9, shown: 4, of: 4)) == ["no event changed what a window shows"]
        )
        #expect(SoakVerdict(of: Self.run(applied: 0, delivered: 9, shown: 4, of: 4)).conclusion != .clean)
        #expect(Self.doubts(Self.run(applied: 1, delivered: 8, shown: 4, of: 4)) == [])
        // Before anything ended there is nothing to say.
        #expect(Self.doubts(Self.run(applied: 0, delivered: 0, shown: 0, of: 4)) == [])
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
