/// Something in an association file that does not do what its author will have meant.
public struct AssociationDiagnostic: Hashable, Sendable {
    public enum Severity: String, Hashable, Sendable, CaseIterable {
        /// Part of the file is ignored, or nothing works.
        case error
        /// It works, but probably not as meant.
        case warning
    }

    /// The situation; scripts can rely on the names.
    public enum Code: String, Hashable, Sendable, CaseIterable {
        case notJSON = "not-json"
        case noKnownService = "no-known-service"
        case wrongType = "wrong-type"
        case noDetails = "no-details"
        case noAppID = "no-app-id"
        case bothAppIDForms = "both-app-id-forms"
        case malformedAppID = "malformed-app-id"
        case legacyAppsNotEmpty = "legacy-apps-not-empty"
        case componentsAndPaths = "components-and-paths"
        case noComponents = "no-components"
        case unknownMember = "unknown-member"
        case recursiveVariable = "recursive-variable"
        case predefinedVariable = "predefined-variable"
        case undefinedVariable = "undefined-variable"
        case unterminatedVariable = "unterminated-variable"
        case malformedVariable = "malformed-variable"
        case queryNotText = "query-not-text"
        case notPercentEncoded = "not-percent-encoded"
        case unreachableComponent = "unreachable-component"
        case everythingMatches = "everything-matches"
        case tooComplex = "too-complex"
    }

    public let severity: Severity
    public let code: Code
    /// What is wrong and what would be right, as a phrase without full stop.
    public let message: String
    /// Where in the file: `applinks.details[0].components[1]./`.
    public let path: String
    /// The line from 1.
    public let line: Int
    /// The column in bytes from 1.
    public let column: Int
}

extension AssociationDiagnostic: CustomStringConvertible {
    /// One line as compilers write them, without the file's name: `3:9: error: applinks.details[0]: … [no-app-id]`.
    public var description: String {
        "\(line):\(column): \(severity.rawValue): \(path.isEmpty ? "" : path + ": ")\(message) [\(code.rawValue)]"
    }
}
