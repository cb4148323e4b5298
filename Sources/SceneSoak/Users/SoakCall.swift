package import StrictJSON

/// One call that a user makes.
package struct SoakCall: Hashable, Sendable {
    package let kind: ActionKind
    /// The full name: `io.scened.Events.OpenURL`.
    package let method: String
    package let parameters: JSONObject

    package init(_ kind: ActionKind, _ method: String, _ parameters: JSONObject) {
        self.kind = kind
        self.method = method
        self.parameters = parameters
    }

    /// The scene it names, if it names one.
    package var scene: String? { parameters["scene"]?.stringValue }
}
