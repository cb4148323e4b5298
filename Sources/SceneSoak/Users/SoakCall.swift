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

    /// The scene that the call names, if any.
    package var scene: String? { parameters["scene"]?.stringValue }
}

/// The kind of a user's action. `--mix` chooses by it, and latencies are counted by it.
package enum ActionKind: String, Hashable, Sendable, CaseIterable {
    case openurl, push, widget, handoff, spotlight, shortcut, gesture, intent, flow, signin, signout, disconnect
    case activation
    /// A mistake of an app or a person: a link that leads nowhere, a value that is not allowed, a flow that is not shown.
    case mistake
    /// A commit of facts, or a step of a script that is none of these.
    case other

    /// The kind by its name in reports and objectives, or by that in `--mix`.
    init?(named name: String) {
        guard let kind = Self(rawValue: name) ?? Self.allCases.first(where: { $0.mixName == name }) else { return nil }
        self = kind
    }

    /// All names of kinds in reports and objectives.
    static let names = allCases.map(\.rawValue).joined(separator: ", ")

    /// The name in `--mix`.
    package var mixName: String {
        switch self {
        case .openurl: "links"
        case .push: "pushes"
        case .widget: "widgets"
        case .handoff: "handoffs"
        case .spotlight: "spotlight"
        case .shortcut: "shortcuts"
        case .gesture: "gestures"
        case .intent: "intents"
        case .flow: "flows"
        case .signin: "signins"
        case .signout: "signouts"
        case .disconnect: "disconnects"
        case .activation: "activations"
        case .mistake: "mistakes"
        case .other: "others"
        }
    }
}
