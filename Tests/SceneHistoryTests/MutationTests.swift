import SceneHistory
import Basics
import StrictJSON
import Testing

/// Whether the checker notices that a real history was changed.
@Suite struct MutationTests {
    /// Without renumbering, every change of the order is noticed. With it, a few changes are not false: two sweeps that changed
    /// nothing may be in either order, and an altered field may still be true.
    @Test(arguments: Mutation.allCases, [false, true])
    func `the checker notices a mutated history`(mutation: Mutation, renumbered: Bool) async throws {
        var random = SplitMix(seed: 4)
        var tried = 0
        var missed: [String] = []
        for seed in UInt64(21)...23 {
            var host = try RandomHost(seed: seed)
            host.actions = 25
            let records = try await host.run()
            for _ in 0..<45 {
                guard let (mutated, what) = mutation.mutate(records, renumbered: renumbered, &random) else { continue }
                tried += 1
                if judged(mutated) == .holds { missed.append(what) }
            }
        }
        let share = Double(tried - missed.count) / Double(tried)
        let percent = Int((share * 1_000).rounded()) / 10
        print("\(mutation.rawValue)\(renumbered ? ", renumbered" : ""): noticed \(percent) % of \(tried)")
        for line in missed.sorted() { print("  missed: \(line)") }
        #expect(tried >= 80)
        #expect(share >= least(mutation, renumbered: renumbered), "missed \(missed)")
    }

    private func least(_ mutation: Mutation, renumbered: Bool) -> Double {
        if !renumbered, mutation != .alter { return 1 }
        return mutation == .swap ? 0.75 : 0.85
    }

    private func judged(_ records: [JSONObject]) -> HistoryReport.Conclusion {
        var checker = HistoryChecker()
        for record in records {
            // A record that cannot be read is noticed too: it is reported as bad.
            guard let record = try? HistoryRecord(record) else { return .unknown }
            checker.check(record)
        }
        return checker.finish().conclusion
    }
}
