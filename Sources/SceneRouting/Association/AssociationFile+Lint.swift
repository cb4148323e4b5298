internal import StrictJSON

extension AssociationFile {
    /// Everything in an association file that does not do what its author will have meant, in the order of the file.
    public static func lint(_ text: String) -> [AssociationDiagnostic] {
        do throws(AssociationError) {
            var linter = AssociationLinter(try json(text), text)
            return linter.lint()
        } catch {
            return [
                AssociationDiagnostic(
                    severity: .error,
                    code: .notJSON,
                    message: error.reason,
                    path: "",
                    line: error.line ?? 1,
                    column: error.column ?? 1
                )
            ]
        }
    }
}
