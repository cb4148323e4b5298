/// What a window shows when it has arrived: the whole declared ancestry, root first.
public struct Target: Hashable, Sendable {
    /// The tab that is selected.
    public let tab: String
    /// The tab's push stack from its root to the topmost destination; never empty.
    public let path: [Destination]
    /// The modal chain above it, bottom first; usually empty.
    public let modals: [TargetModal]

    /// A target in `tab`. `path` begins with the tab's root.
    public init(tab: String, path: [Destination], modals: [TargetModal] = []) {
        self.tab = tab
        self.path = path
        self.modals = modals
    }
}

/// One presentation of a target's modal chain.
public struct TargetModal: Hashable, Sendable {
    /// The flow that owns the presentation, if the manifest names one.
    public let flow: String?
    public let style: ModalStyle
    /// The presentation's own stack, root first; never empty.
    public let stack: [Destination]

    /// A presentation of `stack`.
    public init(flow: String?, style: ModalStyle, stack: [Destination]) {
        self.flow = flow
        self.style = style
        self.stack = stack
    }
}

/// How a presentation covers what is below it, named as UIKit names its styles.
public enum ModalStyle: String, Hashable, Sendable, CaseIterable {
    case sheet, fullScreen, popover, alert
}
