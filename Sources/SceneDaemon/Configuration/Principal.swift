internal import Glibc

/// A user or a group in the configuration.
enum Principal: Hashable, Sendable, CustomStringConvertible {
    case user(String)
    case group(String)

    /// - Parameter text: `user:` or `group:` and a name or a number.
    init?(_ text: String) {
        guard let colon = text.firstIndex(of: ":") else { return nil }
        let name = String(text[text.index(after: colon)...])
        guard !name.isEmpty, !name.contains("\0") else { return nil }
        switch text[..<colon] {
        case "user": self = .user(name)
        case "group": self = .group(name)
        default: return nil
        }
    }

    var description: String {
        switch self {
        case .user(let name): "user:\(name)"
        case .group(let name): "group:\(name)"
        }
    }

    /// Its user or group ID; `nil` if the system has no such user or group.
    ///
    /// This asks the name service and may block, so it is used only while the daemon starts.
    var number: UInt32? {
        switch self {
        case .user(let name):
            if let number = UInt32(name) { return number }
            return Self.lookUp { buffer, size -> UInt32?? in
                var entry = passwd()
                var found: UnsafeMutablePointer<passwd>?
                let code = getpwnam_r(name, &entry, buffer, size, &found)
                return code == ERANGE ? .none : .some(found?.pointee.pw_uid)
            }
        case .group(let name):
            if let number = UInt32(name) { return number }
            return Self.lookUp { buffer, size -> UInt32?? in
                var entry = Glibc.group()
                var found: UnsafeMutablePointer<Glibc.group>?
                let code = getgrnam_r(name, &entry, buffer, size, &found)
                return code == ERANGE ? .none : .some(found?.pointee.gr_gid)
            }
        }
    }

    /// Tries larger and larger buffers until one is large enough; a group can have many members.
    private static func lookUp(_ body: (UnsafeMutablePointer<CChar>, Int) -> UInt32??) -> UInt32? {
        var size = 4_096
        while size <= 16 << 20 {
            let buffer = UnsafeMutablePointer<CChar>.allocate(capacity: size)
            defer { buffer.deallocate() }
            if let answer = body(buffer, size) { return answer }
            size *= 4
        }
        return nil
    }
}
