import Foundation
import StrictJSON
import Subprocess
import TestFixtures
import Testing

/// `race` of a daemon's program: `scenectl race` with the app's own code.
@Suite("The command race of an app's daemon", .timeLimit(.minutes(15)))
struct OwnDaemonRaceTests {
    private static func race(_ arguments: [String], of program: String = "code-probe") async throws -> Program.Outcome {
        try await Program.run(Command.built(program), ["race"] + arguments)
    }

    @Test("finds a mistake of the app's code, keeps it, and each way to run it again finds it again")
    func found() async throws {
        let directory = try TemporaryDirectory()
        let (saved, page, script) = (
            "\(directory.path)/a race.json", "\(directory.path)/race.html", "\(directory.path)/race.sh"
        )
        let first = try await Self.race(
            [
                "lost-count", "--iterations", "500", "--seed", "7", "--jobs", "2", "--save", saved, "--report", page,
                "--export", script, "--json",
            ]
        )
        #expect(first.status == .exited(1), "\(first.output)\(first.errors)")
        let result = try JSONValue(parsing: first.output)
        #expect(result["race"] == true && result["kind"] == "end")
        #expect(result["findings"] == ["the fact unread is 1, expected 2"])
        let code = try #require(result["replay"]?.stringValue)
        for word in [code, saved] {
            let again = try await Self.race(["lost-count", "--replay", word, "--json"])
            #expect(again.status == .exited(1), "\(again.output)\(again.errors)")
            let replayed = try JSONValue(parsing: again.output)
            #expect(replayed["traceHash"] == result["traceHash"] && replayed["findings"] == result["findings"])
            #expect(!again.errors.contains(saved), "the file is of this build: \(again.errors)")
        }
        let text = try await Self.race(["lost-count", "--replay", code])
        #expect(
            text.output.contains("\nTo run it again: code-probe race lost-count --replay \(code)\n"),
            "\(text.output)"
        )
        let html = try String(contentsOfFile: page, encoding: .utf8)
        #expect(html.contains("code-probe race lost-count --replay \(code)"))
        let exported = try String(contentsOfFile: script, encoding: .utf8)
        #expect(exported.contains("which you start like this:\n#   code-probe\n"), "\(exported)")
    }

    @Test(
        "finds code that traps, by any number of processes but none, and makes the race small",
        arguments: [[], ["--jobs", "2"]]
    )
    func trapped(jobs: [String]) async throws {
        let directory = try TemporaryDirectory()
        let saved = "\(directory.path)/race.json"
        let arguments = ["trapped-last", "--iterations", "500", "--seed", "3", "--shrink", "--save", saved, "--json"]
        let first = try await Self.race(arguments + jobs)
        #expect(first.status == .exited(1), "\(first.output)\(first.errors)")
        #expect(try JSONValue(parsing: first.output)["kind"] == "trapped")
        let again = try await Self.race(["trapped-last", "--replay", saved])
        #expect(again.status == .exited(1), "\(again.output)\(again.errors)")
        #expect(again.output.contains("Index out of range"), "\(again.output)")
        let steps = try #require(again.output.firstMatch(of: /steps, ([0-9]+) of them out of turn/)?.output.1)
        #expect((Int(steps) ?? .max) < 10, "of 41 when it was found: \(again.output)")
    }

    @Test("lists the scenarios of the app's folder, prints one, and searches them all")
    func folder() async throws {
        let list = try await Self.race(["--list", "--json"])
        #expect(list.status == .exited(0), "\(list.errors)")
        let names = try JSONValue(parsing: list.output).arrayValue?.compactMap { $0["name"]?.stringValue }
        #expect(names == ["lost-count", "trapped-last"])
        // Where it was built is nobody's business there.
        let path = Command.built("code-probe")
        let tests = URL(filePath: #filePath).deletingLastPathComponent().deletingLastPathComponent().path
        let help = try await Program.run("sh", ["-c", "cd '\(tests)' && '\(path)' race --help"])
        #expect(help.output.contains("CodeProbe/Scenarios") && !help.output.contains("\(tests)/"), "\(help.output)")
        let printed = try await Self.race(["lost-count", "--print"])
        #expect(printed.output.hasPrefix("name: lost-count\n"))
        let all = try await Self.race(["--all", "--iterations", "300", "--seed", "3"])
        #expect(all.status == .exited(1))
        #expect(
            all.output.contains(/lost-count: .* race \(end\): code-probe race lost-count --replay/),
            "\(all.output)"
        )
        #expect(all.output.contains(/trapped-last: .* race \(trapped\): code-probe race trapped-last/), "\(all.output)")
    }

    @Test("runs the shop's coordinators in Swift, and finds nothing; of two jobs the result is the same")
    func shop() async throws {
        let arguments = ["sign-out-against-push", "--iterations", "100", "--seed", "5", "--json"]
        var hashes: [JSONValue?] = []
        for jobs in ["0", "1", "2"] {
            let outcome = try await Self.race(arguments + ["--jobs", jobs], of: "shop-daemon")
            #expect(outcome.status == .exited(0), "\(outcome.output)\(outcome.errors)")
            hashes.append(try JSONValue(parsing: outcome.output)["tracesHash"])
        }
        #expect(hashes[0] != nil && Set(hashes).count == 1)
    }

    @Test(
        "takes a scenario and a manifest by their paths; a manifest that does not fit the code is refused, with both places"
    )
    func paths() async throws {
        let directory = try TemporaryDirectory()
        let scenario = "\(directory.path)/mine.yaml"
        try
            "name: mine\ndescription: A window closes while somebody signs in.\nwindows: { A: {} }\nactors:\n  a: [{ sign-in: anna }]\n  b: [{ disconnect: A }]\n"
            .write(toFile: scenario, atomically: true, encoding: .utf8)
        let own = try await Self.race([scenario, "--iterations", "20", "--seed", "1"])
        #expect(own.status == .exited(0), "\(own.output)\(own.errors)")
        let other = try await Self.race([scenario, "--app", "bank"])
        #expect(other.status == .exited(2), "\(other.output)\(other.errors)")
        for word in ["bank", "the destination 'page'", "CodeProbe"] {
            #expect(other.errors.contains(word), "\(other.errors)")
        }
    }

    /// What `scenectl race` is told in the same way, but for its name.
    static let misuses: [[String]] = [
        ["--itertions", "5"], ["--strategy", "best"], ["--mailbox", "lifo"], ["--report", "race.pdf"],
        ["--time", "soon"], ["--jobs", "-1"], ["--iterations", "0"], ["-n", "5"], ["another"], ["--all"],
        ["--replay", "1-zz-fifo"], ["--bogus", "--json"],
    ]

    @Test("says what is wrong with its arguments in the words and with the status of scenectl race", arguments: misuses)
    func usage(arguments: [String]) async throws {
        let outcome = try await Self.race(["lost-count"] + arguments)
        let reference = try await Self.race(["wrong-window"] + arguments, of: "scenectl")
        #expect(outcome.status == .exited(2) && reference.status == .exited(2), "\(outcome.output)\(outcome.errors)")
        func named(_ text: String) -> String {
            // The name of an error's kind is the same whoever tells it.
            text.replacing("scenectl.Usage", with: "KIND").replacing("scenectl", with: "code-probe")
                .replacing(/the scenarios in \S*[a-z]/, with: "the built-in scenarios")
        }
        #expect(named(outcome.errors) == named(reference.errors))
    }

    @Test("names the folder when a scenario is not there, and the scenario that may be meant")
    func unknown() async throws {
        let outcome = try await Self.race(["lost-cont"])
        #expect(outcome.status == .exited(2))
        #expect(
            outcome.errors.contains(
                /No scenario 'lost-cont'. Did you mean 'lost-count'\? 'code-probe race --list' lists the scenarios in .*CodeProbe\/Scenarios\./
            ),
            "\(outcome.errors)"
        )
    }

    @Test("offers a shell the scenarios of the folder, and the examples where a manifest is named")
    func completion() async throws {
        for (place, words, offered) in [
            ("positional@0", ["2", "0", "code-probe", "race", ""], ["lost-count", "trapped-last"]),
            ("--app", ["3", "0", "code-probe", "race", "--app", ""], ["shop", "bank", "club"]),
        ] {
            let outcome = try await Program.run(
                Command.built("code-probe"),
                ["---completion", "race", "--", place] + words,
                environment: ["SAP_SHELL": "bash", "SAP_SHELL_VERSION": "5.2"]
            )
            #expect(outcome.status == .exited(0), "\(outcome.errors)")
            let lines = outcome.output.split(separator: "\n").map(String.init)
            #expect(Array(lines.prefix(offered.count)) == offered, "\(outcome.output)")
        }
    }

    @Test("stands in the help of the program; that of scened has none")
    func help() async throws {
        let own = try await Program.run(Command.built("code-probe"), ["--help"])
        #expect(own.status == .exited(0) && own.output.contains("SUBCOMMANDS:\n  race "), "\(own.output)")
        let of = try await Self.race(["--help"])
        #expect(of.status == .exited(0) && of.output.contains("code-probe race lost-count --iterations 10000"))
        let scened = try await Program.run(Command.built("scened"), ["--help"])
        #expect(!scened.output.contains("SUBCOMMANDS"))
        let wrong = try await Program.run(Command.built("code-probe"), ["rase"])
        #expect(wrong.errors.contains("There is no command 'rase'; did you mean 'race'?"))
        let late = try await Program.run(Command.built("code-probe"), ["--socket", "/x", "--mailbx", "2"])
        #expect(late.errors.contains("no option --mailbx; did you mean --mailbox"), "\(late.errors)")
    }
}
