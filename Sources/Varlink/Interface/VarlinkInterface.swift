/// An interface: its name, and the types, methods and errors it declares.
public struct VarlinkInterface: Hashable, Sendable {
    /// Its name in reverse-domain notation, such as `org.example.ping`.
    public var name: String
    /// The comment in front of the interface, without `#`; empty if there is none.
    public var documentation: String
    /// The declarations in the order written.
    public var members: [Member]

    /// An interface made in code; its `description` is the text of its file. Names are not checked.
    public init(name: String, documentation: String = "", members: [Member] = []) {
        self.name = name
        self.documentation = documentation
        self.members = members
    }

    /// One declaration.
    public struct Member: Hashable, Sendable {
        /// A name with a capital first letter, of letters and digits; no other declaration has it.
        public var name: String
        /// The comment in front of the declaration, without `#`; empty if there is none.
        public var documentation: String
        /// Whether it is a type, a method or an error, and its fields.
        public var kind: Kind

        /// A declaration of `name`, without a comment by default.
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
        /// A method, with the members of its call's and of its replies' parameters.
        case method(parameters: [VarlinkField], results: [VarlinkField])
        /// An error that methods may answer, with the members of its parameters.
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

    /// The parameters and results of the method of this name, or `nil`.
    public func method(_ name: String) -> (parameters: [VarlinkField], results: [VarlinkField])? {
        for member in members where member.name == name {
            if case .method(let parameters, let results) = member.kind { return (parameters, results) }
        }
        return nil
    }

    /// The parameters of the error of this name, or `nil`.
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

    /// The names of the errors in the order written.
    public var errorNames: [String] {
        members.compactMap { if case .error = $0.kind { $0.name } else { nil } }
    }
}

/// Why a text is not an interface file, and where.
public struct VarlinkSyntaxError: Error, Hashable, Sendable, CustomStringConvertible {
    /// What is wrong, as a phrase without a full stop.
    public let reason: String
    /// The line, counted from 1.
    public let line: Int
    /// The column in that line, counted in bytes from 1.
    public let column: Int

    /// Line, column and reason.
    public var description: String { "line \(line), column \(column): \(reason)" }
}
