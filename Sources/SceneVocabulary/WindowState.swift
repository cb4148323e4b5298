/// What a window shows, as a value that can be compared, recorded and restored.
///
/// It has UIKit's three kinds of container: the tabs, a push stack in each, and the chain of presentations over them.
public struct WindowState: Hashable, Codable, Sendable {
    /// The tabs in the order shown. A root flow, which has no tabs, is one tab named `root`.
    public var tabs: [TabState]
    /// The ID of the tab in front.
    public var selectedTab: String
    /// The presentations, bottom first.
    public var modals: [ModalState]

    /// A window that shows `selectedTab` of `tabs` under `modals`.
    public init(tabs: [TabState], selectedTab: String, modals: [ModalState] = []) {
        self.tabs = tabs
        self.selectedTab = selectedTab
        self.modals = modals
    }

    /// The selected tab's stack; empty if the window has no such tab.
    public var selectedStack: [Destination] { stack(of: selectedTab) ?? [] }

    /// The stack of a tab, or `nil` where there is no such tab.
    public func stack(of tab: String) -> [Destination]? {
        tabs.first { $0.id == tab }?.stack
    }

    /// The screen in front: the last of the topmost presentation, or of the selected tab if nothing is presented.
    public var topmost: Destination? {
        modals.last?.stack.last ?? selectedStack.last
    }

    /// Every destination in the window, those of unselected tabs included: tab by tab, then the presentations, each bottom first.
    public var destinations: [Destination] {
        tabs.flatMap(\.stack) + modals.flatMap(\.stack)
    }

    /// The ID of the only tab of a window that shows a flow instead of tabs.
    package static let rootTab = "root"
}

/// A tab and its push stack.
public struct TabState: Hashable, Codable, Sendable {
    /// The tab's name in the manifest.
    public var id: String
    /// Root first; never empty.
    public var stack: [Destination]

    /// A tab showing `stack`.
    public init(id: String, stack: [Destination]) {
        self.id = id
        self.stack = stack
    }
}

/// A presentation and its own push stack.
public struct ModalState: Hashable, Codable, Sendable {
    /// The flow whose coordinator owns the presentation, if any.
    public var flow: String?
    /// How it covers what is below it.
    public var style: ModalStyle
    /// Root first; never empty.
    public var stack: [Destination]

    /// A presentation of `stack`.
    public init(flow: String?, style: ModalStyle, stack: [Destination]) {
        self.flow = flow
        self.style = style
        self.stack = stack
    }
}

/// How a presentation covers what is below it, named as in UIKit. A person can swipe a sheet or a popover away.
public enum ModalStyle: String, Hashable, Codable, Sendable, CaseIterable {
    /// A card that leaves the screen below visible at its edge.
    case sheet
    /// Covers the whole window.
    case fullScreen
    /// A bubble beside what it belongs to.
    case popover
    /// A dialogue that has to be answered.
    case alert
}

extension WindowState: CustomStringConvertible {
    /// The window in one line, the tab in front with a star (<doc:/SceneRuntime/WindowNotation>):
    /// `*home: home › cart › sheet auth[login] | orders: orders`.
    public var description: String { WindowText(self).description }
}

extension TabState: CustomStringConvertible {
    /// The tab's name and its stack: `home: home › cart`.
    public var description: String { "\(WindowNotation.name(id)): \(WindowNotation.stack(stack))" }
}

extension ModalState: CustomStringConvertible {
    /// The style, the flow if there is one, and the stack: `sheet auth[login › code]`, `alert [failed]`.
    public var description: String {
        WindowText.Presentation(style: style, flow: flow, stack: stack).description
    }
}
