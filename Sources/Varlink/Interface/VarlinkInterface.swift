/// An interface: a name, and the types, methods and errors it declares in the order written.
public struct VarlinkInterface: Hashable, Sendable {
    /// A name such as `org.example.ping`.
    public var name: String
    /// The comment in front of the interface, without `#`; empty without one.
    public var documentation: String
    /// The declarations in the order written.
    public var members: [Member]

    public init(name: String, documentation: String = "", members: [Member] = []) {
        self.name = name
        self.documentation = documentation
        self.members = members
    }

    /// One declaration.
    public struct Member: Hashable, Sendable {
        public var name: String
        /// The comment in front of the declaration, without `#`; empty without one.
        public var documentation: String
        public var kind: Kind

        public init(_ name: String, _ kind: Kind, documentation: String = "") {
            self.name = name
            self.kind = kind
            self.documentation = documentation
        }
    }

    /// What a declaration declares.
    public enum Kind: Hashable, Sendable {
        /// A structure or an enumeration with a name.
        case type(VarlinkType)
        case method(parameters: [VarlinkField], results: [VarlinkField])
        case error(parameters: [VarlinkField])
    }
}

extension VarlinkInterface {
    /// The type of this name, or `nil`.
    public func type(_ name: String) -> VarlinkType? {
        for member in members where member.name == name {
            if case .type(let type) = member.kind { return type }
        }
        return nil
    }

    /// What the method of this name takes and gives, or `nil`.
    public func method(_ name: String) -> (parameters: [VarlinkField], results: [VarlinkField])? {
        for member in members where member.name == name {
            if case .method(let parameters, let results) = member.kind { return (parameters, results) }
        }
        return nil
    }

    /// What the error of this name carries, or `nil`.
    public func error(_ name: String) -> [VarlinkField]? {
        for member in members where member.name == name {
            if case .error(let parameters) = member.kind { return parameters }
        }
        return nil
    }

    /// The names of the methods in the order written.
    public var methodNames: [String] {
        members.compactMap { if case .method = $0.kind { $0.name } else { nil } }
    }
}
