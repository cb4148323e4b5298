internal import SceneRouting

/// What is wrong with a command line that the parser has refused: the first word that does not belong there, and the word that
/// was probably meant.
package struct CommandMistake: Sendable {
    /// What is wrong and what would be right, a phrase or sentences.
    package let message: String
    /// The command whose usage helps, as names below the program's own: `["session", "sign-in"]`.
    package let command: [String]

    /// Words of other programs, and what they are called here.
    package struct Habits: Sendable {
        /// By the verb of another program: the command line that does the same here.
        package let verbs: [String: String]
        /// By the option of another program, `--device`: the option here.
        package let options: [String: String]

        package init(verbs: [String: String] = [:], options: [String: String] = [:]) {
            self.verbs = verbs
            self.options = options
        }
    }

    /// What a time on a command line is, for messages.
    package static let expectedTime =
        "a time of at least 1ms in whole numbers, each with its unit: 500ms, 5s, 1s500ms, 2m or 1h"

    /// For how long something may be tried again, for messages.
    package static let expectedPatience =
        "a time from 1s to 1d in whole numbers, each with its unit: 30s, 1m30s, 5m or 1h"

    /// Finds the mistake in `words`, the command line without the program's name; `nil` if the words all have their place, so that
    /// something else is wrong.
    package static func find(in words: [String], of program: CommandTree, habits: Habits = Habits()) -> CommandMistake?
    {
        var search = CommandSearch(program: program, habits: habits)
        return search.find(in: words)
    }

    /// Finds a file that the parser of command lines would not take for one: its name begins with a dash, so each of its letters would be a flag,
    /// and one with an `h` would ask for help.
    /// - Parameters:
    ///   - words: The command line without the program's name.
    ///   - exists: Whether there is a file at a path.
    package static func fileLikeOptions(
        in words: [String],
        of program: CommandTree,
        exists: (String) -> Bool
    ) -> CommandMistake? {
        var (command, path) = (program, [String]())
        var previous: CommandTree.Option?
        for word in words.prefix(while: { $0 != "--" }) {
            defer { previous = command.meant.option(word) }
            if let next = command.subcommand(word) {
                command = next
                path.append(next.name)
            } else if word.mayBeFlags, previous?.takesAnyWord != true, exists(word) {
                return CommandMistake(
                    message:
                        "'\(word)' begins with a dash, so it would be read as options; write ./\(word) for the file",
                    command: path
                )
            }
        }
        return nil
    }
}

extension CommandTree {
    /// The command that words below it belong to if no subcommand is named.
    fileprivate var meant: CommandTree { defaultSubcommand.flatMap(subcommand) ?? self }
}

/// The walk down a command line.
private struct CommandSearch {
    let program: CommandTree
    let habits: CommandMistake.Habits
    private var command: CommandTree
    private var path: [String] = []

    init(program: CommandTree, habits: CommandMistake.Habits) {
        self.program = program
        self.habits = habits
        command = program
    }

    mutating func find(in words: [String]) -> CommandMistake? {
        var rest = words[...]
        if rest.first == "help", !command.subcommands.isEmpty { rest = rest.dropFirst() }
        while let word = rest.first, !command.subcommands.isEmpty {
            if let next = command.subcommand(word) {
                descend(next)
                rest = rest.dropFirst()
                continue
            }
            let fallback = command.defaultSubcommand.flatMap(command.subcommand)
            if word.isOption {
                if let fallback {
                    descend(fallback)
                    break
                }
                guard let option = command.option(word.optionName) else { return early(word, before: rest.dropFirst()) }
                // A program that does something without a command, too, is used with its options.
                guard option.valueName != nil else { return nil }
                break
            }
            guard let fallback, !fallback.arguments.isEmpty else { return unknownCommand(word, rest.dropFirst()) }
            descend(fallback)
            break
        }
        return mistake(amongArguments: rest)
    }

    private mutating func descend(_ next: CommandTree) {
        path.append(next.name)
        command = next
    }

    private var line: String { ([program.name] + path).joined(separator: " ") }

    // MARK: - Commands

