internal import ArgumentParser
internal import CommandMistakes
internal import StrictJSON

/// What to say about a command line that the parser refused: what is wrong, what would be right, and how the command is used.
enum UsageMistake {
    /// Words of `xcrun simctl`, `systemctl`, `curl` and of what people guess.
    private static let habits = CommandMistake.Habits(
        verbs: [
            "boot": "connect", "launch": "connect", "open": "openurl", "url": "openurl", "start": "connect",
            "new": "connect", "create": "connect", "init": "app new", "erase": "reset", "clear": "reset",
            "terminate": "discard",
            "kill": "discard", "close": "discard", "delete": "discard", "shutdown": "drain", "stop": "drain",
            "restart": "drain", "quit": "drain", "ls": "list", "ps": "list", "windows": "list", "scenes": "list",
            "get": "show", "log": "records", "logs": "records", "history": "records", "events": "records",
            "tail": "watch", "follow": "watch", "monitor": "watch", "login": "session sign-in",
            "signin": "session sign-in", "logout": "session sign-out", "signout": "session sign-out",
            "notify": "push", "notification": "push", "apns": "push", "handoff": "activity", "deeplink": "openurl",
            "explain": "why", "version": "--version", "config": "status", "info": "status", "reload-config": "reload",
            "wait": "quiesce", "lint": "app validate", "validate": "app validate", "replay": "play", "time": "advance",
            "test": "adapter test", "exec": "with-daemon", "run": "with-daemon", "with": "with-daemon",
        ],
        options: [
            "--window": "--scene", "--device": "--scene", "--id": "--event", "-s": "--scene", "-w": "--scene",
            "--host": "--socket", "--path": "--socket", "-v": "--version", "-j": "--json", "--output": "--json",
            "--format": "--json", "-f": "--follow", "--unix-socket": "--socket", "-n": "--iterations", "-o": "--out",
            "-u": "--user",
        ]
    )

    /// The message, if the words themselves are wrong; `nil` leaves the parser's.
    static func message(for words: [String]) -> String? {
        guard let dump = try? JSONValue(parsing: Scenectl._dumpHelp()), let tree = try? CommandTree(dump: dump),
            let mistake = CommandMistake.find(in: words, of: tree, habits: habits)
        else { return nil }
        let text = mistake.message.prefix(1).uppercased() + mistake.message.dropFirst()
        return """
            Error: \(text)
            Usage: \(usage(of: mistake.command))
              See '\((["scenectl"] + mistake.command).joined(separator: " ")) --help' for more information.
            """
    }

    private static func usage(of path: [String]) -> String {
        var command: any ParsableCommand.Type = Scenectl.self
        for name in path {
            guard let next = command.configuration.subcommands.first(where: { $0._commandName == name }) else { break }
            command = next
        }
        return Scenectl.usageString(for: command)
    }
}
