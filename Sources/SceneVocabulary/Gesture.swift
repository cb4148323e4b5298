/// What a person does to a window with a finger.
public enum Gesture: Hashable, Codable, Sendable {
    /// A tap on the back button of a navigation bar.
    case back
    /// A swipe from the edge. A cancelled one, let go halfway, takes its time and changes nothing.
    case swipeBack(cancelled: Bool = false)
    /// A tap on the button that closes a presentation.
    case dismiss
    /// A swipe that pulls a presentation down. A cancelled one, let go halfway, takes its time and changes nothing.
    case swipeDown(cancelled: Bool = false)
    /// A tap on a tab. On the selected tab it pops to the tab's root.
    case selectTab(String)
}

extension Gesture {
    /// The gestures' names on the wire and in records.
    public enum Name: String, Hashable, Sendable, CaseIterable {
        /// The case of ``Gesture`` with the same name.
        case back, swipeBack, dismiss, swipeDown, selectTab
    }

    /// The gesture's name on the wire and in records.
    public var name: Name {
        switch self {
        case .back: .back
        case .swipeBack: .swipeBack
        case .dismiss: .dismiss
        case .swipeDown: .swipeDown
        case .selectTab: .selectTab
        }
    }

    /// Whether it is a swipe that was begun and let go halfway.
    public var isCancelled: Bool {
        switch self {
        case .swipeBack(let cancelled), .swipeDown(let cancelled): cancelled
        case .back, .dismiss, .selectTab: false
        }
    }
}
