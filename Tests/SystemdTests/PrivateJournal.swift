import Foundation
import Glibc
import StrictJSON
import Testing

/// A real systemd-journald for one test, in a mount namespace where its fixed paths are folders of the test's own.
///
/// It ends with its standard input, and so with the test process however that ends.
final class PrivateJournal {
    /// Why this machine cannot run one, or `nil`.
    static let obstacle: String? = {
        guard geteuid() == 0 else { return "a private journald needs root" }
        guard access("/lib/systemd/systemd-journald", X_OK) == 0 else { return "systemd-journald is not installed" }
        guard let trial = try? Command(["unshare", "--mount", "true"], mergingErrors: true), trial.end() == 0 else {
            return "this machine allows no mount namespaces"
        }
        return nil
    }()

    private static let script = """
        set -e
        mkdir -p /run/systemd/journal /run/log
        mount --bind "$D/socket" /run/systemd/journal
        mount --bind "$D/log" /run/log
        mount --bind "$D/etc" /etc/systemd
        sh -c 'echo $$ > "$D/pid"; exec /lib/systemd/systemd-journald' < /dev/null &
        read -r _ || true
        kill -CONT $!
        kill $!
        wait $!
        """

    private let directory: TemporaryDirectory
    private let namespace: Command
    /// The process ID of journald.
    let journald: Int32

    init() throws {
        directory = try TemporaryDirectory()
        let configuration = """
            [Journal]
            Storage=volatile
            RuntimeMaxUse=128M
            RateLimitBurst=0
            ReadKMsg=no
            Audit=no
            ForwardToWall=no

            """
        try configuration.write(
            toFile: directory.make("etc") + "/journald.conf",
            atomically: true,
            encoding: .utf8
        )
        _ = try directory.make("socket")
        _ = try directory.make("log")
        let notification = try NotificationSocket(in: directory)
        namespace = try Command(
            ["unshare", "--mount", "--propagation", "private", "sh", "-c", Self.script],
            environment: ["D": directory.path, "NOTIFY_SOCKET": notification.path]
        )
        var isReady = false
        while !isReady {
            let message = notification.receive()
            try #require(!message.isEmpty, "systemd-journald did not start")
            isReady = message.contains("READY=1")
        }
        let identifier = try String(contentsOfFile: "\(directory.path)/pid", encoding: .utf8)
        journald = try #require(Int32(identifier.trimmingCharacters(in: .whitespacesAndNewlines)))
    }

    deinit {
        namespace.end()
    }

    /// Where its files are, seen from here.
    var files: String { "\(directory.path)/log/journal" }

    /// Its native socket, seen from here.
    var socket: String { "\(directory.path)/socket/socket" }

    /// Starts a command that sees this journal as the system's.
    func command(_ arguments: [String]) throws -> Command {
        try Command(["nsenter", "--mount", "--target", "\(namespace.id)", "--wd=."] + arguments)
    }

    /// The entries `journalctl` finds, once everything sent has been written.
    func journalctl(_ matches: String...) throws -> [JSONValue] {
        try #require(command(["journalctl", "--sync"]).end() == 0)
        let listing = try command(["journalctl", "--output=json", "--no-pager", "--quiet"] + matches)
        let entries = try listing.values()
        listing.end()
        return entries
    }
}
