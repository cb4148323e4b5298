import Glibc
import LoadGenerator
import TestFixtures

/// A daemon that logs to a journal of its own, with one window.
final class JournalledDaemon {
    struct Failure: Error {
        let what: String
    }

    private let journal: PrivateJournal
    private let directory: TemporaryDirectory
    private let daemon: Command
    private let socket: String

    init(_ journal: PrivateJournal, _ arguments: [String]) throws {
        self.journal = journal
        directory = try TemporaryDirectory()
        socket = "\(directory.path)/io.scened"
        let notifications = try NotificationSocket(in: directory)
        daemon = try journal.command(
            ["env", "NOTIFY_SOCKET=\(notifications.path)", Command.built("scened"), "--socket", socket]
                + ["--config", "/dev/null", "--log", "journal"] + arguments
        )
        guard notifications.receive().contains("READY=1") else { throw Failure(what: "the daemon did not start") }
        let descriptor = load_connect(socket)
        let call = #"{"method":"io.scened.Scenes.Connect","parameters":{"scene":"A"}}"#.utf8CString.map { $0 }
        guard load_call(descriptor, call, call.count, 0, 1) > 0 else { throw Failure(what: "no window") }
        close(descriptor)
    }

    /// - Returns: The seconds until all are settled.
    func load(_ events: Int, _ connections: Int32, _ pipeline: Int32) throws -> Double {
        let call =
            #"{"method":"io.scened.Events.OpenURL","parameters":{"url":"https://shop.example/product/p1004","scene":"A"}}"#
            .utf8CString.map { $0 }
        let seconds = load_pipelines(socket, connections, pipeline, events, call, call.count, 1, 1, 0, 1, nil)
        guard seconds > 0 else { throw Failure(what: "the load broke off") }
        return seconds
    }

    /// Waits until the daemon has written its log and journald has stored it.
    func stop() throws {
        daemon.signal(15)
        daemon.end()
        guard try journal.command(["journalctl", "--sync"]).end() == 0 else { throw Failure(what: "journalctl --sync") }
    }
}
