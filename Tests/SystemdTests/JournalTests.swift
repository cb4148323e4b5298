import Foundation
import Glibc
import StrictJSON
import Systemd
import TestFixtures
import Testing

@Suite(
    "Under a real journald",
    .disabled(if: PrivateJournal.obstacle != nil, "\(PrivateJournal.obstacle ?? "")"),
    .timeLimit(.minutes(15))
)
struct JournalTests {
    @Test("swift-log's levels, metadata and message IDs are found by field with journalctl")
    func levels() throws {
        let journal = try PrivateJournal()
        let probe = try journal.command([Command.probe, "levels"])
        #expect(try probe.value() == ["sent": 8, "overflowed": 0, "failed": 0, "remaining": 0])
        probe.end()

        let entries = try journal.journalctl("SYSLOG_IDENTIFIER=systemd-probe", "SCENED_SCENE=A", "SCENED_TICKET=7")
        #expect(entries.map { $0["PRIORITY"] } == ["7", "7", "6", "5", "4", "3", "2"])
        let first = try #require(entries.first)
        #expect(first["MESSAGE"] == "at trace\nand below")
        #expect(first["SCENED_OPS"] == #"["push","present"]"#)
        #expect(first["SCENED_LOGGER"] == "probe.levels")
        #expect(first["CODE_FUNC"] == "levels()")
        #expect(first["CODE_FILE"]?.stringValue?.hasSuffix("SystemdProbe.swift") == true)
        #expect(first["CODE_LINE"]?.stringValue.flatMap(Int.init) ?? 0 > 1)
        #expect(
            try journal.journalctl("MESSAGE_ID=\(JournalMessageID.gap.text)").map { $0["MESSAGE"] } == ["with an ID"]
        )
    }

    @Test("bytes, empty values, repeated fields and a megabyte arrive whole")
    func fields() throws {
        let journal = try PrivateJournal()
        try journal.command([Command.probe, "fields"]).end()
        // Not by its name, which journald cannot find out once the process has ended.
        #expect(try journal.journalctl("MESSAGE=fields").map { $0["SCENED_TWICE"] } == [["one", "two"]])

        var reader = try JournalReader(.directory(journal.files))
        try reader.match(.message, "fields")
        #expect(try reader.next())
        #expect(try reader.value(of: JournalFieldName("SCENED_BYTES")) == [0, 10, 61, 0xFF])
        #expect(try reader.text(of: JournalFieldName("SCENED_EMPTY")) == "")
        #expect(try reader.value(of: JournalFieldName("SCENED_LARGE"))?.count == 1_000_000)
        #expect(try reader.value(of: JournalFieldName("SCENED_NONE")) == nil)
        #expect(try reader.text(of: .process).flatMap { Int($0) } ?? 0 > 1)
        #expect(try reader.realtime() > 1_600_000_000_000_000)
        #expect(try !reader.next())
    }

    @Test("the reader matches and seeks")
    func reader() throws {
        let journal = try PrivateJournal()
        try journal.command([Command.probe, "levels"]).end()
        _ = try journal.journalctl()
        let priority = JournalFieldName.priority

        func priorities(_ reader: inout JournalReader) throws -> [String] {
            var found: [String] = []
            while try reader.next() { found.append(try reader.text(of: priority) ?? "") }
            return found
        }
        var reader = try JournalReader(.directory(journal.files))
        try reader.match(.syslogIdentifier, "systemd-probe")
        try reader.match(priority, "3")
        try reader.match(priority, "4")
        #expect(try priorities(&reader) == ["4", "3"])

        reader = try JournalReader(.directory(journal.files))
        try reader.match(priority, "2")
        try reader.match(.syslogIdentifier, "systemd-probe")
        try reader.matchOr()
        try reader.match(.messageID, JournalMessageID.gap.text)
        try reader.seekToHead()
        #expect(try priorities(&reader) == ["2", "6"])

        try reader.seekToHead()
        #expect(try reader.next())
        let time = try reader.realtime()
        try reader.seek(toRealtime: time)
        #expect(try reader.next())
        #expect(try reader.realtime() >= time)
    }

    @Test("single files can be read")
    func files() throws {
        let journal = try PrivateJournal()
        try journal.command([Command.probe, "levels"]).end()
        _ = try journal.journalctl()
        let folder = try #require(FileManager.default.contentsOfDirectory(atPath: journal.files).first)
        var reader = try JournalReader(.files(["\(journal.files)/\(folder)/system.journal"]))
        try reader.match(JournalFieldName("SCENED_SCENE"), "A")
        #expect(try reader.next())
    }

    @Test("while journald is stuck the caller goes on, and the journal shows the gap")
    func stalled() throws {
        let journal = try PrivateJournal()
        kill(journal.journald, SIGSTOP)
        let probe = try journal.command([Command.probe, "flood"])
        let during = try probe.value()
        let lost = try #require(during["overflowed"]?.integerValue)
        #expect(lost > 0)
        #expect(during["remaining"]?.integerValue ?? 0 > 0)
        kill(journal.journald, SIGCONT)
        probe.send("go on\n")
        let afterwards = try probe.value()
        probe.end()
        #expect(afterwards["overflowed"] == during["overflowed"])
        #expect(afterwards["remaining"] == 0)
        #expect(afterwards["sent"] == .integer(20_001 - lost))

        let entries = try journal.journalctl("_COMM=systemd-probe")
        let gaps = entries.filter { $0["MESSAGE_ID"] == .string(JournalMessageID.gap.text) }
        #expect(gaps.compactMap { $0["SCENED_GAP"]?.stringValue.flatMap { Int($0) } }.reduce(0, +) == lost)
        #expect(gaps.allSatisfy { $0["PRIORITY"] == "4" && $0["SYSLOG_IDENTIFIER"] == "systemd-probe" })
        #expect(entries.last?["MESSAGE"] == "after the flood")
        #expect(entries.count - gaps.count == 20_001 - lost)
    }

    @Test("knows whether a process listens at the journal's socket")
    func reachable() throws {
        let journal = try PrivateJournal()
        let inside = try journal.command([Command.probe, "stderr"])
        #expect(try inside.value()["isReachable"] == true)
        inside.end()
    }

    @Test("standard error is the journal only if it is the stream of JOURNAL_STREAM")
    func journalStream() throws {
        let journal = try PrivateJournal()
        // The variable as systemd sets it for a service.
        let script = """
            export JOURNAL_STREAM=$(stat -L -c %d:%i /dev/stderr)
            \(Command.probe) stderr | cat >&2
            \(Command.probe) stderr 2> /dev/null | cat >&2
            """
        let connected = try journal.command(["systemd-cat", "sh", "-c", script])
        connected.end()
        let entries = try journal.journalctl("_TRANSPORT=stdout")
        let answers = try entries.compactMap { $0["MESSAGE"]?.stringValue }.filter { $0.hasPrefix("{") }
            .map { try JSONValue(parsing: $0)["isJournal"] }
        #expect(answers == [true, false])
    }
}

@Suite("Journals that cannot be read")
struct UnreadableJournalTests {
    @Test("a folder that does not exist is an error that names it")
    func missing() {
        let error = #expect(throws: SystemError.self) { _ = try JournalReader(.directory("/nonexistent/journal")) }
        #expect(error?.description == "cannot open the journal in /nonexistent/journal: No such file or directory")
    }

    @Test("a file that is not a journal is an error")
    func garbage() throws {
        let directory = try TemporaryDirectory()
        let path = "\(directory.path)/x.journal"
        try String(repeating: "not a journal ", count: 100).write(toFile: path, atomically: true, encoding: .utf8)
        #expect(throws: SystemError.self) { _ = try JournalReader(.files([path])) }
    }

    @Test("a match on a name that no journal has is an error")
    func badMatch() throws {
        let directory = try TemporaryDirectory()
        var reader = try JournalReader(.directory(directory.path))
        let name = try JournalFieldName("__CURSOR")
        #expect(throws: SystemError.self) { try reader.match(name, "x") }
    }
}
