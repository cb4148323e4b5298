import Interleaving
import StrictJSON
import TestFixtures
import Testing

@Suite("Replay files")
struct ReplayFileTests {
    static let file = ReplayFile(
        test: "sign-out against push",
        seed: .max,
        schedule: RunSchedule([RunDeviation(step: 3, position: 1), RunDeviation(step: 17, position: 2, count: 5)]),
        deleted: [0, 4],
        settings: SimulationSettings(mailbox: .anyOrder, granularity: .jobs),
        strategy: "pos",
        verdict: "failed",
        steps: 20,
        traceHash: 0xfeed_beef_0000_0001
    )

    @Test("a file reads back as it was written")
    func roundTrip() throws {
        #expect(try ReplayFile(parsing: Self.file.bytes) == Self.file)
        let least = ReplayFile(test: "", seed: 0, schedule: .firstInFirstOut)
        #expect(try ReplayFile(parsing: least.bytes) == least)
        #expect(Self.file.settings().mailbox == .anyOrder)
        #expect(Self.file.code.description == "1-ffffffffffffffff-3.1_17.2x5")
    }

    @Test("any integer in a file is accepted or refused, and can be shown and replayed")
    func extremeIntegers() async throws {
        for (_, value) in try JSONValue(parsing: Self.file.bytes).withExtremeIntegers {
            guard let file = try? ReplayFile(parsing: Array(value.text().utf8)) else { continue }
            #expect(try ReplayFile(parsing: file.bytes) == file)
            #expect(!file.code.description.isEmpty)
            _ = try await replay(file.schedule, settings: file.settings()) {
                await withTaskGroup { group in for _ in 0..<3 { group.addTask {} } }
            }
        }
    }

    @Test("unknown members are ignored")
    func unknownMember() throws {
        let text = String(decoding: Self.file.bytes, as: UTF8.self)
            .replacing("\"version\"", with: "\"note\": \"found on a Monday\",\n  \"version\"")
        #expect(try ReplayFile(parsing: Array(text.utf8)) == Self.file)
    }

    @Test(
        "a malformed file is an error that says what is wrong, where, and what was expected",
        arguments: [
            (
                "\"0xffffffffffffffff\"", "12", 9,
                "seed: expected string of 0x and up to 16 hexadecimal digits, found 12"
            ),
            (
                "\"version\": 1", "\"version\": 2", 3,
                "version: expected 1, the version that this build reads, found 2"
            ),
            ("interleaving-replay", "other", 2, "format: expected \"interleaving-replay\", found \"other\""),
            ("\"anyOrder\"", "\"lifo\"", 7, "mailbox: expected one of \"fifo\", \"priority\""),
            ("17,", "3,", 16, "deviations[1][0]: expected step after 3, because the steps ascend, found 3"),
            ("17,", "-1,", 16, "deviations[1][0]: expected integer from 0, found -1"),
            ("5\n", "0\n", 18, "deviations[1][2]: expected integer from 1, found 0"),
            (
                "5\n", "5, 5\n", 15,
                "deviations[1]: expected [step, position] or [step, position, count], found 4 elements"
            ),
            ("\"test\"", "\"name\"", 1, "test: expected string, found nothing"),
            ("\"steps\": 20", "\"steps\": \"many\"", 27, "steps: expected integer from 0, found \"many\""),
            ("{", "", 2, "it is not JSON"),
        ]
    )
    func malformed(old: String, new: String, line: Int, problem: String) {
        let text = String(decoding: Self.file.bytes, as: UTF8.self)
        let bytes = Array(text.replacing(old, with: new, maxReplacements: 1).utf8)
        #expect {
            try ReplayFile(parsing: bytes)
        } throws: { error in
            guard let error = error as? ReplayFileError else { return false }
            return error.line == line && error.description.contains(problem)
        }
    }

    @Test("a truncated file never traps")
    func truncated() {
        let bytes = Self.file.bytes
        for count in 0..<(bytes.count - 2) {
            #expect(throws: ReplayFileError.self) { try ReplayFile(parsing: Array(bytes[..<count])) }
        }
    }

    @Test("a file of another build, or of another test, says what to change")
    func mismatches() {
        #expect(Self.file.mismatches(test: Self.file.test).isEmpty)
        let other = Build(toolchain: "swift-5.0 0123456789ab", configuration: "fast")
        let found = Self.file.mismatches(in: other, test: "another")
        #expect(found.count == 3)
        #expect(found[0].contains("swift-5.0") && found[0].contains("seed"))
        #expect(found[1].contains("--configuration \(Build.current.configuration)"))
        #expect(found[2].contains("'another'"))
    }

    @Test("a replay says how it differs from the file; a prefix of a schedule replays too")
    func differences() async throws {
        let body: @Sendable () async throws -> Void = {
            await withTaskGroup { group in
                for _ in 0..<4 { group.addTask { await Task.yield() } }
            }
        }
        let schedule = RunSchedule([RunDeviation(step: 1, position: 2), RunDeviation(step: 3, position: 1)])
        let settings = SimulationSettings(granularity: .jobs)
        let run = try await replay(schedule, settings: settings, body: body)
        var file = ReplayFile(test: "yields", run: run, settings: settings)
        #expect(file.schedule == schedule)
        #expect(file.differences(from: try await replay(schedule, settings: settings, body: body)).isEmpty)

        let prefix = RunSchedule(Array(schedule.deviations.prefix(1)))
        let shorter = try await replay(prefix, settings: settings, body: body)
        #expect(shorter.schedule == prefix)
        #expect(file.differences(from: shorter).contains { $0.contains("1 of its 2 deviations") })

        file.verdict = "deadlock"
        #expect(file.differences(from: run) == ["it ended as deadlock, and now as passed"])
    }
}
