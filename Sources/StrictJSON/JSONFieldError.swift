/// Why a JSON value is not what a reader takes it for: where, what would be right, and what was there instead.
public struct JSONFieldError: Error, Hashable, Sendable {
    /// The place of the offending value. Paths into a push begin in its payload; all others begin in what is read: the
    /// parameters of a call, a record, a file.
    public let path: JSONPath
    /// What would be right, as a phrase: `string`, `at most 4096 bytes`.
    public let expected: String
    /// What was there: the JSON type's name, the value where it is short, or `nothing`.
    public let found: String

    /// An error at `path`.
    public init(path: JSONPath, expected: String, found: String) {
        self.path = path
        self.expected = expected
        self.found = found
    }
}

extension JSONFieldError: CustomStringConvertible {
    /// One line: `aps.alert.title-loc-args[2]: expected string, found integer`.
    public var description: String {
        path.steps.isEmpty ? "expected \(expected), found \(found)" : "\(path): expected \(expected), found \(found)"
    }
}
