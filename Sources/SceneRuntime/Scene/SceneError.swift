/// Why a scene could not be opened, found or changed.
public enum SceneError: Error, Hashable, Sendable {
    case unknownScene(String)
    case sceneExists(String)
    case unknownConfiguration(String)
    case tooManyScenes(limit: Int)
    /// The ID is empty, longer than 64 bytes or has other characters than letters, digits, `-`, `_` and `.`.
    case invalidSceneID(String)
    /// The scene's automaton has no such step; both states by name, `disconnected` where it has no window.
    case illegalActivation(scene: String, from: String, to: String)
    /// The host is stopping.
    case draining
}

extension SceneError: CustomStringConvertible {
    public var description: String {
        switch self {
        case .unknownScene(let scene): "no scene '\(scene)'"
        case .sceneExists(let scene): "scene '\(scene)' is open already"
        case .unknownConfiguration(let name): "the app declares no scene configuration '\(name)'"
        case .tooManyScenes(let limit): "the app allows \(limit) scenes and has that many"
        case .invalidSceneID(let id):
            "'\(id)' is no scene ID: 1 to 64 letters, digits, '-', '_' or '.' would be right"
        case .illegalActivation(let scene, let from, let to):
            "scene '\(scene)' cannot go from \(from) to \(to)"
        case .draining: "the daemon is stopping"
        }
    }
}
