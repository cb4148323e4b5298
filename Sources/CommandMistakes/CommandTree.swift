package import StrictJSON

/// A command with its options, arguments and subcommands, as the parser of command lines describes it
/// (`--experimental-dump-help`).
package struct CommandTree: Sendable {
    /// What the command is called: `openurl`.
    package let name: String
    /// The subcommand that is meant if none is named.
    package let defaultSubcommand: String?
    package let subcommands: [CommandTree]
    package let options: [Option]
    package let arguments: [Argument]
    /// Whether it runs another command, which comes after `--`.
    package let runsCommand: Bool

    /// An option or flag.
    package struct Option: Sendable {
        /// Its names as they are typed: `--help`, `-h`.
        package let names: [String]
        /// What the value is called, `milliseconds`; `nil` for a flag, which takes none.
        package let valueName: String?
        /// Whether the next word is its value even if that begins with a dash.
        package let takesAnyWord: Bool
        /// The values that it may have; empty if they cannot be listed.
        package let values: [String]
        /// What it is for.
        package let abstract: String

        /// As it is typed: `--scene <id>`.
        package var usage: String { (names.first ?? "") + (valueName.map { " <\($0)>" } ?? "") }
    }

    /// An argument without a name.
    package struct Argument: Sendable {
        package let valueName: String
        package let isRepeating: Bool
    }

    /// Reads the dump.
    /// - Throws: a `JSONFieldError` if it has another form.
    package init(dump: JSONValue) throws(JSONFieldError) {
        try self.init(JSONReader(dump)["command"])
    }

    private init(_ fields: JSONReader) throws(JSONFieldError) {
        name = try fields["commandName"].text()
        defaultSubcommand = try fields.optional("defaultSubcommand")?.text()
        subcommands = try (fields.optional("subcommands")?.elements() ?? [])
            .map { command throws(JSONFieldError) in try CommandTree(command) }
            .filter { $0.name != "help" }
        var options: [Option] = []
        var arguments: [Argument] = []
        var runsCommand = false
        for argument in try fields.optional("arguments")?.elements() ?? [] {
            let kind = try argument["kind"].text()
            let valueName = try argument.optional("valueName")?.text() ?? ""
            let strategy = try argument.optional("parsingStrategy")?.text()
            guard kind == "positional" else {
                let names = try argument["names"].elements().map { name throws(JSONFieldError) in
                    (try name["kind"].text() == "long" ? "--" : "-") + (try name["name"].text())
                }
                let values = try (argument.optional("allValues")?.elements() ?? []).map {
                    value throws(JSONFieldError) in
                    try value.text()
                }
                options.append(
                    Option(
                        names: names.sorted { $0.utf8.count > $1.utf8.count },
                        valueName: kind == "option" ? valueName : nil,
                        takesAnyWord: kind == "option" && strategy == "unconditional",
                        values: values,
                        abstract: try argument.optional("abstract")?.text() ?? ""
                    )
                )
                continue
            }
            // What comes after -- belongs to another command.
            guard strategy != "postTerminator" else {
                runsCommand = true
                continue
            }
            arguments.append(
                Argument(valueName: valueName, isRepeating: try argument["isRepeating"].bool())
            )
        }
        self.options = options
        self.arguments = arguments
        self.runsCommand = runsCommand
    }

    /// The subcommand with this name.
    package func subcommand(_ name: String) -> CommandTree? { subcommands.first { $0.name == name } }

    /// The option with this name, `--scene`.
    package func option(_ name: String) -> Option? { options.first { $0.names.contains(name) } }
}
