internal import SceneVocabulary

/// What a screen reports: what happened, never where to go. It goes up from the screen until somebody takes it.
public struct Intent: Hashable, Codable, Sendable {
    /// The intent's name.
    public let name: String
    /// The parameters by name, as text.
    public let parameters: [String: String]

    /// An intent of this name.
    public init(name: String, parameters: [String: String] = [:]) {
        self.name = name
        self.parameters = parameters
    }
}

extension Intent {
    /// Whether both are the same report. Values are compared by their bytes.
    public static func == (one: Intent, other: Intent) -> Bool {
        one.name == other.name && one.parameters.hasSameValues(as: other.parameters)
    }

    /// Hashes the name and the parameters.
    public func hash(into hasher: inout Hasher) {
        hasher.combine(name)
        parameters.hashValues(into: &hasher)
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
