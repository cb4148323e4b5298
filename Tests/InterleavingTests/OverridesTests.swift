import Interleaving
import Testing

@Suite("Overrides from the environment")
struct OverridesTests {
    @Test("every variable is read")
    func all() throws {
        let values = [
            "INTERLEAVING_SEED": "0xff", "INTERLEAVING_ITERATIONS": "5_000", "INTERLEAVING_TIME_LIMIT": "500ms",
            "INTERLEAVING_CHECK_DETERMINISM": "0", "INTERLEAVING_REPLAY": "1-2a-3.1_17.2",
        ]
        let overrides = try Overrides { values[$0] }
        #expect(overrides.seed == 255)
        #expect(overrides.iterations == 5_000)
        #expect(overrides.timeLimit == .milliseconds(500))
        #expect(overrides.determinismChecks == 0)
        #expect(
            overrides.replay
                == ReplayCode(
                    seed: 42,
                    schedule: RunSchedule([RunDeviation(step: 3, position: 1), RunDeviation(step: 17, position: 2)])
                )
        )
    }

    @Test("variables that are unset or empty override nothing")
    func none() throws {
        #expect(try Overrides { _ in nil } == Overrides())
        #expect(try Overrides { _ in "" } == Overrides())
    }

    @Test(
        "a bad value is an error that says what was expected",
        arguments: [
            ("INTERLEAVING_SEED", "-1"), ("INTERLEAVING_SEED", "0xg"), ("INTERLEAVING_ITERATIONS", "0"),
            ("INTERLEAVING_ITERATIONS", "many"), ("INTERLEAVING_TIME_LIMIT", "10"),
            ("INTERLEAVING_TIME_LIMIT", "0s"), ("INTERLEAVING_TIME_LIMIT", "9223372036854775807h"),
            ("INTERLEAVING_CHECK_DETERMINISM", "yes"), ("INTERLEAVING_REPLAY", "3.1"),
            ("INTERLEAVING_REPLAY", "4-ff-fifo"), ("INTERLEAVING_REPLAY", "1-ff-3.0"),
            ("INTERLEAVING_REPLAY", "1-ff-3.1x"), ("INTERLEAVING_REPLAY", "1-ff-3.1x0"),
            ("INTERLEAVING_REPLAY", "1-ff-3.1x2x2"),
            ("INTERLEAVING_REPLAY", "1-ff-3.1__4.1"), ("INTERLEAVING_REPLAY", "1-xyz-fifo"),
        ]
    )
    func bad(name: String, value: String) {
        #expect {
            try Overrides { $0 == name ? value : nil }
        } throws: { error in
            let text = "\(error)"
            return text.contains(name) && text.contains(value) && text.lowercased().contains("expected")
        }
    }

    @Test(
        "the code of a run reads back",
        arguments: [
            RunSchedule(), RunSchedule([RunDeviation(step: 0, position: 7)]),
            RunSchedule([RunDeviation(step: 3, position: 1, count: 40), RunDeviation(step: 50, position: 2)]),
        ]
    )
    func code(schedule: RunSchedule) throws {
        let code = ReplayCode(seed: .max, schedule: schedule)
        #expect(try ReplayCode(parsing: code.description) == code)
    }
}
