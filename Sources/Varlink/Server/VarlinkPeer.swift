internal import Glibc
internal import NIOCore

/// The process at the other end of a connection, as the kernel recorded it when it connected.
public struct VarlinkPeer: Hashable, Sendable {
    /// Its effective user ID.
    public var userID: UInt32
    /// Its primary group ID.
    public var groupID: UInt32
    /// Its process ID; 0 if it is in a PID namespace that is not visible from here.
    public var processID: Int32
    /// The IDs of its supplementary groups; empty if the kernel does not tell.
    public var groups: [UInt32]

    /// A peer, for tests of ``VarlinkServer/Options/authorize``.
    public init(userID: UInt32, groupID: UInt32, processID: Int32, groups: [UInt32] = []) {
        self.userID = userID
        self.groupID = groupID
        self.processID = processID
        self.groups = groups
    }
}

extension VarlinkPeer {
    /// Asks the kernel about a connected Unix socket (`SO_PEERCRED`, `SO_PEERGROUPS`).
    init(socket: CInt) throws(VarlinkServerError) {
        // The three members of the kernel's `struct ucred`, which glibc hides from Swift: PID, UID, GID.
        var credentials: [UInt32] = [0, 0, 0]
        var length = socklen_t(credentials.count * MemoryLayout<UInt32>.stride)
        guard getsockopt(socket, SOL_SOCKET, SO_PEERCRED, &credentials, &length) == 0 else {
            throw .system(operation: "getsockopt(SO_PEERCRED)", path: nil, errno: errno)
        }
        self.init(
            userID: credentials[1],
            groupID: credentials[2],
            processID: Int32(bitPattern: credentials[0]),
            groups: Self.groups(socket: socket)
        )
    }

    /// Empty if the kernel does not tell, so a decision by group then finds none.
    private static func groups(socket: CInt) -> [UInt32] {
        var groups = [gid_t](repeating: 0, count: 32)
        // NGROUPS_MAX is 65,536; the kernel answers ERANGE with the size it needs.
        while groups.count <= 65_536 {
            var length = socklen_t(groups.count * MemoryLayout<gid_t>.stride)
            if getsockopt(socket, SOL_SOCKET, SO_PEERGROUPS, &groups, &length) == 0 {
                return Array(groups.prefix(Int(length) / MemoryLayout<gid_t>.stride))
            }
            guard errno == ERANGE else { return [] }
            groups = [gid_t](repeating: 0, count: max(Int(length) / MemoryLayout<gid_t>.stride, groups.count * 2))
        }
        return []
    }
}
