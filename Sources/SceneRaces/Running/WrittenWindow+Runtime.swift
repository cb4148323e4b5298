internal import SceneRouting
internal import SceneRuntime

extension WrittenWindow {
    /// Everything that a scene shows now; `nil` stands for a scene that no longer exists.
    init(_ status: SceneStatus?) {
        guard let status else {
            self = .gone
            return
        }
        self = status.isConnected ? .window(WindowText(status.window)) : .disconnected
    }

    /// What of it is in front, without the styles of presentations.
    var front: WrittenWindow {
        if case .window(let text) = self { .window(text.front) } else { self }
    }

    /// Whether everything that the text says of a window is so.
    /// - Parameter whole: Everything that there is to say.
    func describes(_ whole: WrittenWindow) -> Bool {
        if case (.window(let text), .window(let whole)) = (self, whole) { text.describes(whole) } else { self == whole }
    }

    /// Whether it names tabs or styles, which the text of what is in front leaves out.
    var isInFull: Bool {
        guard case .window(let text) = self else { return false }
        return text.isWhole || text.presentations.contains { $0.style != nil }
    }
}
