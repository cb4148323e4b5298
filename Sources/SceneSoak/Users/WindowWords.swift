internal import SceneVocabulary
internal import SeededRandom
internal import StrictJSON

/// What the system does to a user's windows.
enum WindowWords {
    /// Releases the window, or brings back one that was released: with two users of one window somebody else may have.
    static func disconnect(_ mind: inout UserMind) -> SoakCall {
        let scene: JSONObject = ["scene": .string(mind.scene)]
        if mind.released.contains(mind.scene) {
            mind.released.remove(mind.scene)
            mind.activations[mind.scene] = .foregroundInactive
            return SoakCall(.disconnect, "io.scened.Scenes.Connect", scene)
        }
        mind.released.insert(mind.scene)
        mind.activations[mind.scene] = nil
        mind.state = .away
        return SoakCall(.disconnect, "io.scened.Scenes.Disconnect", scene)
    }

    /// One step of the automaton from where the user left the window.
    static func activate(_ mind: inout UserMind, _ random: inout SplitMix) -> SoakCall {
        let to: Activation =
            switch mind.activations[mind.scene] {
            case .foregroundInactive: random.below(2) == 0 ? .background : .foregroundActive
            case .none where mind.released.contains(mind.scene): .foregroundActive
            default: .foregroundInactive
            }
        mind.activations[mind.scene] = to
        if to == .background { mind.state = .away }
        return SoakCall(
            .activation,
            "io.scened.Scenes.SetActivation",
            ["scene": .string(mind.scene), "activation": .string(to.rawValue)]
        )
    }
}
