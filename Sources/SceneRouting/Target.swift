// Whoever reads a target speaks these words too.
@_exported public import SceneVocabulary

/// What a window shows when it has arrived: the whole declared ancestry, root first.
public struct Target: Hashable, Sendable {
    /// The tab that is selected.
    public let tab: String
    /// The tab's push stack from its root to the topmost destination; never empty.
    public let path: [Destination]
    /// The modal chain above it, bottom first; usually empty.
    public let modals: [ModalState]

    /// A target in `tab`. `path` begins with the tab's root.
    public init(tab: String, path: [Destination], modals: [ModalState] = []) {
        self.tab = tab
        self.path = path
        self.modals = modals
    }
}
