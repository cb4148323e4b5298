internal import StrictJSON

/// Why a verb could not do its work, other than what the daemon says.
struct CommandError: Error, CustomStringConvertible {
    /// What was wrong, and what to do.
    let message: String
    let status: ExitStatus
    /// Whether the message has several lines.
    var form = Terminal.Form.line
    /// The full name of the daemon's error, if it is one.
    var name: String?
    /// The same for a program, as members of an object.
    var parameters: JSONObject = [:]

    var description: String { message }

    static func usage(_ message: String, as form: Terminal.Form = .line) -> CommandError {
        CommandError(message: message, status: .usage, form: form)
    }

    static func failed(_ message: String, as form: Terminal.Form = .line) -> CommandError {
        CommandError(message: message, status: .refused, form: form)
    }
}
