public import StrictJSON

/// One call, as on the wire.
public struct VarlinkCall: Hashable, Sendable {
    /// The full name: interface, dot, method.
    public var method: String
    /// The arguments; on the wire, leaving them out, `null` and `{}` mean the same.
    public var parameters: JSONObject
    /// The caller wants no reply, not even an error.
    public var oneway: Bool
    /// The caller takes any number of replies; all but the last are marked `continues`.
    public var more: Bool
    /// The caller wants to speak another protocol after the reply. ``VarlinkServer`` leaves this to the handler.
    public var upgrade: Bool

    package init(
        method: String,
        parameters: JSONObject = [:],
        oneway: Bool = false,
        more: Bool = false,
        upgrade: Bool = false
    ) {
        self.method = method
        self.parameters = parameters
        self.oneway = oneway
        self.more = more
        self.upgrade = upgrade
    }
}

extension VarlinkCall {
    /// Parses the bytes between two NULs, nested at most `depth` levels deep.
    package init(parsing message: Span<UInt8>, depth: Int = 64) throws(VarlinkViolation) {
        let members = try VarlinkMessage.members(of: message, depth: depth)
        try VarlinkMessage.refuse(
            unknownAmong: members,
            besides: ["method", "parameters", "oneway", "more", "upgrade"]
        )
        guard let method = members["method"] else { throw .missingMethod }
        self.init(
            method: try VarlinkMessage.string(method, "method"),
            parameters: try VarlinkMessage.parameters(members["parameters"] ?? .null),
            oneway: try VarlinkMessage.flag(members["oneway"] ?? false, "oneway"),
            more: try VarlinkMessage.flag(members["more"] ?? false, "more"),
            upgrade: try VarlinkMessage.flag(members["upgrade"] ?? false, "upgrade")
        )
        guard !(more && oneway) else { throw .moreWithOneway }
    }

    /// The message, with the NUL at its end.
    package func encoded() -> [UInt8] {
        var members: JSONObject = ["method": .string(method)]
        if !parameters.isEmpty { members["parameters"] = .object(parameters) }
        if oneway { members["oneway"] = true }
        if more { members["more"] = true }
        if upgrade { members["upgrade"] = true }
        return VarlinkMessage.bytes(of: members)
    }
}
