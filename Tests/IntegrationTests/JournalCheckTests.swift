import Foundation
import Glibc
import SceneManifest
import SceneRouting
import StrictJSON
import TestFixtures
import Testing

@Suite(
    "A live daemon's records, judged from a real journal",
    .disabled(if: PrivateJournal.obstacle != nil, "\(PrivateJournal.obstacle ?? "")"),
    .timeLimit(.minutes(15))
)
struct JournalCheckTests {
    /// A daemon that logs every record completely to the journal.
    private struct Daemon {
        let process: Command
        let socket: String
        private let directory: TemporaryDirectory
        private let journal: PrivateJournal

        init(_ journal: PrivateJournal, _ arguments: [String] = []) throws {
            self.journal = journal
            directory = try TemporaryDirectory()
            socket = "\(directory.path)/io.scened"
            let notifications = try NotificationSocket(in: directory)
            process = try journal.command(
                ["env", "NOTIFY_SOCKET=\(notifications.path)", Command.built("scened"), "--socket", socket]
                    + ["--config", "/dev/null", "--log", "journal", "--set", "logRecords=whole"]
                    + arguments
            )
            #expect(notifications.receive().contains("READY=1"))
        }

        func scenectl(_ arguments: String...) throws {
            let command = try Command(
                [Command.built("scenectl")] + arguments + ["--socket", socket],
                mergingErrors: true
            )
            #expect(command.end() == 0, "\(arguments)")
        }

        /// Stops the daemon, and waits until the journal has everything that it logged.
        func stop(signal: Int32 = 15) throws {
            process.signal(signal)
            process.end()
            _ = try journal.command(["journalctl", "--sync"]).end()
        }
    }

    private func check(_ journal: PrivateJournal, _ arguments: String...) throws -> (status: Int32, report: JSONValue) {
        let command = try journal.command(
            [Command.built("scenectl"), "check", "--journal", "*", "--json"] + arguments
        )
        var text = ""
        while let line = command.line() { text += line + "\n" }
        return (command.end(), try JSONValue(parsing: text))
    }

