/// Why a verb could not do its work, other than what the daemon says.
struct CommandError: Error, CustomStringConvertible {
    /// What was wrong, and what to do.
    let message: String
    /// The exit status: 1 refused, 2 usage, 3 no daemon.
    let status: Int32
    /// Whether the message has several lines.
    var form = Terminal.Form.line

    var description: String { message }

    static func usage(_ message: String, as form: Terminal.Form = .line) -> CommandError {
        CommandError(message: message, status: 2, form: form)
    }

    static func failed(_ message: String, as form: Terminal.Form = .line) -> CommandError {
        CommandError(message: message, status: 1, form: form)
    }
}
