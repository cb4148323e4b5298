internal import ArgumentParser
internal import Glibc
internal import SceneClient
internal import StrictJSON

/// How a subcommand failed, as it is told on standard error: a message, or with `--json` one object on a line of its own.
struct Failure {
    /// The full name of the daemon's error, or the ``ExitStatus/errorName``.
    let name: String
    let parameters: JSONObject
    let message: String
    var form = Terminal.Form.line
    let status: ExitStatus

    init(_ error: SceneClientError) {
        message = Advice.message(for: error)
        status = Advice.status(for: error)
        switch error {
        case .refused(let name, let parameters): (self.name, self.parameters) = (name, parameters)
        case .noDaemon(let path, let reason):
            name = status.errorName
            parameters = ["socket": .string(path), "reason": .string(reason)]
        case .connectionLost(let reason):
            name = "scenectl.ConnectionLost"
            parameters = ["reason": .string(reason)]
        case .unexpected(let error):
            name = "scenectl.UnexpectedReply"
            parameters = ["reason": .string("\(error)")]
        }
    }

    init(_ error: CommandError) {
        name = error.name ?? error.status.errorName
        parameters = error.parameters
        message = error.message
        form = error.form
        status = error.status
    }

    /// Wrong usage, by what a person reads of it: the message, how the command is used, and whose help says more.
    init(usage text: String) {
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
    static let isJSON = CommandLine.arguments.dropFirst().prefix { $0 != "--" }.contains("--json")

    /// The object that `--json` prints.
    var json: JSONObject {
        [
            "error": .string(name), "parameters": .object(parameters), "message": .string(message),
            "status": .integer(Int(status.rawValue)),
        ]
    }

    /// Tells it on standard error.
    func tell() {
        if Self.isJSON {
            Terminal.write(Terminal.harmless(JSONValue.object(json).text(.compact), as: .json) + "\n")
        } else {
            Terminal.complain(message, as: form)
        }
    }

    /// Tells it on standard error, and ends the process with its status.
    func leave() -> Never {
        // What was printed before comes before it.
        Terminal.writeBeforeFailure()
        tell()
        exit(status.rawValue)
    }
}
