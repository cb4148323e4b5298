import StrictJSON
import TestFixtures
import Testing

@Suite(
    "The live daemon and a real journal",
    .disabled(if: PrivateJournal.obstacle != nil, "\(PrivateJournal.obstacle ?? "")"),
    .timeLimit(.minutes(15))
)
struct JournalTests {
    @Test("entries are found by window, ticket, event, revision and outcome")
    func fields() throws {
        let journal = try PrivateJournal()
        let directory = try TemporaryDirectory()
        let socket = "\(directory.path)/io.scened"
        let notifications = try NotificationSocket(in: directory)
        let daemon = try journal.command(
            ["env", "NOTIFY_SOCKET=\(notifications.path)", Command.built("scened"), "--socket", socket]
                + ["--log", "journal"]
        )
        #expect(notifications.receive().contains("READY=1"))
        func scenectl(_ arguments: String...) throws -> Int32 {
            try Command([Command.built("scenectl")] + arguments + ["--socket", socket]).end()
        }
        #expect(try scenectl("connect", "A") == 0)
        #expect(try scenectl("connect", "B") == 0)
        #expect(try scenectl("openurl", "qcommerce://product/p1", "--scene", "A", "--event", "first") == 0)
        #expect(try scenectl("openurl", "qcommerce://cart", "--scene", "A", "--event", "second") == 0)
        #expect(try scenectl("session", "sign-in", "anna", "--scene", "B") == 0)
        #expect(
            try scenectl("openurl", "qcommerce://cart", "--scene", "A", "--event", "second", "--wait", "finished") == 0
        )
        daemon.signal(15)
        #expect(daemon.end() == 0)

        func outcomes(_ matches: String...) throws -> [[String]] {
            try journal.journalctl(["SYSLOG_IDENTIFIER=scened"] + matches).filter { $0["SCENED_OUTCOME"] != nil }.map {
                entry in
                ["SCENE", "TICKET", "EVENT", "REVISION", "OUTCOME"].map { entry["SCENED_\($0)"]?.stringValue ?? "" }
            }
        }
        let first = ["A", "1", "first", "0", "applied"]
        let gated = ["A", "2", "second", "0", "gated"]
        let resumed = ["A", "2", "second", "1", "applied"]
        #expect(try outcomes() == [first, gated, resumed])
        #expect(try outcomes("SCENED_SCENE=A") == [first, gated, resumed])
        #expect(try outcomes("SCENED_SCENE=B") == [])
        #expect(try outcomes("SCENED_TICKET=2") == [gated, resumed])
        #expect(try outcomes("SCENED_EVENT=first") == [first])
        #expect(try outcomes("SCENED_REVISION=1") == [resumed])
        #expect(try outcomes("SCENED_OUTCOME=applied") == [first, resumed])
        #expect(try outcomes("SCENED_OUTCOME=gated", "SCENED_EVENT=second") == [gated])
        let committed = try journal.journalctl(["SCENED_RECORD=session.committed"])
        #expect(committed.map { $0["SCENED_REVISION"] } == ["1"])
        #expect(committed.first?["PRIORITY"] == "6")
        #expect(try journal.journalctl(["SCENED_RECORD=host.stopped"]).count == 1, "the last record is flushed too")
    }
}
