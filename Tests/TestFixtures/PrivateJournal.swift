internal import Foundation
internal import Glibc
package import StrictJSON

/// A real systemd-journald for one test, in a mount namespace in which its fixed paths are folders of the test.
///
/// It ends when its standard input does, and so with the test process in any case.
package final class PrivateJournal {
    /// Why this machine cannot run a private journald, or `nil`.
    package static let obstacle: String? = {
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
    package let journald: Int32

    /// - Parameter room: how large its files may be, as in journald.conf(5), before the oldest are deleted.
    package init(room: String = "128M") throws {
        directory = try TemporaryDirectory()
        let configuration = """
            [Journal]
            Storage=volatile
            RuntimeMaxUse=\(room)
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
        guard !notification.receive(where: { $0.contains("READY=1") }).isEmpty else {
            throw JournalFailure(reason: "systemd-journald did not start")
        }
        let identifier = try String(contentsOfFile: "\(directory.path)/pid", encoding: .utf8)
        guard let journald = Int32(identifier.trimmingCharacters(in: .whitespacesAndNewlines)) else {
            throw JournalFailure(reason: "no process ID of systemd-journald in '\(identifier)'")
        }
        self.journald = journald
    }

    deinit {
        namespace.end()
    }

    /// The path of its files outside the namespace.
    package var files: String { "\(directory.path)/log/journal" }

    /// The path of its native socket outside the namespace.
    package var socket: String { "\(directory.path)/socket/socket" }

    /// The path of its Varlink socket outside the namespace.
    package var varlink: String { "\(directory.path)/socket/io.systemd.journal" }

    /// Starts a command for which this journal is the system's.
    package func command(_ arguments: [String]) throws -> Command {
        try Command(["nsenter", "--mount", "--target", "\(namespace.id)", "--wd=."] + arguments)
    }

    /// The entries `journalctl` finds, once everything sent has been written.
    package func journalctl(_ matches: String...) throws -> [JSONValue] {
        try journalctl(matches)
    }

    /// The entries `journalctl` finds, once everything sent has been written.
    package func journalctl(_ matches: [String]) throws -> [JSONValue] {
        guard try command(["journalctl", "--sync"]).end() == 0 else {
            throw JournalFailure(reason: "journalctl --sync failed")
        }
        let listing = try command(["journalctl", "--output=json", "--no-pager", "--quiet"] + matches)
        let entries = try listing.values()
        listing.end()
        return entries
    }
}

/// Why a private journald did not start although this machine can run one.
package struct JournalFailure: Error {
    package let reason: String
}
