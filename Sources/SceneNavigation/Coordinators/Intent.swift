/// What a screen reports: what happened, never where to go. It bubbles from the screen to whoever takes it.
public struct Intent: Hashable, Sendable {
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
    /// The intent as people write it: `cartTapped`, `productSelected(id: p1004)`, parameters in order of their names.
    public var description: String {
        guard !parameters.isEmpty else { return name }
        let list = parameters.sorted { $0.key < $1.key }.map { "\($0.key): \($0.value)" }
        return "\(name)(\(list.joined(separator: ", ")))"
    }
}
