public import StrictJSON

/// What a peer did that the protocol forbids; the connection is closed without a reply.
public enum VarlinkViolation: Error, Hashable, Sendable {
    /// The message between two NULs is not JSON.
    case malformedJSON(JSONError)
    /// The message is JSON, but no object.
    case notAnObject(found: String)
    /// A NUL follows a NUL.
    case emptyMessage
    /// The message has more bytes than allowed, its NUL not counted.
    case messageTooLong(limit: Int)
    /// The call has no `method`.
    case missingMethod
    /// A member has a value of the wrong JSON type.
    case wrongType(member: String, expected: String, found: String)
    /// A member that the protocol does not know and whose name has no dot, which would mark a vendor's extension.
    case unknownMember(String)
    /// A call asks for many replies and for none.
    case moreWithOneway
    /// A reply came to no call, or a reply said `continues` to a call without `more`.
    case unexpectedReply
}

extension VarlinkViolation: CustomStringConvertible {
    public var description: String {
        switch self {
        case .malformedJSON(let error): "the message is not JSON: \(error)"
        case .notAnObject(let found): "the message must be a JSON object, not \(found)"
        case .emptyMessage: "the message is empty"
        case .messageTooLong(let limit): "the message is longer than \(limit) bytes"
        case .missingMethod: "the call has no member 'method'"
        case .wrongType(let member, let expected, let found): "member '\(member)' must be \(expected), not \(found)"
        case .unknownMember(let name): "unknown member '\(name)'; the name of an extension has a dot"
        case .moreWithOneway: "'more' and 'oneway' exclude each other"
        case .unexpectedReply: "a reply came that no call asked for"
        }
    }
}
