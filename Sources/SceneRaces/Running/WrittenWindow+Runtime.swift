internal import SceneRouting
internal import SceneRuntime

extension WrittenWindow {
    /// What a scene shows now; `nil` stands for a scene that no longer exists.
    /// - Parameter inFull: Whether to write every tab, not only what is in front.
    init(_ status: SceneStatus?, inFull: Bool) {
        guard let status else {
            self = .gone
            return
        }
        guard status.isConnected else {
            self = .disconnected
            return
        }
        self = .window(inFull ? WindowText(status.window) : WindowText(status.window).front)
    }

    /// Whether everything that the text says of a scene is so; `nil` stands for a scene that no longer exists.
    func describes(_ status: SceneStatus?) -> Bool {
        switch (self, status) {
        case (.gone, nil): true
        case (.disconnected, .some(let status)): !status.isConnected
        case (.window(let text), .some(let status)): status.isConnected && text.describes(WindowText(status.window))
        default: false
        }
    }

    /// Whether it names tabs or styles, which the text of what is in front leaves out.
    var isInFull: Bool {
        guard case .window(let text) = self else { return false }
        return text.isWhole || text.presentations.contains { $0.style != nil }
    }
}
