/// Something in an association file that has probably another effect than its author meant.
package struct AssociationDiagnostic: Hashable, Sendable {
    package enum Severity: String, Hashable, Sendable, CaseIterable {
        /// Part of the file is ignored, or nothing works.
        case error
        /// It works, but probably not as meant.
        case warning
    }

    /// The kind of mistake; scripts can rely on the names.
    package enum Code: String, Hashable, Sendable, CaseIterable {
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

    package let code: Code
    /// What is wrong and what would be right, as a phrase without full stop.
    package let message: String
    /// Where in the file: `applinks.details[0].components[1]./`.
    package let path: String
    /// The line, from 1.
    package let line: Int
    /// The column in bytes, from 1.
    package let column: Int

    package var severity: Severity {
        switch code {
        case .noDetails, .bothAppIDForms, .componentsAndPaths, .noComponents, .unknownMember, .predefinedVariable,
            .notPercentEncoded, .unreachableComponent, .everythingMatches:
            .warning
        case .notJSON, .noKnownService, .wrongType, .noAppID, .malformedAppID, .legacyAppsNotEmpty, .recursiveVariable,
            .undefinedVariable, .unterminatedVariable, .malformedVariable, .queryNotText, .tooComplex:
            .error
        }
    }
}

extension AssociationDiagnostic: CustomStringConvertible {
    /// One line as compilers write them, without the file's name: `3:9: error: applinks.details[0]: … [no-app-id]`.
    package var description: String {
        "\(line):\(column): \(severity.rawValue): \(path.isEmpty ? "" : path + ": ")\(message) [\(code.rawValue)]"
    }
}
