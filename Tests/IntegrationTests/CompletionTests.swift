import Foundation
import SceneClient
import Subprocess
import TestFixtures
import Testing

/// What shells offer after Tab, by the scripts that `scenectl --generate-completion-script` prints.
@Suite("Completion in shells", .timeLimit(.minutes(15)))
struct CompletionTests {
    static let shells = ["bash", "zsh", "fish"]

    /// Where a shell is installed; `nil` if it is not.
    private static func path(of shell: String) -> String? {
        ["/bin", "/usr/bin", "/usr/local/bin"].map { "\($0)/\(shell)" }.first(
            where: FileManager.default.isExecutableFile
        )
    }

    private static func script(_ shell: String) async throws -> String {
        let script = try await Program.run(Command.built("scenectl"), ["--generate-completion-script", shell])
        #expect(script.status == .exited(0))
        return script.output
    }

    /// Calls the function that bash calls when Tab is pressed at the end of a line, and prints what it offers, one a line.
    private static let bash = #"""
        source "$1"
        PATH=$(dirname "$2"):$PATH
        COMP_LINE=$3
        COMP_POINT=${#COMP_LINE}
        # As readline splits it: the signs of COMP_WORDBREAKS are words of their own.
        read -ra COMP_WORDS <<< "${COMP_LINE//=/ = }"
        [[ $COMP_LINE == *[=\ ] ]] && COMP_WORDS+=("")
        COMP_CWORD=$((${#COMP_WORDS[@]} - 1))
        COMPREPLY=()
        _scenectl scenectl "${COMP_WORDS[COMP_CWORD]}" "${COMP_WORDS[COMP_CWORD - 1]}"
        printf '%s\n' "${COMPREPLY[@]}"
        """#

    private static func offered(_ line: String, _ script: String, socket: String?) async throws -> [String] {
        let outcome = try await Program.run(
            "bash",
            ["-c", bash, "bash", script, Command.built("scenectl"), line],
            environment: ["SCENED_SOCKET": socket ?? "/nowhere/at/all", "SCENECTL_COMPLETION_TIMEOUT": "300000"]
        )
        #expect(outcome.status == .exited(0) && outcome.errors.isEmpty, "\(line): \(outcome.errors)")
        return outcome.output.split(separator: "\n").map(String.init)
    }

    /// A line that ends where Tab is pressed, and what is offered there in a shop with the windows A and B1, of which only the
    /// daemon knows; and without a daemon.
    static let lines: [(line: String, offered: [String], alone: [String])] = [
        ("scenectl back --scene ", ["A", "B1"], []), ("scenectl openurl --scene B", ["B1"], []),
        ("scenectl show A B", ["B1"], []), ("scenectl discard ", ["A", "B1"], []), ("scenectl drag A", ["A"], []),
        ("scenectl session sign-out --scene ", ["A", "B1"], []), ("scenectl hold planned --scene B", ["B1"], []),
        ("scenectl tap o", ["orders"], []), ("scenectl tap --scene A ", ["account", "home", "orders"], []),
        ("scenectl finish a", ["addPayment", "auth"], []), ("scenectl intent pro", ["productSelected"], []),
        ("scenectl intent --from tab", ["tab account", "tab home", "tab orders"], []),
        ("scenectl session set payment", ["paymentMethod="], []),
        ("scenectl session set --remove unav", ["unavailable"], []),
        ("scenectl session sign-in ", ["mina", "theo"], []), ("scenectl resolve --user t", ["theo"], []),
        ("scenectl urls pro", ["product", "promo"], []), ("scenectl connect --configuration det", ["detail"], []),
        ("scenectl why ", ["first", "second"], []), ("scenectl receipt s", ["second"], []),
        ("scenectl records --event f", ["first"], []), ("scenectl adapter try --adapter push-u", ["push-url"], []),
        ("scenectl hold p", ["planned"], ["planned"]), ("scenectl hold planned --kind sw", ["sweep"], ["sweep"]),
        ("scenectl swipe ", ["back", "down"], ["back", "down"]), ("scenectl app print b", ["bank"], ["bank"]),
        ("scenectl activate A back", ["background"], ["background"]),
        ("scenectl race sign-o", ["sign-out-against-push"], ["sign-out-against-push"]),
        ("scenectl race --app ba", ["bank"], ["bank"]),
        ("scenectl sample push-r", ["push-reply", "push-route"], ["push-reply", "push-route"]),
        ("scenectl records --kind gate.a", ["gate.abandoned"], ["gate.abandoned"]),
        ("scenectl race double-tap --mailbox p", ["priority"], ["priority"]),
    ]

    /// A daemon with two windows, two users and two events.
    private static func inUse(_ body: @escaping @Sendable (LiveDaemon) async throws -> Void) async throws {
        try await LiveDaemon.run { daemon in
            let client = try await daemon.client()
            for scene in ["A", "B1"] { _ = try await client.connect(scene: scene) }
            for user in ["mina", "theo"] { _ = try await client.signIn(user: user) }
            for event in ["first", "second"] {
                _ = try await client.openURL("qcommerce://orders", .init(scene: "A", event: event))
            }
            try await body(daemon)
        }
    }

    @Test("offers in bash what the daemon knows, and without a daemon what does not need one")
    func offers() async throws {
        let directory = try TemporaryDirectory()
        let script = "\(directory.path)/scenectl.bash"
        try await Self.script("bash").write(toFile: script, atomically: true, encoding: .utf8)
        try await Self.inUse { daemon in
            for (line, offered, alone) in Self.lines {
                let known = try await Self.offered(line, script, socket: daemon.socket)
                #expect(known.sorted() == offered, "\(line)")
                let unknown = try await Self.offered(line, script, socket: nil)
                #expect(unknown.sorted() == alone, "\(line), no daemon")
            }
            // The daemon is the one that the line names.
            for socket in ["--socket \(daemon.socket)", "--socket '\(daemon.socket)'"] {
                let found = try await Self.offered("scenectl tap \(socket) ord", script, socket: nil)
                #expect(found == ["orders"], "\(socket)")
            }
            let other = try await Self.offered("scenectl tap --socket /nowhere ord", script, socket: daemon.socket)
            #expect(other.isEmpty)
        }
    }

    @Test("offers files of scenarios and manifests beside the names of those that ship, and the folders on the way")
    func files() async throws {
        let directory = try TemporaryDirectory()
        let script = "\(directory.path)/scenectl.bash"
        try await Self.script("bash").write(toFile: script, atomically: true, encoding: .utf8)
        let folder = "\(directory.path)/races"
        try FileManager.default.createDirectory(atPath: "\(folder)/more", withIntermediateDirectories: true)
        for name in ["mine.yaml", "mine.json", "mine.txt"] {
            try "".write(toFile: "\(folder)/\(name)", atomically: true, encoding: .utf8)
        }
        let found = try await Self.offered("scenectl race \(folder)/m", script, socket: nil)
        #expect(found == ["\(folder)/mine.json", "\(folder)/mine.yaml", "\(folder)/more/"])
        let app = try await Self.offered("scenectl race --app \(folder)/mine.y", script, socket: nil)
        #expect(app == ["\(folder)/mine.yaml"])
    }

    @Test("has scripts that each shell can read", arguments: shells)
    func syntax(shell: String) async throws {
        guard let path = Self.path(of: shell) else { return }
        let directory = try TemporaryDirectory()
        let file = "\(directory.path)/script"
        try await Self.script(shell).write(toFile: file, atomically: true, encoding: .utf8)
        let checked = try await Program.run(path, [shell == "fish" ? "--no-execute" : "-n", file])
        #expect(checked.status == .exited(0) && checked.errors.isEmpty, "\(checked.errors)")
    }

    @Test("gives up on a daemon that does not answer, and says nothing")
    func silent() async throws {
        let directory = try TemporaryDirectory()
        let socket = "\(directory.path)/mute"
        // It listens and never accepts, so that a call is never answered.
        let script = """
            import socket, subprocess, sys
            listener = socket.socket(socket.AF_UNIX)
            listener.bind(sys.argv[1])
            listener.listen(8)
            sys.exit(subprocess.call(sys.argv[2:]))
            """
        let outcome = try await Program.run(
            "python3",
            [
                "-c", script, socket, Command.built("scenectl"), "---completion", "tap", "--", "positional@0", "4", "0",
                "scenectl",
                "tap", "--socket", socket, "",
            ],
            environment: ["SAP_SHELL": "bash", "SAP_SHELL_VERSION": "5.2", "SCENECTL_COMPLETION_TIMEOUT": "50"]
        )
        #expect(outcome.status == .exited(0) && outcome.output.isEmpty && outcome.errors.isEmpty, "\(outcome)")
    }
}
