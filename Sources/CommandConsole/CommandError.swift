package import StrictJSON

/// Why a verb could not do its work, other than what the daemon says.
package struct CommandError: Error, CustomStringConvertible {
    /// What was wrong, and what to do.
    package var message: String
    /// How the process ends.
    package let status: ExitStatus
    /// Whether the message has several lines.
    package var form: Terminal.Form
    /// The full name of the daemon's error, if it is one.
    package var name: String?
    /// The same for a program, as members of an object.
    package var parameters: JSONObject

    /// An error with this status.
    package init(
        message: String,
        status: ExitStatus,
        form: Terminal.Form = .line,
        name: String? = nil,
        parameters: JSONObject = [:]
    ) {
        self.message = message
        self.status = status
        self.form = form
        self.name = name
        self.parameters = parameters
    }

    package var description: String { message }

    /// Wrong usage, or a file that cannot be read.
    package static func usage(_ message: String, as form: Terminal.Form = .line) -> CommandError {
        CommandError(message: message, status: .usage, form: form)
    }

    /// Something that could not be done.
    package static func failed(_ message: String, as form: Terminal.Form = .line) -> CommandError {
        CommandError(message: message, status: .refused, form: form)
    }
}
