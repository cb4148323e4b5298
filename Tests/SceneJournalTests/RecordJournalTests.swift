import Foundation
import SceneHistory
import SceneRuntime
import StrictJSON
import Systemd
import TestFixtures
import Testing

@testable import SceneJournal

@Suite(
    "Records read back from a real journal",
    .disabled(if: PrivateJournal.obstacle != nil, "\(PrivateJournal.obstacle ?? "")"),
    .timeLimit(.minutes(15))
)
struct RecordJournalTests {
    /// The journal's history, and the checker's report on it.
    private func check(
        _ journal: PrivateJournal,
        _ change: (inout JournalQuery) -> Void = { _ in }
    ) throws -> (history: JournalHistory, report: HistoryReport) {
        var query = JournalQuery(unit: JournalQuery.anyUnit, place: .directory(journal.files))
        change(&query)
        var checker = HistoryChecker()
        let history = try RecordJournal(query).read { checker.check($0.line) }
        return (history, checker.finish())
    }

    @Test("a history is read back whole and in order, and judged like a file")
    func whole() async throws {
        let records = try await JournalledShop.records()
        let journal = try PrivateJournal()
        try JournalledShop.write(records.map { JournalledShop.entry($0) }, to: journal)
        var read: [Int] = []
        let history = try RecordJournal(JournalQuery(unit: "*", place: .directory(journal.files))).read { entry in
            guard case .record(let record) = entry.line else { return }
            read.append(record.index)
            #expect(entry.received > JournalTime(microseconds: 1_600_000_000_000_000))
        }
        #expect(read == Array(1...records.count))
        #expect(history.records == records.count && history.bad == 0 && history.brief == 0)
        let host = try #require(history.hosts.first)
        #expect(host.host == JournalledShop.host && host.gaps == [] && host.ending == .stopped)
        #expect(host.process != nil && host.boot != nil)
        let (_, report) = try check(journal)
        #expect(report.conclusion == .holds, "\(report.text)")
    }

    @Test("a host that violated an invariant is found out")
    func guilty() async throws {
        let journal = try PrivateJournal()
        var records = try await JournalledShop.records()
        let admitted = try #require(records.firstIndex { $0["kind"] == "event.admitted" })
        records[admitted]["ticket"] = 7
        try JournalledShop.write(records.map { JournalledShop.entry($0) }, to: journal)
        let (history, report) = try check(journal)
        #expect(report.conclusion == .violated, "\(report.text)")
        #expect(history.hosts.first?.gaps == [])
    }

    @Test(
        "deleted entries are a gap that says nothing about the daemon, not a loss of events",
        arguments: [4...4, 6...11, 1...3]
    )
    func deleted(missing: ClosedRange<Int>) async throws {
        let journal = try PrivateJournal()
        let records = try await JournalledShop.records()
        let rest = records.filter { $0["index"]?.integerValue.map(missing.contains) != true }
        #expect(rest.count == records.count - missing.count)
        // There are older entries, so it was not rotation.
        try JournalledShop.write(
            [["SCENED_SCENE": "A"]] + rest.map { JournalledShop.entry($0, started: .max) },
            to: journal
        )
        let (history, report) = try check(journal)
        #expect(report.conclusion == .unknown, "\(report.text)")
        let host = try #require(history.hosts.first)
        #expect(host.gaps.map { $0.first...$0.last } == [missing])
        #expect(host.missing == [.unexplained: missing.count])
        #expect(host.ending == .stopped)
        #expect(history.text.contains("says nothing about the daemon"))
    }

    @Test("a journal that no longer goes back to the beginning is reported as rotated")
    func rotated() async throws {
        let journal = try PrivateJournal()
        let records = try await JournalledShop.records()
        try JournalledShop.write(records.dropFirst(5).map { JournalledShop.entry($0) }, to: journal)
        let host = try #require(try check(journal).history.hosts.first)
        #expect(host.missing == [.rotation: 5])
    }

    @Test("records that the daemon dropped or journald suppressed are reported by their messages")
    func explained() async throws {
        let journal = try PrivateJournal()
        let records = try await JournalledShop.records().map { JournalledShop.entry($0) }
        let dropped: JSONObject = [
            "MESSAGE_ID": .string(JournalMessageID.gap.text), "SCENED_GAP": "2", "SCENED_GAP_AFTER": "3",
            "SCENED_HOST": .string(JournalledShop.host),
        ]
        let suppressed: JSONObject = ["MESSAGE_ID": .string(JournalMessageID.suppressed.text), "N_DROPPED": "4"]
        let entries = records[..<3] + [dropped] + records[5..<8] + records[11...] + [suppressed]
        try JournalledShop.write(Array(entries), to: journal)
        let (history, report) = try check(journal)
        let host = try #require(history.hosts.first)
        #expect(host.gaps.map { $0.first...$0.last } == [4...5, 9...11])
        #expect(host.gaps.map(\.cause) == [.daemon, .rateLimit])
        #expect(history.suppressed == 4)
        #expect(report.conclusion == .unknown)
    }

