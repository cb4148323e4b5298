internal import Basics
public import SceneVocabulary

/// A type of which a parameter's text can be read. A secret is a text whatever its type, because code works with its placeholder
/// (<doc:/SceneRuntime/Secrets>).
public protocol ParameterRepresentable: Hashable, Sendable {
    /// Reads a value; `nil` if the text is none.
    init?(parameterText: String)

    /// The value as text; `nil` for an empty list, which no parameter is.
    var parameterText: String? { get }
}

extension String: ParameterRepresentable {
    /// The text itself.
    public init?(parameterText: String) { self = parameterText }

    /// The text itself.
    public var parameterText: String? { self }
}

extension Int: ParameterRepresentable {
    /// Reads a decimal integer.
    public init?(parameterText: String) { self.init(parameterText) }

    /// The integer in decimal.
    public var parameterText: String? { String(self) }
}

extension Array: ParameterRepresentable where Element: ParameterRepresentable {
    /// Reads values between commas, in which a comma is written `%2C` and a percent sign `%25`.
    public init?(parameterText: String) {
        var values: [Element] = []
        for text in ParameterCheck.elements(parameterText) {
            guard let value = Element(parameterText: text) else { return nil }
            values.append(value)
        }
        self = values
    }

    /// The values between commas, with `%` and `,` in them escaped; `nil` if there are none.
    public var parameterText: String? { isEmpty ? nil : ParameterCheck.list(compactMap(\.parameterText)) }
}

extension ParameterRepresentable where Self: RawRepresentable<String> {
    /// Reads one of the words.
    public init?(parameterText: String) { self.init(rawValue: parameterText) }

    /// The word.
    public var parameterText: String? { rawValue }
}

/// The parameters of a destination or an intent, or what a flow hands over, read as values of types.
public struct TypedParameters {
    private let owner: String
    private let texts: [String: String]

    /// The parameters of a destination.
    public init(of destination: Destination) { self.init(destination.parameters, of: destination.id) }

    /// The texts by name.
    /// - Parameters:
    ///   - texts: The texts of the parameters, by name.
    ///   - owner: Of what they are parameters, for an error.
    public init(_ texts: [String: String], of owner: String) { (self.texts, self.owner) = (texts, owner) }

    /// A parameter that must be there.
    /// - Throws: ``TypedValueError`` if it is missing or of another type.
    public func value<Value: ParameterRepresentable>(_ name: String) throws(TypedValueError) -> Value {
        guard let value: Value = try optional(name) else {
            throw TypedValueError(name: "\(owner).\(name)", problem: .missing)
        }
        return value
    }

    /// A parameter with a default for when it is missing.
    /// - Throws: ``TypedValueError`` if it is of another type.
    public func value<Value: ParameterRepresentable>(
        _ name: String,
        or defaultValue: Value
    ) throws(TypedValueError) -> Value {
        try optional(name) ?? defaultValue
    }

    /// A parameter that may be missing.
    /// - Throws: ``TypedValueError`` if it is of another type.
    public func optional<Value: ParameterRepresentable>(_ name: String) throws(TypedValueError) -> Value? {
        guard let text = texts[name] else { return nil }
        guard let value = Value(parameterText: text) else {
            throw TypedValueError(name: "\(owner).\(name)", problem: .isNot("\(Value.self)"))
        }
        return value
    }

    /// The texts of values; those that are `nil`, and empty lists, are left out.
    public static func texts(_ values: [String: (any ParameterRepresentable)?]) -> [String: String] {
        values.compactMapValues { $0?.parameterText }
    }
}
