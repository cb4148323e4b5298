/// What a user does, by kind: how `--mix` names it, and how the latencies are told apart.
package enum ActionKind: String, Hashable, Sendable, CaseIterable {
    case openurl, push, widget, handoff, spotlight, shortcut, gesture, intent, flow, signin, signout, disconnect
    case activation
    /// What an app or a person does wrong: links of nowhere, values that are not allowed, flows that are not shown.
    case mistake
    /// A step of a script that none of these does.
    case other

    /// The word of `--mix`.
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
