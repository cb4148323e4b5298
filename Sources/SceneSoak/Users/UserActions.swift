internal import SceneVocabulary
internal import Basics

/// The actions that users of an app can take.
protocol UserActions: Sendable {
    /// The kinds of action there are.
    var kinds: [ActionKind] { get }

    /// Lets the user look at the window before choosing what to do.
    func look(_ user: inout UserMemory)

    /// A call of one of these kinds that suits the user's state, which it updates.
    func call(_ kind: ActionKind, _ user: inout UserMemory, _ random: inout SplitMix) -> SoakCall
}

extension UserActions {
    /// A user who never looks: the same seed gives the same calls, whatever the daemon replies.
    func look(_ user: inout UserMemory) {}
}

/// What a user remembers. Nothing in it comes from the daemon's replies, but what ``UserActions/look(_:)`` has put there.
struct UserMemory: Hashable, Sendable {
    /// The user's number, from 0.
    let number: Int
    /// The windows on the user's device; at least one.
    var scenes: [String]
    /// The current window, one of `scenes`.
    var scene: String
    var state = UserState.away
    /// The activation in which the user left each scene, if known.
    var activations: [String: Activation] = [:]
    /// Scenes that the user has disconnected and not reconnected.
    var released: Set<String> = []

    init(number: Int, scenes: [String]) {
        self.number = number
        self.scenes = scenes
        scene = scenes.first ?? "soak-1"
    }

    /// Notes that an event that navigates has brought a scene to the front.
    mutating func came(to scene: String) {
        self.scene = scene
        activations[scene] = .foregroundActive
        released.remove(scene)
    }
}
