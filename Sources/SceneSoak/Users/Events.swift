internal import SceneClient
internal import StrictJSON

/// Calls of `io.scened.Events` for the window in a user's hand.
enum Events {
    /// An event that navigates: its scene comes to the front, connected anew if need be.
    static func to(_ mind: inout UserMind, _ kind: ActionKind, _ method: String, _ parameters: JSONObject) -> SoakCall {
        mind.came(to: mind.scene)
        return inside(mind, kind, method, parameters)
    }

    /// An event that leaves the scene as active as it was.
    static func quietly(_ mind: UserMind, _ kind: ActionKind, _ method: String, _ parameters: JSONObject) -> SoakCall {
        inside(mind, kind, method, parameters)
    }

    /// An event for this scene.
    static func inside(_ mind: UserMind, _ kind: ActionKind, _ method: String, _ parameters: JSONObject) -> SoakCall {
        var parameters = parameters
        parameters["scene"] = .string(mind.scene)
        return SoakCall(kind, "io.scened.Events.\(method)", parameters)
    }

    /// A gesture in the window in the user's hand.
    static func gesture(_ mind: UserMind, _ gesture: Gesture) -> SoakCall {
        inside(mind, .gesture, "Gesture", gesture.parameters)
    }
}
