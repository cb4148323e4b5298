internal import Basics
internal import StrictJSON

/// What calls and replies share: a message is one JSON object, its members have known types, extensions have a dot.
enum VarlinkMessage {
    /// Long runs of combining marks are found when the parameters are checked, so that the caller gets an error.
    private static func limits(_ depth: Int) -> JSONLimits {
        var limits = JSONLimits(depth: depth)
        limits.boundsMarks = false
        return limits
    }

    static func members(of message: Span<UInt8>, depth: Int) throws(VarlinkViolation) -> JSONObject {
        guard !message.isEmpty else { throw .emptyMessage }
        let value: JSONValue
        do {
            value = try JSONValue(parsing: message, limits: limits(depth))
        } catch {
            throw .malformedJSON(error)
        }
        guard case .object(let members) = value else { throw .notAnObject(found: value.typeName) }
        return members
    }

    /// The members of a message, not parsed into values yet.
    static func parts(
        of message: [UInt8],
        depth: Int
    ) throws(VarlinkViolation) -> [(name: String, value: JSONPart)] {
        guard !message.isEmpty else { throw .emptyMessage }
        let document: JSONDocument
        do {
            document = try JSONDocument(parsing: message, limits: limits(depth))
        } catch {
            throw .malformedJSON(error)
        }
        guard document.root.isObject else { throw .notAnObject(found: document.root.typeName) }
        return document.root.members
    }

    static func string(_ value: JSONValue, _ member: String) throws(VarlinkViolation) -> String {
        guard case .string(let string) = value else {
            throw .wrongType(member: member, expected: "a string", found: value.typeName)
        }
        return string
    }

    static func flag(_ value: JSONValue, _ member: String) throws(VarlinkViolation) -> Bool {
        guard case .bool(let flag) = value else {
            throw .wrongType(member: member, expected: "a boolean", found: value.typeName)
        }
        return flag
    }

    static func parameters(_ value: JSONValue) throws(VarlinkViolation) -> JSONObject {
        switch value {
        case .object(let parameters): return parameters
        case .null: return [:]
        default: throw .wrongType(member: "parameters", expected: "an object", found: value.typeName)
        }
    }

    /// Refuses members besides those of the protocol, unless they are extensions.
    static func refuse(unknownAmong members: JSONObject, besides known: [String]) throws(VarlinkViolation) {
        for (name, _) in members where !known.contains(where: name.hasSameBytes) { try refuseUnlessExtension(name) }
    }

    static func refuseUnlessExtension(_ member: String) throws(VarlinkViolation) {
        guard member.utf8.contains(UInt8(ascii: ".")) else { throw .unknownMember(member.prefix(utf8: 64)) }
    }

    static func bytes(of members: JSONObject) -> [UInt8] {
        var bytes: [UInt8] = []
        bytes.reserveCapacity(256)
        JSONValue.object(members).write(to: &bytes)
        bytes.append(0)
        return bytes
    }
}

/// How long and how deep a message may be for one end of a connection to accept it.
public struct VarlinkMessageLimits: Hashable, Sendable {
    /// The longest message in bytes, its NUL not counted.
    public var bytes: Int
    /// How deep arrays and objects may nest in a message, the message itself included; at most 512.
    public var depth: Int

    /// By default 1 MiB and 64 levels.
    public init(bytes: Int = 1 << 20, depth: Int = 64) {
        self.bytes = bytes
        self.depth = depth
    }
}
