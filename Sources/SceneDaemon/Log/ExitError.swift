/// An error whose text is written for the person who started the daemon.
struct ExitError: Error, CustomStringConvertible {
    let message: String

    var description: String { message }
}
