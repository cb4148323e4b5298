internal import SceneRuntime
internal import Varlink

/// Which parameters of the interfaces are names (<doc:/SceneRuntime/Words>): those with such a field, and all keys.
///
/// What is neither, such as a URL, a payload, or the value of a fact or of a destination's parameter, can be any text.
enum NamesInCalls {
    private static let fields: Set<String> = [
        "adapter", "configuration", "event", "flow", "hold", "id", "kind", "kinds", "locale", "market", "name",
        "registration", "remove", "scene", "selectedTab", "tab", "user",
    ]

    /// A rule that refuses other texts where names belong.
    /// - Parameter exceptions: fields of the interface that can be any text.
    static func rule(besides exceptions: Set<String> = []) -> VarlinkTextRule {
        let fields = fields.subtracting(exceptions)
        return { text, field, isKey in isName(field, isKey, fields) ? NameRule.problem(text) : nil }
    }

    private static func isName(_ field: String, _ isKey: Bool, _ fields: Set<String>) -> Bool {
        isKey ? !freeObjects.contains(field) : fields.contains(field)
    }

    /// The objects whose keys are the app's own.
    private static let freeObjects: Set<String> = ["event", "payload", "userInfo"]
}
