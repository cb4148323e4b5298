/// Why the content of an event is not in Apple's format: where, what would be right, and what was there instead.
public struct EntryFormatError: Error, Hashable, Sendable {
    /// The JSON path of the offending value, such as `aps.alert.title-loc-args[2]`. Paths into a push begin in its payload;
    /// all others begin in the parameters of the call.
    public let path: String
    /// What would be right, as a phrase: `string`, `at most 4096 bytes`.
    public let expected: String
    /// What was there: the JSON type's name, the value where it is short, or `nothing`.
    public let found: String

    /// An error at `path`.
    public init(path: String, expected: String, found: String) {
        self.path = path
        self.expected = expected
        self.found = found
    }
}

extension EntryFormatError: CustomStringConvertible {
    /// One line: `aps.alert.title-loc-args[2]: expected string, found integer`.
    public var description: String { "\(path): expected \(expected), found \(found)" }
}
