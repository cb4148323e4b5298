import Foundation
import Glibc
import StrictJSON
import Subprocess
import TestFixtures
import Testing

/// `scenectl with-daemon`, as a shell uses it.
@Suite("scenectl with-daemon", .timeLimit(.minutes(15)))
struct WithDaemonTests {
    private static let scenectl = Command.built("scenectl")

    /// A folder for the daemons' folders, in which nothing may be left.
    private final class Place {
        let directory: TemporaryDirectory
        /// Where the daemons' folders are.
        let folders: String

        init() throws {
            directory = try TemporaryDirectory()
            folders = try directory.make("f")
        }

        /// The environment of the runs.
        var environment: [String: String] { ["TMPDIR": folders, "PATH": path, "SCENED_SOCKET": "/nowhere/at/all"] }

        private var path: String {
            "\(URL(filePath: WithDaemonTests.scenectl).deletingLastPathComponent().path):\(ProcessInfo.processInfo.environment["PATH"] ?? "/usr/bin:/bin")"
        }

        func run(_ words: [String], input: String = "") async throws -> Program.Outcome {
            try await Program.run(
                WithDaemonTests.scenectl,
                ["with-daemon"] + words,
                input: input,
                environment: environment.mapValues(String?.some)
            )
        }

        /// Starts a run whose output is read line by line.
        func start(_ words: [String]) throws -> Command {
            try Command(
                [WithDaemonTests.scenectl, "with-daemon"] + words,
                environment: environment,
                mergingErrors: true
            )
        }

        /// What is left of daemons.
        var left: [String] { (try? FileManager.default.contentsOfDirectory(atPath: folders)) ?? ["no folder"] }

        /// The processes that have to do with the folders, by their arguments.
        var processes: [String] {
            let all = (try? FileManager.default.contentsOfDirectory(atPath: "/proc")) ?? []
            return all.filter { Int($0) != nil }.compactMap {
                FileManager.default.contents(atPath: "/proc/\($0)/cmdline").map { String(decoding: $0, as: UTF8.self) }
            }
            .filter { $0.contains("\(folders)/") }
        }
    }

    /// Prints the folder of the socket, its mode, the process that listens there, and waits for standard input to end.
    private static let tell = """
        folder=${SCENED_SOCKET%/*}
        stat -c 'mode %a' "$folder"
        scenectl status --json | tr ',' '\\n' | sed -n 's/.*"processID": *\\([0-9]*\\).*/daemon \\1/p'
        echo told
        """

    @Test("runs a command with a daemon that is ready, on a private socket, and leaves nothing")
    func runs() async throws {
        let place = try Place()
        let outcome = try await place.run(
            ["--app", "bank", "--", "sh", "-c", "stat -c %a ${SCENED_SOCKET%/*}; scenectl openurl bank://help; cat"],
            input: "from outside"
        )
        #expect(outcome.status == .exited(0), "\(outcome.errors)")
        #expect(outcome.output.hasPrefix("700\n"))
        #expect(outcome.output.contains("applied") && outcome.output.hasSuffix("from outside"))
        #expect(outcome.errors == "")
        #expect(place.left == [])
    }

    static let statuses: [(command: [String], status: Int32, says: String)] = [
        (["true"], 0, ""), (["false"], 1, ""), (["sh", "-c", "exit 77"], 77, ""),
        (["sh", "-c", "kill -KILL $$"], 128 + 9, ""), (["sh", "-c", "kill -TERM $$"], 128 + 15, ""),
        (["sh", "-c", "exec <&- >&- 2>&-; exit 5"], 5, ""),
        (["no-such-command"], 127, "scenectl: There is no command 'no-such-command' in PATH."),
        (["./no-such-command"], 127, "scenectl: There is no command './no-such-command'."),
        (["/etc/passwd"], 126, "scenectl: '/etc/passwd' cannot be run: "),
        (["/etc"], 126, "scenectl: '/etc' cannot be run: "),
    ]

    @Test("exits as its command does, or as a shell does that cannot run it", arguments: statuses)
    func status(command: [String], status: Int32, says: String) async throws {
        let place = try Place()
        let outcome = try await place.run(["--"] + command)
        #expect(outcome.status == .exited(status), "\(outcome.errors)")
        #expect(outcome.errors.hasPrefix(says) && outcome.errors.isEmpty == says.isEmpty, "\(outcome.errors)")
        #expect(place.left == [])
    }

