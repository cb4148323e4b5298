internal import Glibc
package import StrictJSON

/// How a command failed, as it is told on standard error: a message, or with `--json` one object on a line of its own.
package struct Failure {
    /// The full name of the daemon's error, or the ``ExitStatus/errorName``.
    package let name: String
    /// What went wrong, for a program.
    package let parameters: JSONObject
    /// What went wrong and what to do, for a person.
    package let message: String
    /// Whether the message has several lines.
    package var form = Terminal.Form.line
    /// How the process ends.
    package let status: ExitStatus

    /// A failure of this kind.
    package init(name: String, parameters: JSONObject, message: String, status: ExitStatus) {
        self.name = name
        self.parameters = parameters
        self.message = message
        self.status = status
    }

    /// What kept a command from its work.
    package init(_ error: CommandError) {
        name = error.name ?? error.status.errorName
        parameters = error.parameters
        message = error.message
        form = error.form
        status = error.status
    }

    /// Wrong usage, by what a person reads of it: the message, how the command is used, and whose help says more.
    package init(usage text: String) {
        name = ExitStatus.usage.errorName
        status = .usage
        var (message, usage): ([Substring], [Substring]) = ([], [])
        var parameters: JSONObject = [:]
        for line in text.split(separator: "\n") {
            if line.hasPrefix("  See '"), let help = line.split(separator: "'").dropFirst().first {
                parameters["help"] = .string(String(help))
            } else if line.hasPrefix("Usage: ") || !usage.isEmpty {
                usage.append(line)
            } else {
                message.append(line)
            }
        }
        if !usage.isEmpty {
            parameters["usage"] = .string(String(usage.joined(separator: "\n").dropFirst("Usage: ".count)))
        }
        self.parameters = parameters
        let whole = message.joined(separator: "\n")
        self.message = whole.hasPrefix("Error: ") ? String(whole.dropFirst("Error: ".count)) : whole
    }

    /// Whether the command line asks for JSON. It is asked of the words themselves: those that cannot be parsed count, too.
    package static let isJSON = CommandLine.arguments.dropFirst().prefix { $0 != "--" }.contains("--json")

    /// The object that `--json` prints.
    package var json: JSONObject {
        [
            "error": .string(name), "parameters": .object(parameters), "message": .string(message),
            "status": .integer(Int(status.rawValue)),
        ]
    }

    /// Tells it on standard error.
    package func tell() {
        if Self.isJSON {
            Terminal.write(Terminal.harmless(JSONValue.object(json).text(.compact), as: .json) + "\n")
        } else {
            Terminal.complain(message, as: form)
        }
    }

    /// Tells it on standard error, and ends the process with its status.
    package func leave() -> Never {
        // What was printed before comes before it.
        Terminal.writeBeforeFailure()
        tell()
        exit(status.rawValue)
    }
}
