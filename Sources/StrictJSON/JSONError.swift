/// Why bytes are not JSON, and where.
public struct JSONError: Error, Hashable, Sendable, CustomStringConvertible {
    /// What was wrong, as a phrase without full stop.
    public let reason: String
    /// The offset of the offending byte, from 0.
    public let offset: Int
    /// The line of the offending byte, from 1.
    public let line: Int
    /// The column of the offending byte in its line, in bytes from 1.
    public let column: Int

    /// One line: `line 1, column 8: the member "a" appears twice`.
    public var description: String { "line \(line), column \(column): \(reason)" }
}

/// A mistake in a JSON value: where it is, what was expected there, and what was found.
public struct JSONFieldError: Error, Hashable, Sendable {
    /// The place of the mistake. In a push it begins at the payload; otherwise at the root of what is read: the parameters
    /// of a call, a record, a file.
    public let path: JSONPath
    /// What would be right, as a phrase: `string`, `at most 4096 bytes`.
    public let expected: String
    /// What is there: the name of its JSON type, the value if it is short, or `nothing`.
    public let found: String

    /// A mistake at `path`.
    package init(path: JSONPath, expected: String, found: String) {
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