    @Test("the journal returns every record of every host, and the invariants hold")
    func holds() throws {
        let journal = try PrivateJournal()
        let daemon = try Daemon(journal)
        try daemon.scenectl("connect", "A")
        try daemon.scenectl("openurl", "qcommerce://cart", "--scene", "A", "--event", "gated")
        try daemon.scenectl("session", "sign-in", "anna")
        try daemon.scenectl("openurl", "qcommerce://product/p1", "--scene", "A", "--wait", "finished")
        try daemon.scenectl("reset")
        try daemon.scenectl("connect", "B")
        try daemon.stop()
        let directory = try TemporaryDirectory()
        let shop = "\(directory.path)/shop.yaml"
        try AppManifest.builtInShopText.write(toFile: shop, atomically: true, encoding: .utf8)
        let (status, report) = try check(journal, "--app", shop)
        #expect(status == 0, "\(report.text(.indented))")
        #expect(
            report["hosts"]?.arrayValue?.allSatisfy { $0["invariants"]?.arrayValue?.last?["name"] == "agreement" }
                == true
        )
        let soak = try journal.command([Command.built("scenectl"), "soak", "report", "--journal", "*", "--app", shop])
        #expect(soak.awaitLine(with: "every invariant holds"))
        #expect(soak.end() == 0)
        let hosts = try #require(report["journal"]?["hosts"]?.arrayValue)
        #expect(hosts.map { $0["ending"] } == ["replaced", "stopped"])
        #expect(hosts.allSatisfy { $0["gaps"]?.arrayValue?.isEmpty == true && $0["firstIndex"] == 1 })
        let brief = try journal.journalctl(["SCENED_RECORD=dispatch.ended", "SCENED_EVENT=gated"])
        #expect(brief.count == 2 && brief.allSatisfy { $0["SCENED_RECORD_JSON"] != nil })
        #expect(try journal.journalctl(["SCENED_RECORD=host.started"]).count == 2, "each record is logged once")
    }

    @Test("a report on a run that nobody watched: how many events, how they ended, how long they took")
    func report() throws {
        let journal = try PrivateJournal()
        let daemon = try Daemon(journal)
        try daemon.scenectl("connect", "A")
        for _ in 0..<5 { try daemon.scenectl("openurl", "qcommerce://product/p1", "--scene", "A") }
        try daemon.scenectl("openurl", "qcommerce://cart", "--scene", "A")
        try daemon.stop()
        let command = try journal.command([Command.built("scenectl"), "soak", "report", "--journal", "*", "--json"])
        var text = ""
        while let line = command.line() { text += line + "\n" }
        let report = try JSONValue(parsing: text)
        #expect(command.end() == 0, "\(text)")
        #expect(report["conclusion"] == "clean", "\(text)")
        let totals = report["totals"]
        #expect(totals?["sent"] == 6 && totals?["answered"] == 6 && totals?["lost"] == 0, "\(text)")
        #expect(totals?["outcomes"] == ["applied": 1, "gated": 1, "unchanged": 4], "\(text)")
        #expect(report["journal"]?["hosts"]?.arrayValue?.count == 1)
        let shown = try journal.command([Command.built("scenectl"), "soak", "report", "--journal", "*"])
        #expect(shown.awaitLine(with: "every invariant holds"))
        #expect(shown.end() == 0)
    }

    @Test("while journald hangs the daemon goes on, and the records it drops are a gap, not a loss")
    func stalled() async throws {
        let journal = try PrivateJournal()
        let daemon = try Daemon(journal, ["--set", "logQueue=1000"])
        try daemon.scenectl("connect", "A")
        kill(journal.journald, SIGSTOP)
        // More than fit into the daemon's queue.
        let connection = try RawConnection(path: daemon.socket)
        let calls = ["orders", "product/p1"].map { link in
            #"{"method":"io.scened.Events.OpenURL","parameters":{"url":"qcommerce://\#(link)","scene":"A"}}"# + "\0"
        }
        for _ in 0..<10 {
            try await connection.write(String(repeating: calls.joined(), count: 32))
            #expect(!(try await connection.read(messages: 64)).contains("error"))
        }
        kill(journal.journald, SIGCONT)
        try daemon.stop()

        let (status, report) = try check(journal)
        #expect(status == 4, "\(report.text(.indented).prefix(4_000))")
        let host = try #require(report["journal"]?["hosts"]?.arrayValue?.first)
        let missing = try #require(host["missing"]?.objectValue)
        #expect(missing.map(\.key) == ["daemon"] && missing["daemon"]?.integerValue ?? 0 > 0, "\(missing)")
    }

    @Test("a killed host ends with its last record, and the next one is another host")
    func killed() throws {
        let journal = try PrivateJournal()
        for signal in [Int32(9), 15] {
            let daemon = try Daemon(journal)
            try daemon.scenectl("connect", "A")
            try daemon.scenectl("openurl", "qcommerce://product/p1", "--scene", "A")
            try daemon.scenectl("quiesce")
            try daemon.stop(signal: signal)
        }
        let (status, report) = try check(journal)
        let hosts = try #require(report["journal"]?["hosts"]?.arrayValue)
        #expect(hosts.map { $0["ending"] } == ["unknown", "stopped"])
        // The daemon was quiet when it was killed, or a few records are missing and the verdict is open.
        #expect(status == 0 || status == 4, "\(report.text(.indented))")
    }

    @Test("usage: at most one thing to check, and valid times")
    func usage() throws {
        func complaint(_ arguments: String...) throws -> String {
            let command = try Command([Command.built("scenectl"), "check"] + arguments, mergingErrors: true)
            let line = command.line() ?? ""
            while command.line() != nil {}
            #expect(command.end() == 2)
            return line
        }
        #expect(try complaint("--budget", "3").contains("need a file or --journal"))
        #expect(try complaint("x", "--journal", "scened").contains("not both"))
        #expect(try complaint("x", "--since", "-1h").contains("need --journal"))
        #expect(try complaint("--journal", "scened", "--since", "soon").contains("'soon' is not a time"))
        #expect(try complaint("--journal", "scened", "--host", "x").contains("32 hexadecimal digits"))
        #expect(try complaint("--journal", "scened", "--directory", "/x", "--namespace", "y").contains("one of them"))
        #expect(try complaint("--journal", "scened", "--since", "-1h", "--until", "-2h").contains("is before"))
    }
}
