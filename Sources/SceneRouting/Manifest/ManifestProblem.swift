/// Something wrong with a manifest: what, where, and what would be right.
public struct ManifestProblem: Error, Hashable, Sendable {
    public enum Severity: String, Hashable, Sendable, CaseIterable {
        /// The manifest cannot be used.
        case error
        /// It can, but probably does not say what was meant.
        case warning
    }

    public var severity: Severity
    /// Where in the manifest, as names between dots with list positions from 0: `destinations.product.routes[1]`.
    public var key: String
    /// What is wrong, as a phrase without full stop.
    public var message: String
    /// What would be right, if that can be said.
    public var expected: String?
    /// The nearest name that exists, for a misspelt one.
    public var suggestion: String?
    /// The file as it was named by who read it.
    public var file: String?
    /// The line, from 1.
    public var line: Int?
    /// The column, from 1.
    public var column: Int?

    /// A problem at `key`.
    public init(
        severity: Severity = .error,
        key: String,
        message: String,
        expected: String? = nil,
        suggestion: String? = nil,
        file: String? = nil,
        line: Int? = nil,
        column: Int? = nil
    ) {
        self.severity = severity
        self.key = key
        self.message = message
        self.expected = expected
        self.suggestion = suggestion
        self.file = file
        self.line = line
        self.column = column
    }
}

extension ManifestProblem: CustomStringConvertible {
    /// One line as compilers write them: `shop.yaml:12:5: error: destinations.cart: …; expected …; did you mean '…'?`.
    public var description: String {
        var text = ""
        if let file { text += file + ":" }
        if let line { text += "\(line):" }
        if let column, line != nil { text += "\(column):" }
        if !text.isEmpty { text += " " }
        text += "\(severity.rawValue): "
        if !key.isEmpty { text += "\(key): " }
        text += message
        if let expected { text += "; expected \(expected)" }
        if let suggestion { text += "; did you mean '\(suggestion)'?" }
        return text
    }
}

/// All that is wrong with a manifest, in the order of the file.
public struct ManifestProblems: Error, Hashable, Sendable, CustomStringConvertible {
    public let problems: [ManifestProblem]

    /// These problems; at least one is an error.
    public init(_ problems: [ManifestProblem]) {
        self.problems = problems
    }

    public var description: String { problems.map(\.description).joined(separator: "\n") }
}