    private func unknownCommand(_ word: String, _ rest: ArraySlice<String>) -> CommandMistake {
        if word.contains("://"), path.isEmpty {
            return CommandMistake(
                message: "'\(word)' is a URL, not a command; 'scenectl openurl \(word)' opens it",
                command: known(["openurl"])
            )
        }
        let wrong = (path + [word]).joined(separator: " ")
        if let other = habits.verbs[word.lowercased()]?.split(separator: " ").map(String.init),
            other.starts(with: path), known(other).count > path.count || path.isEmpty
        {
            return CommandMistake(
                message:
                    "there is no command '\(wrong)'; \(program.name) calls it '\(other.joined(separator: " "))'",
                command: known(other)
            )
        }
        let names = command.subcommands.map(\.name)
        // A method of the socket is called like its command.
        let last = word.split(separator: ".").last.map(String.init) ?? word
        if let name = names.first(where: { $0.letters == last.letters }) ?? Spelling.nearest(to: word, among: names) {
            return unknown(word, meant: path + [name])
        }
        for other in command.subcommands where other.subcommand(word) != nil {
            return unknown(word, meant: path + [other.name, word])
        }
        if path.isEmpty, let url = rest.first, url.contains("://") {
            return CommandMistake(
                message: "'\(word)' comes after the command, as in '\(line) openurl \(word) \(url)'",
                command: ["openurl"]
            )
        }
        // Somebody may have typed the arguments first.
        if let name = rest.first(where: { names.contains($0) }) {
            return CommandMistake(
                message: "'\(word)' comes after the command, as in '\(line) \(name) \(word)'",
                command: path + [name]
            )
        }
        let list =
            names.count < 10 ? "the commands are \(names.joined(separator: ", "))" : "'\(line) --help' lists them"
        return CommandMistake(message: "there is no command '\(wrong)'; \(list)", command: path)
    }

    private func unknown(_ word: String, meant: [String]) -> CommandMistake {
        let wrong = (path + [word]).joined(separator: " ")
        return CommandMistake(
            message: "there is no command '\(wrong)'; did you mean '\(meant.joined(separator: " "))'?",
            command: meant
        )
    }

    /// The names at the beginning of `words` that are commands.
    private func known(_ words: [String]) -> [String] {
        var names: [String] = []
        var command = program
        for word in words {
            guard let next = command.subcommand(word) else { break }
            names.append(word)
            command = next
        }
        return names
    }

    /// An option in front of the command that has it.
    private func early(_ word: String, before rest: ArraySlice<String>) -> CommandMistake {
        if let name = rest.first(where: { command.subcommand($0) != nil }) {
            return CommandMistake(
                message: "'\(word)' comes after the command, as in '\(line) \(name) \(word)'",
                command: path + [name]
            )
        }
        return unknownOption(word)
    }

    // MARK: - Options and arguments

    private func mistake(amongArguments words: ArraySlice<String>) -> CommandMistake? {
        var rest = words
        var arguments: [String] = []
        while let word = rest.popFirst() {
            if word == "--" { break }
            guard word.isOption else {
                if let name = argument(arguments.count), let mistake = wrongNumber(word, for: name, called: "<\(name)>")
                {
                    return mistake
                }
                arguments.append(word)
                continue
            }
            guard let option = command.option(word.optionName) else {
                if word.isNegative, let name = argument(arguments.count) { return negative(word, for: "<\(name)>") }
                return unknownOption(word)
            }
            guard let valueName = option.valueName else { continue }
            let written = word.contains("=") ? word.afterSign : nil
            guard let value = written ?? rest.first else { return nil }
            let place = "\(word.optionName) <\(valueName)>"
            // Of a time like journalctl's, a sign says that it is before now.
            if value.isNegative, !["--since", "--until"].contains(word.optionName) {
                return negative(value, for: place, valueName)
            }
            if let mistake = wrongNumber(value, for: valueName, called: place) { return mistake }
            if let mistake = unknownValue(value, of: option, word.optionName) { return mistake }
            if written == nil { rest = rest.dropFirst() }
        }
        return excess(arguments)
    }

    private func argument(_ place: Int) -> String? {
        let argument = place < command.arguments.count ? command.arguments[place] : command.arguments.last
        return argument?.valueName
    }

    private func negative(_ word: String, for place: String, _ valueName: String = "") -> CommandMistake {
        let expected =
            switch valueName {
            case "time": CommandMistake.expectedTime
            case "patience": CommandMistake.expectedPatience
            // Of some there has to be at least one.
            case "number": "one such as 10"
            default: "0 or more"
            }
        return CommandMistake(message: "\(place): '\(word)' is negative; expected \(expected)", command: path)
    }

