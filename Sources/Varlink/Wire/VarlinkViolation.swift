public import StrictJSON

/// How a peer broke the protocol. The connection is closed without a reply.
public enum VarlinkViolation: Error, Hashable, Sendable {
    /// The message between two NULs is not JSON.
    case malformedJSON(JSONError)
    /// The message is JSON, but not an object. `found` is its type, such as `array`.
    case notAnObject(found: String)
    /// There is nothing between two NULs.
    case emptyMessage
    /// The message has more bytes than `limit`, its NUL not counted.
    case messageTooLong(limit: Int)
    /// The call has no `method`.
    case missingMethod
    /// The value of a member has the wrong JSON type.
    case wrongType(member: String, expected: String, found: String)
    /// The protocol knows no member of this name, and it has no dot, which would mark a vendor's extension.
    case unknownMember(String)
    /// A call has both `more` and `oneway`: many replies and none.
    case moreWithOneway
    /// A reply came without a call, or was marked `continues` though the call had no `more`.
    case unexpectedReply
}

extension VarlinkViolation: CustomStringConvertible {
    /// The violation as a phrase for a message.
    public var description: String {
        switch self {
        case .malformedJSON(let error): "the message is not JSON: \(error)"
        case .notAnObject(let found): "the message must be a JSON object, not \(found)"
        case .emptyMessage: "the message is empty"
        case .messageTooLong(let limit): "the message is longer than \(limit) bytes"
        case .missingMethod: "the call has no member 'method'"
        case .wrongType(let member, let expected, let found): "member '\(member)' must be \(expected), not \(found)"
        case .unknownMember(let name): "unknown member '\(name)'; an extension needs a dot in its name"
        case .moreWithOneway: "'more' and 'oneway' exclude each other"
        case .unexpectedReply: "a reply came that no call asked for"
        }
    }
}
