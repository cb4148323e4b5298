/// Something wrong with a manifest: what, where, and what would be right.
public struct ManifestProblem: Error, Hashable, Sendable {
    /// Whether the manifest can be used all the same.
    public enum Severity: String, Hashable, Sendable, CaseIterable {
        /// The manifest cannot be used.
        case error
        /// It can be used, but probably does not say what was meant.
        case warning
    }

    /// Whether the manifest can be used all the same.
    public var severity: Severity
    /// The place in the manifest, as names between dots and positions from 0: `destinations.product.routes[1]`.
    public var key: String
    /// What is wrong, as a phrase without full stop.
    public var message: String
    /// What would be right, if that can be said.
    public var expected: String?
    /// The name that was probably meant by a misspelt one.
    public var suggestion: String?
    /// The file's name as the caller gave it, if it did.
    public var file: String?
    /// The line, from 1, of a manifest that was read from text.
    public var line: Int?
    /// The column, from 1, of a manifest that was read from text.
    public var column: Int?

    /// A problem at `key`.
    package init(
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
        // An error that became part of it may be a sentence.
        self.message = message.hasSuffix(".") ? String(message.dropLast()) : message
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

/// Everything wrong with a manifest that cannot be used.
public struct ManifestProblems: Error, Hashable, Sendable, CustomStringConvertible {
    /// The problems in the order of the file; at least one is an error.
    public let problems: [ManifestProblem]

    /// These problems; at least one is an error.
    package init(_ problems: [ManifestProblem]) {
        self.problems = problems
    }

    /// The same problems, those without a file in the one of this name.
    package func inFile(_ name: String) -> ManifestProblems {
        ManifestProblems(
            problems.map { problem in
                var problem = problem
                problem.file = problem.file ?? name
                return problem
            }
        )
    }

    /// One line for each problem.
    public var description: String { problems.map(\.description).joined(separator: "\n") }
}
