/// Checks that the parameters of several calls share.
enum CallParameter {
    /// Refuses an empty text; an absent one is fine.
    static func requireText(_ value: String?, _ name: String) throws(EntryFormatError) {
        guard value?.isEmpty == true else { return }
        throw EntryFormatError(path: name, expected: "non-empty string", found: "empty string")
    }
}
