#if canImport(Glibc)
    internal import Glibc
#elseif canImport(Musl)
    internal import Musl
#elseif canImport(Darwin)
    internal import Darwin
#endif

/// The path of the socket at which the daemon listens, and to which clients connect, unless another is configured.
package enum UsualSocketPath {
    /// The path for this process's user; `nil` for one other than root if `XDG_RUNTIME_DIR` is not set.
    package static var ofThisUser: String? {
        ofUser(geteuid(), runtimeDirectory: getenv("XDG_RUNTIME_DIR").map { String(cString: $0) })
    }

    /// The path for a user with this runtime directory: the system's for root, else one in the directory.
    package static func ofUser(_ user: UInt32, runtimeDirectory: String?) -> String? {
        if user == 0 { return "/run/scened/io.scened" }
        guard let runtimeDirectory, !runtimeDirectory.isEmpty else { return nil }
        return "\(runtimeDirectory)/scened/io.scened"
    }
}

/// The version of this build, which the daemon and the command line show.
package let scenedVersion = "0.1.0"
