internal import Glibc
internal import SocketPlace

/// Where the daemon's socket is.
enum SocketPath {
    /// The usual path of this user, where none is configured.
    static func usual() throws -> String {
        guard let path = UsualSocketPath.ofThisUser else {
            throw ExitError(
                message: "XDG_RUNTIME_DIR is not set, so there is no usual place for the socket; name one with --socket"
            )
        }
        return path
    }

    /// Makes the socket's own directory, if it is missing; not those above it.
    static func makeDirectory(of path: String) throws {
        guard let slash = path.lastIndex(of: "/"), slash > path.startIndex else { return }
        let directory = String(path[..<slash])
        if mkdir(directory, 0o755) == 0 || errno == EEXIST { return }
        throw ExitError(message: "cannot make \(directory): \(String(cString: strerror(errno)))")
    }
}
