internal import Glibc

/// Where the daemon listens and its clients look, unless they are told: one place, so that they meet.
package enum UsualSocketPath {
    /// This user's path: the system's for root, else one in the user's runtime directory; `nil` where `XDG_RUNTIME_DIR`
    /// does not name that.
    package static var ofThisUser: String? {
        ofUser(geteuid(), runtimeDirectory: getenv("XDG_RUNTIME_DIR").map { String(cString: $0) })
    }

    /// The path of a user with this runtime directory.
    package static func ofUser(_ user: UInt32, runtimeDirectory: String?) -> String? {
        if user == 0 { return "/run/scened/io.scened" }
        guard let runtimeDirectory, !runtimeDirectory.isEmpty else { return nil }
        return "\(runtimeDirectory)/scened/io.scened"
    }
}
