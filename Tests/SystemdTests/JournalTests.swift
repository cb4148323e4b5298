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
        _ = try journal.journalctl()

        var reader = try JournalReader(.directory(journal.files))
        try reader.match(.message, "fields")
        #expect(try reader.next())
        let record = try reader.record()
        #expect(record.fields.first { $0.name == "SCENED_BYTES" }?.value == [0, 10, 61, 0xFF])
        #expect(record["SCENED_EMPTY"] == "")
        #expect(record.values(of: "SCENED_TWICE").sorted() == ["one", "two"])
        #expect(record["SCENED_LARGE"]?.utf8.count == 1_000_000)
        #expect(try reader.value(of: JournalFieldName("SCENED_BYTES")) == [0, 10, 61, 0xFF])
        #expect(try reader.value(of: JournalFieldName("SCENED_NONE")) == nil)
        // Not its name, which journald cannot learn of a process that has ended by then.
        #expect(record["_PID"].flatMap { Int($0) } ?? 0 > 1)
        #expect(record.bootID.count == 16)
        #expect(record.realtime > 1_600_000_000_000_000)
        #expect(try !reader.next())
    }

    @Test("the reader matches, seeks, goes both ways and comes back to a cursor")
    func reader() throws {
        let journal = try PrivateJournal()
        try journal.command([Command.probe, "levels"]).end()
        _ = try journal.journalctl()
        let priority = JournalFieldName.priority

        func priorities(_ reader: inout JournalReader) throws -> [String] {
            var found: [String] = []
            while try reader.next() { found.append(try reader.record()["PRIORITY"] ?? "") }
            return found
        }
        var reader = try JournalReader(.directory(journal.files))
        try reader.match(.syslogIdentifier, "systemd-probe")
        try reader.match(priority, "3")
        try reader.match(priority, "4")
        #expect(try priorities(&reader) == ["4", "3"])

        reader.clearMatches()
        try reader.match(priority, "2")
        try reader.match(.syslogIdentifier, "systemd-probe")
        try reader.matchOr()
        try reader.match(.messageID, JournalMessageID.gap.text)
        try reader.seekToHead()
        #expect(try priorities(&reader) == ["2", "6"])

        try reader.seekToTail()
        #expect(try reader.previous())
        #expect(try reader.record()["MESSAGE"] == "with an ID")
        #expect(try reader.previous())
        let cursor = try reader.cursor()
        #expect(try reader.record()["PRIORITY"] == "2")
        #expect(try reader.next())
        #expect(try !reader.isAt(cursor))
        try reader.seek(to: cursor)
        #expect(try reader.next())
        #expect(try reader.isAt(cursor))

        let last = try reader.record()
        reader.clearMatches()
        try reader.seek(toRealtime: last.realtime)
        #expect(try reader.next())
        #expect(try reader.record().realtime >= last.realtime)
    }

    @Test("the reader wakes when something is written")
    func waiting() throws {
        let journal = try PrivateJournal()
        var reader = try JournalReader(.directory(journal.files))
        try reader.match(.syslogIdentifier, "systemd-probe")
        #expect(try !reader.next())
        // The first wait only begins to watch.
        _ = try reader.wait(for: .zero)
        try journal.command([Command.probe, "levels"]).end()
        var found = try reader.next()
        while !found {
            let change = try reader.wait(for: .seconds(30))
            try #require(change != .nothing, "nothing was written in 30 s")
            found = try reader.next()
        }
        #expect(try reader.record()["SCENED_SCENE"] == "A")
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

    @Test("while journald stands still the caller goes on, and the journal shows the gap")
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

    @Test("knows whether anybody listens on the journal's socket")
    func reachable() throws {
        let journal = try PrivateJournal()
        let inside = try journal.command([Command.probe, "stderr"])
        #expect(try inside.value()["isReachable"] == true)
        inside.end()
    }

    @Test("standard error is the journal only when it is that very stream")
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
    @Test("a folder that is not there is an error that names it")
    func missing() {
        let error = #expect(throws: SystemError.self) { _ = try JournalReader(.directory("/nonexistent/journal")) }
        #expect(error?.description == "cannot open the journal in /nonexistent/journal: No such file or directory")
    }

    @Test("a file that is no journal is an error")
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