    @Test("hands the daemon its options, and says what the daemon says of a mistake")
    func options() async throws {
        let place = try Place()
        let words = [
            "--clock", "virtual", "--start", "2026-11-27T08:00Z", "--transition", "350", "--set", "mailbox=4", "--seed",
            "7", "--", "scenectl", "status", "--json",
        ]
        let outcome = try await place.run(words)
        let status = try JSONValue(parsing: outcome.output)
        #expect(status["clock"]?["virtual"] == true)
        let settings = (status["settings"]?.arrayValue ?? []).reduce(into: [String: String]()) { settings, setting in
            settings[setting["key"]?.stringValue ?? ""] = setting["value"]?.stringValue
        }
        #expect(settings["mailbox"] == "4" && settings["transition"] == "350", "\(settings)")

        let manifest = "\(place.directory.path)/bad.yaml"
        try "name: Demo\ntabs: { home: hmoe }\n".write(toFile: manifest, atomically: true, encoding: .utf8)
        let mistakes: [(words: [String], says: [String])] = [
            (["--app", manifest], ["ended with status", "before it was ready", "hmoe"]),
            (["--app", "\(place.directory.path)/none.yaml"], ["before it was ready", "none.yaml"]),
            (["--clock", "sundial"], ["before it was ready", "sundial"]),
            (["--set", "maibox=4"], ["before it was ready", "mailbox"]),
            (["--scened", "/nowhere/scened"], ["there is no program '/nowhere/scened' (from the option)"]),
            (["--scened", "/bin/true"], ["/bin/true ended with status 0 before it was ready; its log is empty"]),
        ]
        for (words, says) in mistakes {
            let outcome = try await place.run(words + ["--", "echo", "run all the same"])
            #expect(outcome.status == .exited(125), "\(words): \(outcome.errors)")
            #expect(outcome.output == "")
            for text in says {
                #expect(outcome.errors.lowercased().contains(text.lowercased()), "\(words): \(outcome.errors)")
            }
            #expect(place.left == [])
        }
        for (words, says) in [
            ([], "Expected a command after --"), (["--set", "mailbox", "--", "true"], "expected key=value"),
            (["--ap", "bank", "--", "true"], "--app"),
        ] {
            let outcome = try await place.run(words)
            #expect(outcome.status == .exited(2) && outcome.errors.contains(says), "\(words): \(outcome.errors)")
        }
    }

    @Test("takes the program of --scened, else of SCENED, else the one beside it")
    func programs() async throws {
        let place = try Place()
        let code = ["--", "scenectl", "status"]
        for (variable, words, found) in [
            ("", [], false), (Command.built("code-probe"), [], true),
            ("/nowhere", ["--scened", Command.built("code-probe")], true),
        ] {
            let outcome = try await Program.run(
                Self.scenectl,
                ["with-daemon"] + words + code,
                environment: place.environment.merging(["SCENED": variable]) { $1 }.mapValues(String?.some)
            )
            #expect(outcome.status == .exited(0), "\(outcome.errors)")
            #expect(outcome.output.contains("CodeProbe 2.3.1") == found, "\(outcome.output)")
        }
    }

    @Test("one within another has a daemon of its own")
    func nested() async throws {
        let place = try Place()
        let outcome = try await place.run([
            "--app", "bank", "--", "sh", "-c",
            "scenectl connect A > /dev/null; echo $SCENED_SOCKET; scenectl with-daemon -- sh -c 'echo $SCENED_SOCKET; scenectl list'; scenectl list; exit 9",
        ])
        #expect(outcome.status == .exited(9), "\(outcome.errors)")
        let lines = outcome.output.split(separator: "\n")
        #expect(lines.count >= 2 && lines[0] != lines[1], "\(outcome.output)")
        #expect(lines.filter { $0.hasPrefix("A ") }.count == 1, "\(outcome.output)")
        #expect(place.left == [])
    }

    @Test("hands on the signals that it is sent, and stops the daemon", arguments: [SIGINT, SIGTERM, SIGHUP, SIGUSR1])
    func signals(number: Int32) async throws {
        let place = try Place()
        let script = "trap 'echo caught; exit 3' HUP INT TERM USR1; echo ready; while :; do sleep 0.01; done"
        let run = try place.start(["--", "sh", "-c", script])
        #expect(run.awaitLine(with: "ready"))
        run.signal(number)
        #expect(run.awaitLine(with: "caught"))
        #expect(run.end() == 3)
        #expect(place.left == [])

        let other = try place.start(["--", "sh", "-c", "echo ready; exec sleep 600"])
        #expect(other.awaitLine(with: "ready"))
        other.signal(number)
        #expect(other.end() == 128 + number)
        #expect(place.left == [])
    }

