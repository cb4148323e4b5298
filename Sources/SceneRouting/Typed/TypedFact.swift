/// The name of a fact with the type of its values.
public struct TypedFact<Value: FactRepresentable>: Hashable, Sendable {
    /// The fact's name in the manifest.
    public let name: String

    /// A fact of this name.
    public init(_ name: String) { self.name = name }
}

/// A type whose values a fact can have.
public protocol FactRepresentable: Hashable, Sendable {
    /// Reads a fact's value; `nil` if it is of another type.
    init?(factValue: FactValue)

    /// The value as a fact has it.
    var factValue: FactValue { get }
}

extension String: FactRepresentable {
    /// The text of a fact of type `string` or `date`.
    public init?(factValue: FactValue) {
        guard case .string(let text) = factValue else { return nil }
        self = text
    }

    /// The text.
    public var factValue: FactValue { .string(self) }
}

extension Int: FactRepresentable {
    /// The integer of a fact.
    public init?(factValue: FactValue) {
        guard case .integer(let integer) = factValue else { return nil }
        self = integer
    }

    /// The integer.
    public var factValue: FactValue { .integer(self) }
}

extension Double: FactRepresentable {
    /// The number of a fact, which may be an integer.
    public init?(factValue: FactValue) {
        switch factValue {
        case .number(let number): self = number
        case .integer(let integer): self = Double(integer)
        case .string, .boolean, .strings: return nil
        }
    }

    /// The number.
    public var factValue: FactValue { .number(self) }
}

extension Bool: FactRepresentable {
    /// The truth value of a fact.
    public init?(factValue: FactValue) {
        guard case .boolean(let boolean) = factValue else { return nil }
        self = boolean
    }

    /// The truth value.
    public var factValue: FactValue { .boolean(self) }
}

extension [String]: FactRepresentable {
    /// The list of a fact.
    public init?(factValue: FactValue) {
        guard case .strings(let texts) = factValue else { return nil }
        self = texts
    }

    /// The list.
    public var factValue: FactValue { .strings(self) }
}

extension [String: FactValue] {
    /// The value of a fact; `nil` if it has none, or one of another type. A new value is put in its place.
    public subscript<Typed>(fact: TypedFact<Typed>) -> Typed? {
        get { self[fact.name].flatMap(Typed.init(factValue:)) }
        set { self[fact.name] = newValue?.factValue }
    }
}