    @Test("an entry that is not a record is reported and skipped")
    func bad() async throws {
        let journal = try PrivateJournal()
        let records = try await JournalledShop.records().map { JournalledShop.entry($0) }
        try JournalledShop.write(
            records[..<3] + [["SCENED_RECORD_JSON": "{"], ["SCENED_RECORD_JSON": "[]"], ["SCENED_RECORD_JSON": "{}"]]
                + records[3...],
            to: journal
        )
        let (history, report) = try check(journal)
        #expect(history.bad == 3 && report.badLineCount == 3 && history.hosts.first?.gaps == [])
        #expect(report.conclusion == .unknown)
    }

    @Test("hosts, times and boots can be chosen")
    func chosen() async throws {
        let journal = try PrivateJournal()
        let other = String(repeating: "e", count: 32)
        for host in [JournalledShop.host, other] {
            let records = try await JournalledShop.records(host: host)
            try JournalledShop.write(records.map { JournalledShop.entry($0) }, to: journal)
        }
        let (all, _) = try check(journal)
        #expect(all.hosts.map(\.host) == [JournalledShop.host, other])
        #expect(try check(journal) { $0.host = other }.history.hosts.map(\.host) == [other])
        #expect(try check(journal) { $0.boot = all.hosts.first?.boot }.history == all)
        let second = try #require(all.hosts.last)
        let (late, report) = try check(journal) {
            $0.since = JournalTime(microseconds: second.first.microseconds + 1)
        }
        #expect(late.hosts.map(\.host) == [other])
        #expect(late.hosts.first?.missing.keys.first == .beforeSince)
        #expect(report.conclusion == .unknown)
        let (early, _) = try check(journal) { $0.until = JournalTime(microseconds: second.first.microseconds) }
        #expect(early.hosts.map(\.ending) == [.stopped, .continues])
        #expect(throws: JournalProblem.self) { try check(journal) { $0.boot = other } }
    }

    @Test("a record of a window of megabytes arrives whole")
    func large() throws {
        let journal = try PrivateJournal()
        var record: JSONObject = [
            "host": .string(JournalledShop.host), "index": 1, "kind": "some.thing", "monotonic": 1,
        ]
        record["text"] = .string(String(repeating: "x", count: 3_000_000))
        try JournalledShop.write([JournalledShop.entry(record)], to: journal)
        #expect(try check(journal).history.records == 1)
    }
}

@Suite("Journals in which there is nothing to judge")
struct JournalProblemTests {
    private func problem(_ query: JournalQuery) throws -> JournalProblem? {
        #expect(throws: JournalProblem.self) { try RecordJournal(query).read { _ in } }
    }

    @Test("a missing folder, a missing file and an empty folder are reported with what to do")
    func nothingThere() throws {
        let directory = try TemporaryDirectory()
        for place in [
            JournalQuery.Place.directory("/nonexistent"), .directory(directory.path), .files(["/nonexistent"]),
        ] {
            #expect(try problem(JournalQuery(unit: "scened", place: place)) == .noJournal(place))
        }
        #expect("\(JournalProblem.noJournal(.directory("/x")))".contains("no journal file (*.journal) in /x"))
        #expect("\(JournalProblem.noJournal(.files(["/x"])))" == "--journal-file /x: there is no such file.")
        #expect("\(JournalProblem.noJournal(.machine))".contains("--directory or --journal-file"))
    }

    @Test("a file that is not a journal is reported with libsystemd's error")
    func garbage() throws {
        let directory = try TemporaryDirectory()
        let path = "\(directory.path)/x.journal"
        try String(repeating: "not a journal ", count: 100).write(toFile: path, atomically: true, encoding: .utf8)
        guard case .failed? = try problem(JournalQuery(unit: "scened", place: .files([path]))) else {
            return #expect(Bool(false), "it was read")
        }
    }

    @Test(
        "a unit that logged nothing, or nothing whole, is reported as such",
        .disabled(if: PrivateJournal.obstacle != nil, "\(PrivateJournal.obstacle ?? "")")
    )
    func nothingLogged() throws {
        let journal = try PrivateJournal()
        var query = JournalQuery(unit: "scened", place: .directory(journal.files))
        query.since = try JournalTime("@1763661600")
        #expect(try problem(query) == .nothingLogged(query, unreadable: 0))
        #expect(
            "\(JournalProblem.nothingLogged(query, unreadable: 2))".contains("no entry of scened.service since 2025")
        )
        try JournalledShop.write([["SCENED_HOST": .string(JournalledShop.host), "SCENED_INDEX": "1"]], to: journal)
        let any = JournalQuery(unit: "*", place: .directory(journal.files))
        #expect(try problem(any) == .onlyBrief(any, entries: 1))
        #expect("\(JournalProblem.onlyBrief(any, entries: 1))".contains("logRecords: whole"))
    }

    @Test(
        "a unit's name is completed as journalctl does",
        arguments: [("scened", "scened.service"), ("a.scope", "a.scope")]
    )
    func names(given: String, full: String) {
        #expect(JournalQuery(unit: given).unit == full)
        #expect(JournalQuery(unit: "*").unit == nil)
    }
}
