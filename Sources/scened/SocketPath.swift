internal import Glibc

/// Where the daemon's socket is.
enum SocketPath {
    /// The usual path of this user, where none is configured.
    static func usual() throws -> String {
        if geteuid() == 0 { return "/run/scened/io.scened" }
        guard let directory = variable("XDG_RUNTIME_DIR") else {
            throw ExitError(
                message: "XDG_RUNTIME_DIR is not set, so there is no usual place for the socket; name one with --socket"
            )
        }
        return "\(directory)/scened/io.scened"
    }

    /// Makes the socket's own directory, if it is missing; not those above it.
    static func makeDirectory(of path: String) throws {
        guard let slash = path.lastIndex(of: "/"), slash > path.startIndex else { return }
        let directory = String(path[..<slash])
        if mkdir(directory, 0o755) == 0 || errno == EEXIST { return }
        throw ExitError(message: "cannot make \(directory): \(String(cString: strerror(errno)))")
    }

    private static func variable(_ name: String) -> String? {
        guard let value = getenv(name).map({ String(cString: $0) }), !value.isEmpty else { return nil }
        return value
    }
}
