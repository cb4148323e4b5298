internal import StrictJSON

/// Checks that the parameters of several calls share.
enum CallParameter {
    /// Refuses an empty text; an absent one is fine.
    static func requireText(_ value: String?, _ name: String) throws(JSONFieldError) {
        guard value?.isEmpty == true else { return }
        throw JSONFieldError(path: JSONPath(.member(name)), expected: "non-empty string", found: "empty string")
    }
}
