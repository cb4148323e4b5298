internal import SceneClient
internal import SceneVocabulary
internal import Basics
internal import StrictJSON

/// Calls of `io.scened.Events` for the user's current window.
enum EventCalls {
    /// An event that navigates: its scene comes to the front, and reconnects if necessary.
    static func to(_ user: inout UserMemory, _ kind: ActionKind, _ method: String, _ parameters: JSONObject) -> SoakCall
    {
        user.came(to: user.scene)
        return inside(user, kind, method, parameters)
    }

    /// An event that leaves the scene's activation as it was.
    static func inside(_ user: UserMemory, _ kind: ActionKind, _ method: String, _ parameters: JSONObject) -> SoakCall {
        var parameters = parameters
        parameters["scene"] = .string(user.scene)
        return SoakCall(kind, "io.scened.Events.\(method)", parameters)
    }

    /// Several URLs at once. As with one, now and then nobody says in which window; each that is needed twice is taken once.
    ///
    /// - Returns: `nil` if fewer than two of them are different and of the app's own schemes: a web link comes alone.
    static func set(_ user: inout UserMemory, _ urls: [String], _ random: inout SplitMix) -> SoakCall? {
        var set: [String] = []
        for url in urls where !url.hasPrefix("https:") && !set.contains(url) { set.append(url) }
        guard set.count > 1 else { return nil }
        let parameters: JSONObject = ["urls": .array(set.map(JSONValue.string))]
        if random.below(20) == 0 { return SoakCall(.openurl, "io.scened.Events.OpenURLs", parameters) }
        return to(&user, .openurl, "OpenURLs", parameters)
    }

    /// A gesture in the user's current window.
    static func gesture(_ user: UserMemory, _ gesture: Gesture) -> SoakCall {
        inside(user, .gesture, "Gesture", gesture.parameters)
    }
}

/// Calls that sign in and out. All windows share the session, so each concerns every window.
enum SessionCalls {
    /// The name under which a user signs in. Several users share one, so there are conflicts.
    static func name(_ user: UserMemory) -> String { "user-\(user.number % 16)" }

    static func signIn(_ user: inout UserMemory, _ random: inout SplitMix, facts: JSONObject) -> SoakCall {
        user.state = random.below(2) == 0 ? .inCart : .browsing
        var parameters: JSONObject = ["user": .string(name(user)), "scene": .string(user.scene)]
        if !facts.isEmpty { parameters["facts"] = .object(facts) }
        return SoakCall(.signin, "io.scened.Session.SignIn", parameters)
    }

    static func signOut(_ user: inout UserMemory) -> SoakCall {
        user.state = .browsing
        return SoakCall(.signout, "io.scened.Session.SignOut", ["scene": .string(user.scene)])
    }
}

/// Calls that disconnect, reconnect and activate windows, as the system does.
enum WindowCalls {
    /// Disconnects the user's window, or reconnects it if this user had disconnected it.
    static func disconnect(_ user: inout UserMemory) -> SoakCall {
        let scene: JSONObject = ["scene": .string(user.scene)]
        if user.released.contains(user.scene) {
            user.released.remove(user.scene)
            user.activations[user.scene] = .foregroundInactive
            return SoakCall(.disconnect, "io.scened.Scenes.Connect", scene)
        }
        user.released.insert(user.scene)
        user.activations[user.scene] = nil
        user.state = .away
        return SoakCall(.disconnect, "io.scened.Scenes.Disconnect", scene)
    }

    /// Changes the activation by one step from where this user left it.
    static func activate(_ user: inout UserMemory, _ random: inout SplitMix) -> SoakCall {
        let to: Activation =
            switch user.activations[user.scene] {
            case .foregroundInactive: random.below(2) == 0 ? .background : .foregroundActive
            case .none where user.released.contains(user.scene): .foregroundActive
            default: .foregroundInactive
            }
        user.activations[user.scene] = to
        if to == .background { user.state = .away }
        return SoakCall(
            .activation,
            "io.scened.Scenes.SetActivation",
            ["scene": .string(user.scene), "activation": .string(to.rawValue)]
        )
    }
}
