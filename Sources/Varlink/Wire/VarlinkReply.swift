package import StrictJSON

/// One reply, as on the wire.
package struct VarlinkReply: Hashable, Sendable {
    /// The results, or the parameters of the error.
    package var parameters: JSONObject
    /// More replies to the same call follow.
    package var continues: Bool
    /// The full name of an error, or `nil` on success.
    package var error: String?

    package init(parameters: JSONObject = [:], continues: Bool = false, error: String? = nil) {
        self.parameters = parameters
        self.continues = continues
        self.error = error
    }
}

extension VarlinkReply {
    /// Parses the bytes between two NULs, nested at most `depth` levels deep.
    package init(parsing message: Span<UInt8>, depth: Int = 64) throws(VarlinkViolation) {
        let members = try VarlinkMessage.members(of: message, depth: depth)
        try VarlinkMessage.refuse(unknownAmong: members, besides: ["parameters", "continues", "error"])
        self.init(
            parameters: try VarlinkMessage.parameters(members["parameters"] ?? .null),
            continues: try VarlinkMessage.flag(members["continues"] ?? false, "continues")
        )
        // Some services write `"error": null` on success.
        if let error = members["error"], !error.isNull { self.error = try VarlinkMessage.string(error, "error") }
    }

    /// Parses as ``init(parsing:depth:)`` does, but leaves the parameters as text.
    /// - Returns: the reply without its parameters, and its parameters, or `nil` if it has none.
    static func parts(
        parsing message: [UInt8],
        depth: Int = 64
    ) throws(VarlinkViolation) -> (reply: VarlinkReply, parameters: JSONPart?) {
        var reply = VarlinkReply()
        var parameters: JSONPart?
        for (name, part) in try VarlinkMessage.parts(of: message, depth: depth) {
            switch name {
            case "parameters":
                guard part.isObject || part.isNull else {
                    throw .wrongType(member: "parameters", expected: "an object", found: part.typeName)
                }
                parameters = part.isNull ? nil : part
            case "continues": reply.continues = try VarlinkMessage.flag(part.value, name)
            case "error": reply.error = part.isNull ? nil : try VarlinkMessage.string(part.value, name)
            default: try VarlinkMessage.refuseUnlessExtension(name)
            }
        }
        return (reply, parameters)
    }

    /// The message, with its NUL, of a reply without error; `write` writes the object of its parameters.
    /// - Returns: `nil` if `write` returns `false`: there is nothing to send.
    static func encoded(continues: Bool, _ write: (inout JSONText) -> Bool) -> [UInt8]? {
        var json = JSONText()
        var hasParameters = false
        json.object { json in
            json.name("parameters")
            hasParameters = write(&json)
            if continues, hasParameters { json.member("continues", true) }
        }
        return hasParameters ? json.terminated() : nil
    }

    /// The message, with the NUL at its end.
    package func encoded() -> [UInt8] {
        var bytes: [UInt8] = []
        bytes.reserveCapacity(512)
        bytes.append(UInt8(ascii: "{"))
        if let error {
            bytes.append(contentsOf: #""error":"#.utf8)
            JSONValue.string(error).write(to: &bytes)
            bytes.append(UInt8(ascii: ","))
        }
        bytes.append(contentsOf: #""parameters":"#.utf8)
        JSONValue.object(parameters).write(to: &bytes)
        if continues { bytes.append(contentsOf: #","continues":true"#.utf8) }
        bytes.append(UInt8(ascii: "}"))
        bytes.append(0)
        return bytes
    }
}
