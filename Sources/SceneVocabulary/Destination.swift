/// A typed place in the app, such as `product(id: p1004)`.
///
/// Parameters are the canonical text of their typed values: extraction validates and normalises them, so two
/// destinations are the same place exactly when they are equal.
public struct Destination: Hashable, Sendable {
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

extension Destination: CustomStringConvertible {
    /// The destination as people write it: `cart`, `product(id: p1004, ref: mail)`, parameters in order of their names.
    public var description: String {
        guard !parameters.isEmpty else { return id }
        let list = parameters.sorted { $0.key < $1.key }.map { "\($0.key): \($0.value)" }
        return "\(id)(\(list.joined(separator: ", ")))"
    }
}
