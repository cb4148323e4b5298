/// A type in an interface file, with the JSON values that it allows.
public indirect enum VarlinkType: Hashable, Sendable {
    /// `true` or `false`.
    case bool
    /// A 64-bit signed integer.
    case int
    /// Any number.
    case float
    /// A string.
    case string
    /// Any JSON object.
    case object
    /// `?T`: the value, `null`, or the member left out. `T` is not nullable itself.
    case nullable(VarlinkType)
    /// `[]T`: an array.
    case array(VarlinkType)
    /// `[string]T`: an object with any names. `[string]()`, with the empty structure, is a set of strings.
    case dictionary(VarlinkType)
    /// `(name: T, …)`: an object with these members.
    case structure([VarlinkField])
    /// `(one, two, …)`: one of these strings.
    case enumeration([VarlinkSymbol])
    /// A type declared by this name in the same interface.
    case named(String)
}

/// A member of a structure, or a parameter of a method or an error.
public struct VarlinkField: Hashable, Sendable {
    /// Letters and digits with single `_` between them.
    public var name: String
    /// What its value may be.
    public var type: VarlinkType
    /// The comment in front of it, without `#`; empty if there is none.
    public var documentation: String

    /// A field, without a comment by default.
    public init(_ name: String, _ type: VarlinkType, documentation: String = "") {
        self.name = name
        self.type = type
        self.documentation = documentation
    }
}

/// One value of an enumeration.
public struct VarlinkSymbol: Hashable, Sendable {
    /// The string on the wire: letters and digits with single `_` between them.
    public var name: String
    /// The comment in front of it, without `#`; empty if there is none.
    public var documentation: String

    /// A value, without a comment by default.
    public init(_ name: String, documentation: String = "") {
        self.name = name
        self.documentation = documentation
    }
}
