internal import Glibc
internal import SceneVocabulary

/// Where the daemon's socket is.
enum SocketPath {
    /// The path for this user if none is configured.
    static func usual() throws -> String {
        guard let path = UsualSocketPath.ofThisUser else {
            throw ExitError(
                message:
                    "XDG_RUNTIME_DIR is not set, so there is no default path for the socket; choose one with --socket"
            )
        }
        return path
    }

    /// Makes the directory of the socket if it is missing, but none above it.
    static func makeDirectory(of path: String) throws {
        guard let slash = path.lastIndex(of: "/"), slash > path.startIndex else { return }
        let directory = String(path[..<slash])
        if mkdir(directory, 0o755) == 0 || errno == EEXIST { return }
        throw ExitError(message: "cannot create the directory \(directory): \(String(cString: strerror(errno)))")
    }
}
