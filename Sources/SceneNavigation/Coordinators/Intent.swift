/// What a screen reports: what happened, never where to go. It goes up from the screen until somebody takes it.
public struct Intent: Hashable, Sendable {
    /// The intent's name, 1 to 128 bytes.
    public let name: String
    /// The parameters by name, as text.
    public let parameters: [String: String]

    /// An intent of this name.
    public init(name: String, parameters: [String: String] = [:]) {
        self.name = name
        self.parameters = parameters
    }
}

extension Intent: CustomStringConvertible {
    /// The intent in words: `cartTapped`, `productSelected(id: p1004)`, with parameters sorted by name.
    public var description: String {
        guard !parameters.isEmpty else { return name }
        let list = parameters.sorted { $0.key < $1.key }.map { "\($0.key): \($0.value)" }
        return "\(name)(\(list.joined(separator: ", ")))"
    }
}