    @Test("Ctrl-C reaches the command, and not the daemon", arguments: ["/bin/sh", "/bin/bash"])
    func interrupt(shell: String) async throws {
        let place = try Place()
        let script = "\(place.directory.path)/command"
        try """
        trap 'echo caught' INT
        echo ready
        while :; do
            # An interrupted read has failed, and is tried again; at the end of the input there is none.
            if read line; then break; fi
            [ $((tries += 1)) -lt 100 ] || exit 1
        done
        scenectl status > /dev/null
        exit 7
        """.write(toFile: script, atomically: true, encoding: .utf8)
        // On a terminal of its own, whose foreground group gets the signal.
        let run = try Command(
            Command.onTerminal("\(Self.scenectl) with-daemon -- sh \(script)"),
            environment: place.environment.merging(["SHELL": shell]) { $1 }
        )
        #expect(run.awaitLine(with: "ready"))
        run.send("\u{3}")
        #expect(run.awaitLine(with: "caught"))
        run.send("end\n")
        #expect(run.end() == 7)
        #expect(place.left == [])
    }

    @Test("what the terminal sends to the whole group is not handed on as well", arguments: ["/bin/sh", "/bin/bash"])
    func interruptOnce(shell: String) async throws {
        let place = try Place()
        let script = "\(place.directory.path)/command"
        try """
        trap 'echo caught' INT
        trap 'told=1' USR1
        echo ready
        read line
        # It is handed on after what came before it.
        kill -USR1 $PPID
        until [ "$told" ]; do sleep 0.01; done
        exit 7
        """.write(toFile: script, atomically: true, encoding: .utf8)
        // In a session of its own, where only what is handed on reaches it.
        let run = try Command(
            Command.onTerminal("\(Self.scenectl) with-daemon -- setsid sh \(script)"),
            environment: place.environment.merging(["SHELL": shell]) { $1 }
        )
        #expect(run.awaitLine(with: "ready"))
        run.send("\u{3}end\n")
        var rest: [String] = []
        while let line = run.line() { rest.append(line) }
        #expect(!rest.contains { $0.contains("caught") }, "\(rest)")
        #expect(run.end() == 7, "\(rest)")
    }

    @Test("a signal that it ignores from its start, it goes on to ignore")
    func ignoredSignals() async throws {
        let place = try Place()
        let run = try Command(
            [
                "sh", "-c", "trap '' HUP; exec \"$@\"", "sh", Self.scenectl, "with-daemon", "--", "sh", "-c",
                "echo ready; kill -HUP $PPID; echo sent",
            ],
            environment: place.environment
        )
        #expect(run.awaitLine(with: "sent"))
        #expect(run.end() == 0)
    }

    @Test("when it is killed, its daemon ends and the folder goes")
    func killed() async throws {
        let place = try Place()
        let run = try place.start(["--", "sh", "-c", Self.tell + "; exec cat > /dev/null"])
        var daemon: Int32?
        while let line = run.line(), line != "told" {
            if line.hasPrefix("daemon ") { daemon = Int32(line.dropFirst(7)) }
        }
        let process = try #require(daemon)
        #expect(kill(process, 0) == 0)
        run.signal(SIGKILL)
        run.end()
        try await until("the daemon has ended") { kill(process, 0) != 0 }
        try await until("its folder is gone") { place.left == [] }
    }

    @Test("whenever in its start it is killed, nothing is left")
    func killedAtAnyMoment() async throws {
        let place = try Place()
        let clock = ContinuousClock()
        let start = clock.now
        let outcome = try await place.run(["--", "true"])
        #expect(outcome.status == .exited(0), "\(outcome.errors)")
        let whole = clock.now - start
        let count = 30
        for number in 0..<count {
            let run = try place.start(["--", "cat"])
            try await clock.sleep(for: whole * number / count)
            run.signal(SIGKILL)
            run.end()
            try await until("nothing is left after \(number) of \(count) parts of \(whole)") {
                place.left == [] && place.processes == []
            }
        }
    }

