internal import Basics

/// A typed place in the app, such as `product(id: p1004)`.
///
/// Parameters are the canonical text of their typed values: extraction validates and normalises them, so two
/// destinations are the same place exactly when they are equal.
public struct Destination: Hashable, Codable, Sendable {
    /// The destination's name in the manifest.
    public let id: String
    /// The parameters by name; an optional parameter that was not given is absent.
    public let parameters: [String: String]

    /// A destination of this name with these parameters.
    public init(id: String, parameters: [String: String] = [:]) {
        self.id = id
        self.parameters = parameters
    }
}

extension Destination {
    /// Whether both are the same place. Values are compared by their bytes; names have only one spelling.
    public static func == (one: Destination, other: Destination) -> Bool {
        one.id == other.id && one.parameters.hasSameValues(as: other.parameters)
    }

    /// Hashes the name and the parameters.
    public func hash(into hasher: inout Hasher) {
        hasher.combine(id)
        parameters.hashValues(into: &hasher)
    }
}

extension [String: String] {
    /// Whether both have the same names with values of the same bytes.
    package func hasSameValues(as other: [String: String]) -> Bool {
        count == other.count && allSatisfy { other[$0.key]?.hasSameBytes(as: $0.value) ?? false }
    }

    /// Hashes names and values, whatever their order.
    package func hashValues(into hasher: inout Hasher) {
        var combined = 0
        for (name, value) in self {
            var pair = Hasher()
            pair.combine(name)
            value.hashBytes(into: &pair)
            combined ^= pair.finalize()
        }
        hasher.combine(combined)
    }
}

extension Destination: CustomStringConvertible {
    /// The destination as people write it (<doc:/SceneRuntime/WindowNotation>): `cart`, `product(id: p1004, ref: mail)`, parameters
    /// in order of their names. Names and values with signs of the notation are in quotes.
    public var description: String {
        let id = WindowNotation.name(id)
        guard !parameters.isEmpty else { return id }
        let list = parameters.sorted { $0.key < $1.key }.map {
            "\(WindowNotation.name($0.key)): \(WindowNotation.value($0.value))"
        }
        return "\(id)(\(list.joined(separator: ", ")))"
    }
}
