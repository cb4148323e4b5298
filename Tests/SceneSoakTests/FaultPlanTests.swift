import SceneSoak
import Testing

@Suite("The faults of a soak")
struct FaultPlanTests {
    @Test("are read with their times, lengths and repetitions")
    func list() throws {
        let plans = try FaultPlan.list(
            parsing: "client@2m,stall@5m+30s, slow@7m ,reload@0s,kill@every 10m,slow@every 1m+2s",
            before: .seconds(3_600)
        )
        #expect(plans.map(\.kind) == [.client, .stall, .slow, .reload, .kill, .slow])
        #expect(plans.map(\.at) == [.seconds(120), .seconds(300), .seconds(420), .zero, .seconds(600), .seconds(60)])
        #expect(plans.map(\.length) == [.zero, .seconds(30), .seconds(10), .zero, .zero, .seconds(2)])
        #expect(plans.map(\.every) == [nil, nil, nil, nil, .seconds(600), .seconds(60)])
    }

    @Test("repeat until the soak ends")
    func times() throws {
        let plan = try #require(try FaultPlan.list(parsing: "kill@every 10m", before: .seconds(1_800)).first)
        #expect(plan.times(before: .seconds(1_800)) == [.seconds(600), .seconds(1_200)])
        let once = try #require(try FaultPlan.list(parsing: "kill@10m", before: .seconds(601)).first)
        #expect(once.times(before: .seconds(601)) == [.seconds(600)])
        #expect(once.times(before: .seconds(600)) == [])
    }

    @Test(
        "that the load would not live to see, or cut short, are refused, each with the end of the load",
        arguments: [
            ("kill@13s", "would never come", 6), ("kill@30s", "would never come", 6),
            ("client@1s,kill@every 13s", "would never come", 16), ("stall@1s+30s", "lasts 30s, would be cut short", 7),
            ("stall@4s", "lasts 10s, would be cut short", 7), ("slow@every 4s", "would be cut short", 6),
        ]
    )
    func late(text: String, advice: String, position: Int) throws {
        let problem = #expect(throws: SoakPlanProblem.self) {
            try FaultPlan.list(parsing: text, before: .seconds(13))
        }
        let words = problem?.description ?? ""
        #expect(words.contains("the load ends at 13s") && words.contains(advice), "\(words)")
        #expect(words.hasSuffix("at character \(position)."), "\(words)")
        #expect(try FaultPlan.list(parsing: text, before: .seconds(60)).isEmpty == false)
    }

    @Test("that fit exactly are taken")
    func fitting() throws {
        let plans = try FaultPlan.list(parsing: "kill@12s,stall@3s,slow@every 3s+5s", before: .seconds(13))
        #expect(plans.map { $0.times(before: .seconds(13)).count } == [1, 1, 4])
    }

    @Test(
        "that cannot be read are refused with the place and what was expected",
        arguments: [
            ("", "fault@time", 1), ("kill", "fault@time", 1), ("client@2m,kil@5m", "one of client", 11),
            ("kill@", "one such as 90s", 6), ("kill@soon", "one such as 90s", 6), ("stall@5m+", "one such as 30s", 10),
            ("stall@5m+0s", "one such as 30s", 10), ("kill@5m+10s", "no '+'", 8), ("kill@every", "every 10m", 6),
            ("kill@every 0s", "every 10m", 6), ("kill@5m,", "fault@time", 9),
        ]
    )
    func bad(text: String, advice: String, position: Int) {
        let problem = #expect(throws: SoakPlanProblem.self) { try FaultPlan.list(parsing: text, before: .seconds(600)) }
        let words = problem?.description ?? ""
        #expect(words.hasPrefix("--faults \(text): "))
        #expect(words.contains(advice), "\(words)")
        #expect(words.hasSuffix("at character \(position)."), "\(words)")
    }
}
