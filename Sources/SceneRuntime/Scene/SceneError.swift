/// Why a scene could not be opened, found or changed.
public enum SceneError: Error, Hashable, Sendable {
    /// There is no scene with this ID.
    case unknownScene(String)
    /// A connected scene has this ID already.
    case sceneExists(String)
    /// The manifest has no scene configuration of this name.
    case unknownConfiguration(String)
    /// The app has as many scenes as its manifest allows.
    case tooManyScenes(limit: Int)
    /// The ID is empty, longer than 64 bytes or has characters other than ASCII letters, digits, `-`, `_` and `.`.
    case invalidSceneID(String)
    /// The scene's automaton has no such step. The states are given by name; `disconnected` means that it has no window.
    case illegalActivation(scene: String, from: String, to: String)
    /// As many changes of the scene's life wait as may.
    case queueFull(scene: String, limit: Int)
    /// The host is stopping.
    case draining
}

extension SceneError: CustomStringConvertible {
    /// What was wrong, in a sentence without a full stop: `no scene 'B'`.
    public var description: String {
        switch self {
        case .unknownScene(let scene): "no scene '\(scene)'"
        case .sceneExists(let scene): "scene '\(scene)' is already open"
        case .unknownConfiguration(let name): "the app declares no scene configuration '\(name)'"
        case .tooManyScenes(let limit): "the app allows \(limit) scenes and has that many"
        case .invalidSceneID(let id):
            "'\(id)' is not a scene ID: expected 1 to 64 letters, digits, '-', '_' or '.'"
        case .illegalActivation(let scene, let from, let to):
            "scene '\(scene)' cannot go from \(from) to \(to)"
        case .queueFull(let scene, let limit): "scene '\(scene)' already has \(limit) changes waiting"
        case .draining: "the daemon is stopping"
        }
    }
}
