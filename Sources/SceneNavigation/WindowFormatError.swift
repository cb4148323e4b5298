/// Why JSON is no window: where, what was expected there and what was found.
public struct WindowFormatError: Error, Hashable, Sendable {
    /// The place, as people write it: `tabs[1].stack[0].id`; empty for the value as a whole.
    public let path: String
    public let expected: String
    public let found: String
}

extension WindowFormatError: CustomStringConvertible {
    public var description: String {
        "\(path.isEmpty ? "the window" : path): expected \(expected), found \(found)"
    }
}
