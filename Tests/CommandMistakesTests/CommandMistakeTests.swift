import CommandMistakes
import StrictJSON
import TestFixtures
import Testing

@Suite("A mistyped command line", .timeLimit(.minutes(15)))
struct CommandMistakeTests {
    /// The commands of a program, from its own description.
    static func tree(_ program: String) throws -> CommandTree {
        let command = try Command([Command.built(program), "--experimental-dump-help"])
        var text = ""
        while let line = command.line() { text += line + "\n" }
        return try CommandTree(dump: JSONValue(parsing: text))
    }

    /// A command of a program and how it is named.
    struct Verb {
        let path: [String]
        let command: CommandTree
    }

    static func verbs(below command: CommandTree, _ path: [String] = []) -> [Verb] {
        guard !command.subcommands.isEmpty else { return [Verb(path: path, command: command)] }
        return command.subcommands.flatMap { verbs(below: $0, path + [$0.name]) }
    }

    @Test(
        "names the right option for every option of every command, misspelt by one letter",
        arguments: [
            "scenectl", "scened",
        ]
    )
    func options(program: String) throws {
        let tree = try Self.tree(program)
        var count = 0
        for verb in Self.verbs(below: tree) {
            let all = verb.command.options.flatMap(\.names)
            for option in verb.command.options {
                for name in option.names where name.hasPrefix("--") {
                    for slip in Misspelling.all(of: String(name.dropFirst(2))).map({ "--" + $0 })
                    where !all.contains(slip) && slip != "--" {
                        count += 1
                        let mistake = CommandMistake.find(in: verb.path + [slip], of: tree)
                        let message = mistake?.message ?? "none"
                        // Another option can be as near.
                        let isNamed = all.contains { other in
                            message.contains("did you mean \(verb.command.option(other)?.usage ?? "")?")
                                && (other == name
                                    || Misspelling.areOneApart(String(slip.dropFirst(2)), String(other.dropFirst(2))))
                        }
                        #expect(isNamed, "\(verb.path) \(slip): \(message)")
                        #expect(message.contains("has no option \(slip);"))
                        #expect(mistake?.command == verb.path)
                    }
                }
            }
        }
        #expect(count > (program == "scenectl" ? 5_000 : 300))
    }

    @Test("names the right command for every command, misspelt by one letter")
    func commands() throws {
        let tree = try Self.tree("scenectl")
        for verb in Self.verbs(below: tree) {
            for place in verb.path.indices {
                let siblings = verb.path[..<place].reduce(tree) { $0.subcommand($1) ?? $0 }.subcommands.map(\.name)
                for slip in Misspelling.all(of: verb.path[place]) where !siblings.contains(slip) {
                    var words = verb.path
                    words[place] = slip
                    let message = CommandMistake.find(in: words, of: tree)?.message ?? "none"
                    let meant = siblings.filter { $0 == verb.path[place] || Misspelling.areOneApart(slip, $0) }
                    let isNamed = meant.contains {
                        message.hasSuffix("did you mean '\((verb.path[..<place] + [$0]).joined(separator: " "))'?")
                    }
                    #expect(isNamed, "\(words): \(message)")
                }
            }
        }
    }

    @Test("is not seen where every word has its place")
    func right() throws {
        let tree = try Self.tree("scenectl")
        let lines = [
            ["openurl", "--scene", "A", "qcommerce://cart", "qcommerce://orders"], ["session"], ["session", "--json"],
            ["session", "sign-in", "anna", "--expires=500"], ["soak", "--duration", "10s"], ["help"], ["help", "push"],
            ["hold", "planned", "--", "sh", "--no-such-option"], ["push", "-"], ["race", "--list"],
            ["finish", "auth", "--completed"],
            ["intent", "a", "b=-1"],
        ]
        for line in lines { #expect(CommandMistake.find(in: line, of: tree)?.message == nil, "\(line)") }
    }

    /// Words with the message about them.
    static let cases: [(words: [String], message: String)] = [
        (["advance", "5s"], "<milliseconds>: '5s' is not a whole number of milliseconds; '5s' is 5000"),
        (["advance", "1.5h"], "<milliseconds>: '1.5h' is not a whole number of milliseconds; '1.5h' is 5400000"),
        (["advance", "5 s"], "<milliseconds>: '5 s' is not a whole number of milliseconds; '5 s' is 5000"),
        (
            ["advance", "x"],
            "<milliseconds>: 'x' is not a whole number of milliseconds; expected one such as 350 or 5000"
        ),
        (["advance", "-5"], "<milliseconds>: '-5' is negative; expected 0 or more"),
        (
            ["session", "sign-in", "anna", "--expires", "-1s"],
            "--expires <milliseconds>: '-1s' is negative; expected 0 or more"
        ),
        (["list", "A"], "'A': 'scenectl list' takes no argument, only options"),
        (["sign-in", "anna"], "there is no command 'sign-in'; did you mean 'session sign-in'?"),
        (["OpenURL", "x"], "there is no command 'OpenURL'; did you mean 'openurl'?"),
        (["io.scened.Events.OpenURL"], "there is no command 'io.scened.Events.OpenURL'; did you mean 'openurl'?"),
        (
            ["--scene", "A", "openurl", "x://y"],
            "'--scene' comes after the command, as in 'scenectl openurl --scene'"
        ),
        (["A", "x://y"], "'A' comes after the command, as in 'scenectl openurl A x://y'"),
        (
            ["openurl", "--wait", "setled", "x://y"],
            "--wait: 'setled' is not one of admitted, settled, finished; did you mean 'settled'?"
        ),
    ]

    @Test("names a file that the parser would read as options, for any command, but no value and nothing after --")
    func files() throws {
        let tree = try Self.tree("scenectl")
        func mistake(_ words: [String], _ files: String...) -> CommandMistake? {
            CommandMistake.fileLikeOptions(in: words, of: tree, exists: files.contains)
        }
        for verb in Self.verbs(below: tree) {
            let found = mistake(verb.path + ["x", "-r.shard-1-of-2.json"], "x", "-r.shard-1-of-2.json")
            #expect(found?.command == verb.path)
            #expect(
                found?.message
                    == "'-r.shard-1-of-2.json' begins with a dash, so it would be read as options; write ./-r.shard-1-of-2.json for the file"
            )
        }
        for words in [
            ["race", "./-h.yaml"], ["race", "--", "-h.yaml"], ["race", "-x.yaml"], ["race", "-"], ["race", "-h"],
            ["race", "--help"], ["race", "--save=-h.yaml", "two-buyers"],
        ] {
            #expect(mistake(words, "-h.yaml", "./-h.yaml", "-", "-h", "--help") == nil, "\(words)")
        }
        // What takes any word takes this, too; of others the parser does not take the next for the value.
        #expect(mistake(["check", "--journal", "scened", "--since", "-1h"], "-1h") == nil)
        #expect(mistake(["check", "--since", "-1h", "-1h"], "-1h") != nil)
        #expect(mistake(["soak", "--out", "-1h"], "-1h")?.command == ["soak"])
    }

    @Test("is said with what would be right", arguments: cases)
    func says(words: [String], message: String) throws {
        #expect(CommandMistake.find(in: words, of: try Self.tree("scenectl"))?.message == message)
    }
}
