/// A type as an interface file spells it.
public indirect enum VarlinkType: Hashable, Sendable {
    case bool
    /// A 64-bit signed integer.
    case int
    /// Any number.
    case float
    case string
    /// Any JSON object.
    case object
    /// `?T`: the value, `null`, or nothing at all. Never nested directly.
    case nullable(VarlinkType)
    /// `[]T`.
    case array(VarlinkType)
    /// `[string]T`. With the empty structure, `[string]()`, it is a set of strings.
    case dictionary(VarlinkType)
    /// `(name: T, …)`.
    case structure([VarlinkField])
    /// `(one, two, …)`: one of these strings.
    case enumeration([VarlinkSymbol])
    /// A type of the same interface, by its name.
    case named(String)
}

/// A member of a structure, a parameter of a method or of an error.
public struct VarlinkField: Hashable, Sendable {
    public var name: String
    public var type: VarlinkType
    /// The comment in front of it, without `#`; empty without one.
    public var documentation: String

    public init(_ name: String, _ type: VarlinkType, documentation: String = "") {
        self.name = name
        self.type = type
        self.documentation = documentation
    }
}

/// One value of an enumeration.
public struct VarlinkSymbol: Hashable, Sendable {
    public var name: String
    /// The comment in front of it, without `#`; empty without one.
    public var documentation: String

    public init(_ name: String, documentation: String = "") {
        self.name = name
        self.documentation = documentation
    }
}
