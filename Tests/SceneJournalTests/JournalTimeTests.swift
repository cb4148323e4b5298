import Glibc
import SceneJournal
import TestFixtures
import Testing

@Suite("Times as journalctl accepts them")
struct JournalTimeTests {
    /// 2026-11-20 18:00:00 UTC, a Friday.
    private let now = JournalTime(microseconds: 1_795_197_600_000_000)

    @Test(
        "a time is parsed in every form",
        arguments: [
            ("2026-11-20 18:00 UTC", 0), ("2026-11-20 18:00:00 UTC", 0), ("2026-11-20T18:00:00Z", 0),
            ("2026-11-20 18:00:00.25 UTC", 0.25), ("Fri 2026-11-20 18:00:30 UTC", 30), ("2026-11-20 UTC", -64_800),
            ("17:59 UTC", -60), ("@1795197600", 0), ("@1795197600.5", 0.5), ("now", 0), ("-2h", -7_200),
            ("- 2 h", -7_200), ("+1h30min", 5_400), ("90min ago", -5_400), ("90 min ago", -5_400), ("-1d12h", -129_600),
            ("-30", -30), ("-1.5h", -5_400), ("-250ms", -0.25), ("2024-02-29 UTC", -86_032_800),
        ]
    )
    func forms(text: String, seconds: Double) throws {
        let time = try JournalTime(text, now: now)
        #expect(Double(time.microseconds) - Double(now.microseconds) == seconds * 1e6)
    }

    @Test(
        "systemd parses them the same",
        .enabled(if: access("/usr/bin/systemd-analyze", X_OK) == 0, "systemd-analyze is not installed"),
        arguments: [
            "2026-11-20 18:00", "2026-11-20 18:00:07 UTC", "2026-02-28", "Fri 2026-11-20 18:00", "@1795197600", "today",
            "yesterday", "tomorrow", "2024-02-29 UTC",
        ]
    )
    func likeSystemd(text: String) throws {
        let command = try Command(["systemd-analyze", "timestamp", text])
        var said: String?
        while let line = command.line() {
            if line.contains("UNIX seconds: @") { said = line.split(separator: "@").last.map(String.init) }
        }
        command.end()
        let seconds = try #require(said.flatMap { Double($0) })
        #expect(Double(try JournalTime(text).microseconds) == seconds * 1e6)
    }

    @Test("days begin at midnight, local time")
    func days() throws {
        let today = try JournalTime("today", now: now)
        let yesterday = try JournalTime("yesterday", now: now)
        #expect(today <= now && now.microseconds - today.microseconds < 86_400_000_000)
        #expect(yesterday < today)
        var seconds = time_t(today.microseconds / 1_000_000)
        var parts = tm()
        localtime_r(&seconds, &parts)
        #expect(parts.tm_hour == 0 && parts.tm_min == 0 && parts.tm_sec == 0)
    }

    @Test(
        "a text that is not a time is refused with examples of what is accepted",
        arguments: [
            "", " ", "soon", "2026-13-01", "2026-02-30", "2026-11-20 25:00", "2026-11-20 18", "18:00 2026-11-20",
            "Mon 2026-11-20", "-", "-h", "@", "@x", "-2 fortnights", "1969-12-31", "@1e99", "-9999999999",
            "2026-11-20 18:00 CET",
            "１２:00", "2026-11-20 18:00:60",
        ]
    )
    func mistakes(text: String) {
        let error = #expect(throws: JournalTimeError.self) { try JournalTime(text, now: now) }
        #expect(error?.description.contains("expected one like") == true)
    }

    @Test("a printed time parses back", .enabled(if: JournalTimeTests.isUTC, "local time is not UTC here"))
    func printed() throws {
        #expect(try JournalTime("\(now)", now: now) == now)
    }

    private static var isUTC: Bool {
        var seconds: time_t = 0
        var parts = tm()
        localtime_r(&seconds, &parts)
        return parts.tm_gmtoff == 0
    }
}