    @Test("folders that nobody has to do with any more are removed, and others stay")
    func leftBehind() async throws {
        let place = try Place()
        let live = "scened-run-Live12"
        let others = ["scened-run-longer1", "scened-run", "scened-mine"]
        for name in others + [live] { _ = try place.directory.make("f/\(name)") }
        let left = try place.directory.make("f/scened-run-Left12")
        try "a log".write(toFile: "\(left)/log", atomically: true, encoding: .utf8)
        let holder = try Command(["flock", "\(place.folders)/\(live)", "sh", "-c", "echo held; read go"])
        #expect(holder.awaitLine(with: "held"))
        let outcome = try await place.run(["--", "true"])
        #expect(outcome.status == .exited(0), "\(outcome.errors)")
        #expect(place.left.sorted() == (others + [live]).sorted())
        holder.end()
    }

    @Test("its daemon can tell it everything, and warns of nothing")
    func notices() async throws {
        let place = try Place()
        // More than the queue of a socket takes, if nobody reads.
        let script = "for i in 1 2 3 4 5 6 7 8; do scenectl reload > /dev/null; done; exit 3"
        let folder = "\(place.directory.path)/left over"
        let outcome = try await place.run(["--artifacts", folder, "--", "sh", "-c", script])
        #expect(outcome.status == .exited(3), "\(outcome.errors)")
        let log = try String(contentsOfFile: "\(folder)/daemon.log", encoding: .utf8)
        #expect(log.components(separatedBy: " manifest loaded ").count == 9, "\(log)")
        #expect(!log.contains(" warning "), "\(log)")
    }

    @Test("a folder that cannot be made is said, with why and what would do")
    func noFolder() async throws {
        let place = try Place()
        let outcome = try await Program.run(
            Self.scenectl,
            ["with-daemon", "--", "true"],
            environment: place.environment.merging(["TMPDIR": "/proc/nowhere", "LC_ALL": "C"]) { $1 }.mapValues(
                String?.some
            )
        )
        #expect(outcome.status == .exited(125))
        #expect(outcome.errors.contains("/proc/nowhere/scened-run-"), "\(outcome.errors)")
        #expect(outcome.errors.contains("No such file or directory; TMPDIR names another place"), "\(outcome.errors)")
    }

