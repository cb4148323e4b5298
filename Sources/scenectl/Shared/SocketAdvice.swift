internal import Glibc
internal import SceneVocabulary

/// Why nobody could be reached at a socket's path, and what to do, by what is found there.
enum SocketAdvice {
    /// Where else to look, for every message.
    private static let elsewhere = "Start a daemon with 'scened', or give its socket with --socket or SCENED_SOCKET."
    /// The longest path of a socket in bytes, `sun_path` of unix(7) without its end.
    private static let longest = 107

    /// The message about a connection to `path` that could not be made.
    /// - Parameter reason: The system's text.
    static func unreachable(_ path: String, _ reason: String) -> String {
        if let advice = address(advising: path) { return advice }
        guard path.utf8.count <= longest else {
            return
                "The socket's path has \(path.utf8.count) bytes, and no socket's may have more than \(longest): \(path). \(elsewhere)"
        }
        var status = stat()
        guard stat(path, &status) == 0 else { return absent(path, errno) }
        switch status.st_mode & S_IFMT {
        case S_IFSOCK: break
        case S_IFDIR: return "\(path) is a folder, not a socket; scened's socket in it may be \(path)/io.scened."
        default: return "\(path) is a file, not a socket. \(elsewhere)"
        }
        guard access(path, W_OK) == 0 else { return forbidden(path, status) }
        return
            "Nobody listens at \(path): the daemon that made this socket has ended (\(reason)). Start it again with 'scened --socket \(path)', or give another socket with --socket or SCENED_SOCKET."
    }

    /// The message about an address in place of a path; `nil` for a path.
    static func address(advising path: String) -> String? {
        address(path).map { scheme, rest in
            rest.isEmpty
                ? "'\(path)' is not the path of a socket: scened has no \(scheme) address. \(elsewhere)"
                : "'\(path)' is an address; give only the path, '\(rest)'."
        }
    }

    private static func absent(_ path: String, _ error: Int32) -> String {
        if error == EACCES {
            return
                "No permission to look at \(path): a folder above it is not open to you. Ask whoever runs the daemon, or give another socket with --socket or SCENED_SOCKET."
        }
        var folder = path[...]
        while let slash = folder.lastIndex(of: "/"), slash > folder.startIndex {
            folder = folder[..<slash]
            guard access(String(folder), F_OK) != 0 else { break }
            return "No daemon at \(path): there is no folder \(folder). \(elsewhere)"
        }
        return "No daemon at \(path): \(String(cString: strerror(error))). \(elsewhere)"
    }

    private static func forbidden(_ path: String, _ status: stat) -> String {
        let owner = name(of: status.st_uid)
        let group = getgrgid(status.st_gid).map { String(cString: $0.pointee.gr_name) } ?? "\(status.st_gid)"
        let how =
            status.st_mode & S_IWGRP != 0
            ? "members of the group \(group) may connect ('sudo usermod -aG \(group) \(name(of: geteuid()))', then log in again)"
            : "only the user \(owner) may connect"
        return "You may not connect to \(path), which belongs to the user \(owner): \(how)."
    }

    private static func name(of user: uid_t) -> String {
        getpwuid(user).map { String(cString: $0.pointee.pw_name) } ?? "\(user)"
    }

    /// The scheme of an address and its path; `nil` for a path.
    private static func address(_ text: String) -> (scheme: String, path: String)? {
        guard let colon = text.firstIndex(of: ":"), !text[..<colon].contains("/") else { return nil }
        let rest = text[text.index(after: colon)...]
        switch text[..<colon] {
        case "unix": return ("unix", String(rest.hasPrefix("//") ? rest.dropFirst(2) : rest))
        case "http", "https", "tcp": return (String(text[..<colon]), "")
        default: return nil
        }
    }
}

extension SocketAdvice {
    /// What to ask for if a role is lacking.
    static func lacking(_ role: String?) -> String {
        let named = role.map { "role '\($0)'" } ?? "role"
        let setting = role.map { "roles.\($0)" } ?? "roles"
        return
            "You do not have the \(named) that this needs on this daemon. Whoever runs it gives it by the setting \(setting), such as '\(setting): [user:\(name(of: geteuid()))]' in its scened.yaml(5)."
    }
}
