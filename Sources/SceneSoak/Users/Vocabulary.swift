internal import SceneVocabulary
internal import SeededRandom

/// What users of one app can do: each kind of action by where the user is, and where the user is then.
protocol Vocabulary: Sendable {
    /// Those it has words for; others are never asked for.
    var kinds: [ActionKind] { get }

    /// A call of this kind, and the state after it.
    func call(_ kind: ActionKind, _ user: inout UserMind, _ random: inout SplitMix) -> SoakCall
}

/// What a user remembers. Nothing of it comes from the daemon's replies: the same seed does the same.
struct UserMind: Hashable, Sendable {
    /// The user's number, from 0.
    let number: Int
    /// The windows on the user's device; at least one.
    let scenes: [String]
    /// Which of them is in the user's hand.
    var scene: String
    var state = UserState.away
    /// How active each scene was left, where that is known; an event that navigates brings it to the front.
    var activations: [String: Activation] = [:]
    /// Scenes that the user has released and not yet brought back.
    var released: Set<String> = []

    init(number: Int, scenes: [String]) {
        self.number = number
        self.scenes = scenes
        scene = scenes.first ?? "soak-1"
    }

    /// What every navigating event does to the scene it goes to.
    mutating func came(to scene: String) {
        self.scene = scene
        activations[scene] = .foregroundActive
        released.remove(scene)
    }
}