    /// What is wrong with a value that has to be a number, as its name says.
    private func wrongNumber(_ value: String, for valueName: String, called place: String) -> CommandMistake? {
        switch valueName {
        case "milliseconds" where Int(value) == nil:
            let example = value.milliseconds.map { "'\(value)' is \($0)" } ?? "expected one such as 350 or 5000"
            return CommandMistake(
                message: "\(place): '\(value)' is not a whole number of milliseconds; \(example)",
                command: path
            )
        case "number" where Double(value) == nil, "revision" where Int(value) == nil, "index" where Int(value) == nil,
            "factor" where Double(value) == nil:
            return CommandMistake(
                message: "\(place): '\(value)' is not a number; expected one such as 10",
                command: path
            )
        default: return nil
        }
    }

    private func unknownValue(_ value: String, of option: CommandTree.Option, _ name: String) -> CommandMistake? {
        guard !option.values.isEmpty, !option.values.contains(value) else { return nil }
        let meant = Spelling.nearest(to: value, among: option.values).map { "; did you mean '\($0)'?" } ?? ""
        return CommandMistake(
            message: "\(name): '\(value)' is not one of \(option.values.joined(separator: ", "))\(meant)",
            command: path
        )
    }

    private func unknownOption(_ word: String) -> CommandMistake {
        let name = word.optionName
        let verb = "'\((path.isEmpty ? [program.name] : path).joined(separator: " "))'"
        let names = command.options.flatMap(\.names).filter { $0.hasPrefix("--") }
        let meant =
            habits.options[name].flatMap { names.contains($0) ? $0 : nil }
            ?? names.first { $0.letters == name.letters }
            ?? Spelling.nearest(to: name.withTwoDashes, among: names)
        guard let meant, let option = command.option(meant) else {
            let list = names.filter { $0 != "--version" }.joined(separator: ", ")
            return CommandMistake(message: "\(verb) has no option \(name); it has \(list)", command: path)
        }
        return CommandMistake(
            message: "\(verb) has no option \(name); did you mean \(option.usage)? \(option.abstract)",
            command: path
        )
    }

    private func excess(_ arguments: [String]) -> CommandMistake? {
        guard !command.arguments.contains(where: \.isRepeating), arguments.count > command.arguments.count else {
            return nil
        }
        let word = arguments[command.arguments.count]
        if command.runsCommand {
            return CommandMistake(message: "'\(word)': the command that '\(line)' runs comes after --", command: path)
        }
        guard !command.arguments.isEmpty else {
            return CommandMistake(message: "'\(word)': '\(line)' takes no argument, only options", command: path)
        }
        let names = command.arguments.map { "<\($0.valueName)>" }.joined(separator: " ")
        return CommandMistake(
            message: "'\(word)' is one argument too many; '\(line)' takes \(names); quote a value that has spaces",
            command: path
        )
    }
}

extension String {
    /// Whether it is an option rather than a value; a lone dash stands for standard input.
    fileprivate var isOption: Bool { hasPrefix("-") && self != "-" }

    /// Whether the parser takes it for several flags of one letter each, or for one with a value.
    fileprivate var mayBeFlags: Bool { hasPrefix("-") && !hasPrefix("--") && utf8.count > 2 }

    /// Whether it is a number below zero, perhaps with a unit.
    fileprivate var isNegative: Bool { hasPrefix("-") && dropFirst().first?.isNumber == true }

    /// The option without its value: `--scene` of `--scene=A`.
    fileprivate var optionName: String { String(prefix { $0 != "=" }) }

    fileprivate var afterSign: String { String(drop { $0 != "=" }.dropFirst()) }

    /// The milliseconds that a number with a unit stands for: 5000 of `5s`; `nil` if it is none.
    fileprivate var milliseconds: Int? {
        let number = prefix { $0.isNumber || $0 == "." }
        let units: [String: Double] = ["ms": 1, "s": 1_000, "sec": 1_000, "m": 60_000, "min": 60_000, "h": 3_600_000]
        guard let value = Double(number), let unit = units[dropFirst(number.count).filter { $0 != " " }.lowercased()]
        else { return nil }
        return Int(exactly: (value * unit).rounded())
    }

    fileprivate var withTwoDashes: String { "--" + drop { $0 == "-" } }

    /// Its letters and digits without case: `openurl` of `open-URL`.
    fileprivate var letters: String { String(lowercased().filter { $0.isLetter || $0.isNumber }) }
}
