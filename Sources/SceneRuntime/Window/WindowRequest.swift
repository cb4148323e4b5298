public import SceneNavigation

/// What an app has asked of its windows, and what has become of it (<doc:Scenes#Windows-that-the-app-asks-for>).
public enum WindowRequest: Hashable, Sendable {
    /// A new window for a destination, in a configuration of the manifest; `nil` for the first.
    case open(Destination, configuration: String?, WindowAnswer)
    /// A window is closed for good: one that is for a destination, or else the one in which it was asked.
    case close(NamedWindow? = nil)
    /// A window is judged again: one that is for a destination, or else the one in which it was asked.
    case refresh(NamedWindow? = nil)

    /// The kind of the event with which a window begins that was asked for.
    static let eventKind = "window"

    /// Which of them it is.
    public var wish: WindowWish {
        switch self {
        case .open: .open
        case .close: .close
        case .refresh: .refresh
        }
    }
}

/// A window that is named by what it is for.
public struct NamedWindow: Hashable, Sendable {
    /// What it is for.
    public let destination: Destination
    /// The ID of its scene; `nil` if there is none, which the app is told as ``/SceneVocabulary/WindowError/requestDenied``.
    public let scene: String?

    /// A window for a destination, if there is one.
    public init(_ destination: Destination, scene: String?) {
        self.destination = destination
        self.scene = scene
    }
}

extension NamedWindow: CustomStringConvertible {
    /// The ID and what it is for.
    public var description: String { "\(scene ?? "no window"), for \(destination)" }
}

/// Whether there is a new window.
public enum WindowAnswer: Hashable, Codable, Sendable {
    /// The ID of its scene.
    case opened(scene: String)
    /// There is none.
    case denied(WindowError)

    /// The ID of the new scene; `nil` if there is none.
    public var scene: String? {
        if case .opened(let scene) = self { scene } else { nil }
    }

    /// Why there is none; `nil` if there is one.
    public var error: WindowError? {
        if case .denied(let error) = self { error } else { nil }
    }
}