    @Test("a daemon that dies is told with its log, and the command goes on; the status says so")
    func daemonDies() async throws {
        let place = try Place()
        let run = try place.start(["--", "sh", "-c", Self.tell + "; read go; echo went on"])
        var daemon: Int32?
        while let line = run.line(), line != "told" {
            if line.hasPrefix("daemon ") { daemon = Int32(line.dropFirst(7)) }
        }
        kill(try #require(daemon), SIGKILL)
        #expect(run.awaitLine(with: "scenectl: The daemon has ended. 'sh' goes on without it."))
        run.send("go\n")
        #expect(run.awaitLine(with: "went on"))
        #expect(run.awaitLine(with: "scened ended by signal 9; the end of its log:"))
        #expect(run.end() == 124)
        #expect(place.left == [])
    }

    @Test("--check asks for the verdict, and what the records do not tell fails nothing")
    func check() async throws {
        let place = try Place()
        for command in ["scenectl openurl qcommerce://cart", "true"] {
            let outcome = try await place.run(["--check", "--", "sh", "-c", command])
            #expect(outcome.status == .exited(0), "\(command): \(outcome.errors)")
            #expect(outcome.errors == "")
        }
    }

    @Test("--check fails a run whose records violate an invariant, unless its command has failed already")
    func violated() async throws {
        let place = try Place()
        let lying = URL(filePath: #filePath).deletingLastPathComponent().deletingLastPathComponent()
            .deletingLastPathComponent().appending(path: "protocol/python/tests/lying_scened.py").path
        for (words, status, says) in [(["--check"], 1, true), (["--check"], 5, true), ([], 0, false)]
            as [([String], Int32, Bool)]
        {
            let outcome = try await Program.run(
                Self.scenectl,
                ["with-daemon", "--scened", lying] + words + [
                    "--", "sh", "-c", "exit $0", status == 1 ? "0" : "\(status)",
                ],
                environment: place.environment.merging(["REAL_SCENED": Command.built("scened")]) { $1 }
                    .mapValues(String?.some)
            )
            #expect(outcome.status == .exited(status), "\(outcome.errors)")
            #expect(outcome.errors.contains("window A shows what nobody may see") == says, "\(outcome.errors)")
        }
    }

    @Test("a run that fails leaves what is known, with commands that look at it; one that does not leaves nothing")
    func artifacts() async throws {
        let place = try Place()
        let folder = "\(place.directory.path)/left over"
        let options = ["--app", "bank", "--clock", "virtual", "--artifacts", folder]
        let script = "scenectl openurl bank://help > /dev/null; exit $0"
        let failed = try await place.run(options + ["--", "sh", "-c", script, "4"])
        #expect(failed.status == .exited(4))
        let names = try FileManager.default.contentsOfDirectory(atPath: folder).sorted()
        #expect(names == ["app.json", "daemon.log", "records.jsonl", "script.jsonl", "trace.html"])
        let commands = failed.errors.split(separator: "\n").filter { $0.hasPrefix("  ") }
        #expect(commands.count == 2, "\(failed.errors)")
        for command in commands {
            let outcome = try await Program.run(
                "sh",
                ["-c", String(command)],
                environment: place.environment.mapValues(String?.some)
            )
            #expect(outcome.status == .exited(0), "\(command): \(outcome.output)\(outcome.errors)")
        }
        let passed = try await place.run(options + ["--", "sh", "-c", script, "0"])
        #expect(passed.status == .exited(0) && passed.errors == "", "\(passed.errors)")
        #expect(!FileManager.default.fileExists(atPath: folder))
    }

    @Test("the line that plays a failed run begins where its clock did, and takes what is secret in it")
    func replay() async throws {
        let place = try Place()
        let folder = "\(place.directory.path)/left over"
        let app = URL(filePath: #filePath).deletingLastPathComponent().deletingLastPathComponent()
            .appending(path: "Apps/secrets.yaml").path
        let script = """
            scenectl reset --start 2031-05-01T10:00Z > /dev/null
            scenectl connect A > /dev/null
            scenectl openurl --scene A safe://reset/Abcdefgh > /dev/null
            exit 4
            """
        let failed = try await place.run(
            ["--app", app, "--clock", "virtual", "--artifacts", folder, "--", "sh", "-c", script]
        )
        #expect(failed.status == .exited(4), "\(failed.errors)")
        let line = try #require(failed.errors.split(separator: "\n").first { $0.contains(" play --reset ") })
        func play(_ more: String) async throws -> Program.Outcome {
            try await Program.run(
                "sh",
                ["-c", "\(line) \(more)"],
                environment: place.environment.mapValues(String?.some)
            )
        }
        let without = try await play("")
        #expect(without.status == .exited(2), "\(without)")
        let placeholder = try #require(without.errors.firstMatch(of: /secret:[0-9a-f]{24}/)).output
        let played = try await play("--secret \(placeholder)=Abcdefgh")
        #expect(played.status == .exited(0), "\(played)")
        let other = try await play("--secret \(placeholder)=no")
        #expect(other.status == .exited(1), "\(other)")
    }

    @Test("artifacts that cannot be written leave the command its status")
    func artifactsElsewhere() async throws {
        let place = try Place()
        // What can be known before is told before.
        let never = try await place.run(["--artifacts", "/proc/nowhere", "--", "sh", "-c", "exit 4"])
        #expect(never.status == .exited(2) && never.errors.contains("/proc/nowhere: "), "\(never.errors)")
        let folder = "\(place.directory.path)/left"
        let outcome = try await place.run([
            "--artifacts", folder, "--", "sh", "-c", "mkdir -p \"$0\"/daemon.log; exit 4", folder,
        ])
        #expect(outcome.status == .exited(4), "\(outcome.errors)")
        #expect(
            outcome.errors.hasPrefix("scenectl: nothing more was kept: \(folder)/daemon.log: "),
            "\(outcome.errors)"
        )
    }

    @Test("with --json a failure is one object")
    func json() async throws {
        let place = try Place()
        for (words, error, status) in [
            (["--", "no-such-command"], "scenectl.NoCommand", 127),
            (["--", "/etc"], "scenectl.CommandNotRunnable", 126),
            (["--clock", "sundial", "--", "true"], "scenectl.DaemonNotStarted", 125),
        ] {
            let outcome = try await place.run(["--json"] + words)
            let told = try JSONValue(parsing: String(outcome.errors.split(separator: "\n").last ?? ""))
            #expect(told["error"]?.stringValue == error && told["status"]?.integerValue == status, "\(outcome.errors)")
            #expect(outcome.status == .exited(Int32(status)))
        }
    }
}
