internal import StrictJSON
package import Varlink

/// Who may do what, according to the credentials that the kernel reports for the peer.
///
/// Root and the daemon's own user may do everything, because nothing could stop them. Everybody else has the roles given to
/// their user and to each of their groups. Whoever may connect may call `org.varlink.service`, because the interface files
/// say the same.
package struct AccessPolicy: Sendable {
    private let ownUser: UInt32
    private let users: [UInt32: Set<Role>]
    private let groups: [UInt32: Set<Role>]

    /// - Parameters:
    ///   - ownUser: The user that the daemon runs as.
    ///   - users: Roles by user ID.
    ///   - groups: Roles by group ID; primary and supplementary groups count alike.
    package init(ownUser: UInt32, users: [UInt32: Set<Role>] = [:], groups: [UInt32: Set<Role>] = [:]) {
        self.ownUser = ownUser
        self.users = users
        self.groups = groups
    }

    /// Why the peer may not call the method of this full name: `PermissionDenied`, with the role that it lacks, the first if several would do. `nil` if it may.
    package func refusal(_ peer: VarlinkPeer, _ method: String) -> VarlinkError? {
        if method.hasPrefix("org.varlink.service.") { return nil }
        let roles = MethodRoles.roles(for: method)
        guard let role = roles.first else { return .permissionDenied }
        if roles.contains(where: { has(peer, $0) }) { return nil }
        return Self.refusal(for: role)
    }

    /// The error for a peer that lacks a role.
    static func refusal(for role: Role) -> VarlinkError {
        VarlinkError(VarlinkError.permissionDenied.name, ["role": .string(role.rawValue)])
    }

    /// The peer's roles, in their order.
    package func roles(of peer: VarlinkPeer) -> [Role] { Role.allCases.filter { has(peer, $0) } }

    /// Whether the peer has the role.
    private func has(_ peer: VarlinkPeer, _ role: Role) -> Bool {
        if peer.userID == 0 || peer.userID == ownUser { return true }
        if users[peer.userID]?.contains(role) == true { return true }
        if groups.isEmpty { return false }
        return groups[peer.groupID]?.contains(role) == true
            || peer.groups.contains { groups[$0]?.contains(role) == true }
    }
}
