public import StrictJSON

/// One call as it crosses the wire.
public struct VarlinkCall: Hashable, Sendable {
    /// The full name: interface, dot, method.
    public var method: String
    /// The arguments; omitted, `null` and `{}` are the same on the wire.
    public var parameters: JSONObject
    /// No reply is wanted, not even an error.
    public var oneway: Bool
    /// Any number of replies is wanted, all but the last marked `continues`.
    public var more: Bool
    /// The connection is to speak another protocol after the reply.
    public var upgrade: Bool

    public init(
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
    /// Reads the bytes between two NULs, nested at most `depth` levels.
    public init(parsing message: Span<UInt8>, depth: Int = 64) throws(VarlinkViolation) {
        self.init(method: "")
        var hasMethod = false
        for (name, value) in try VarlinkMessage.members(of: message, depth: depth) {
            switch name {
            case "method":
                method = try VarlinkMessage.string(value, name)
                hasMethod = true
            case "parameters": parameters = try VarlinkMessage.parameters(value)
            case "oneway": oneway = try VarlinkMessage.flag(value, name)
            case "more": more = try VarlinkMessage.flag(value, name)
            case "upgrade": upgrade = try VarlinkMessage.flag(value, name)
            default: try VarlinkMessage.refuseUnlessExtension(name)
            }
        }
        guard hasMethod else { throw .missingMethod }
        guard !(more && oneway) else { throw .moreWithOneway }
    }

    /// The message with the NUL that ends it.
    public func encoded() -> [UInt8] {
        var members: JSONObject = ["method": .string(method)]
        if !parameters.isEmpty { members["parameters"] = .object(parameters) }
        if oneway { members["oneway"] = true }
        if more { members["more"] = true }
        if upgrade { members["upgrade"] = true }
        return VarlinkMessage.bytes(of: members)
    }
}
