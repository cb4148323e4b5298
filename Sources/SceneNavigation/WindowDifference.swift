public import SceneRouting

/// One difference between a window and the one that was expected.
public enum WindowDifference: Hashable, Sendable {
    /// The tabs' names differ, or their order.
    case tabs(expected: [String], actual: [String])
    /// Another tab is selected.
    case selectedTab(expected: String, actual: String)
    /// Another screen is at this depth of a stack, 0 for its root; `nil` if the stack has none there.
    case screen(Container, depth: Int, expected: Destination?, actual: Destination?)
    /// Another presentation is at this place of the chain, 0 for the lowest; `nil` if the chain has none there. If flow and
    /// style are the same, only the screens that differ are reported.
    case modal(Int, expected: ModalState?, actual: ModalState?)

    /// A stack of a window.
    public enum Container: Hashable, Sendable {
        /// The tab of this name.
        case tab(String)
        /// The presentation at this place of the chain, 0 for the lowest.
        case modal(Int)
    }

    /// Every difference: first the tabs', then the presentations', each from the bottom up. Empty if the windows are equal.
    public static func between(expected: WindowState, actual: WindowState) -> [WindowDifference] {
        var differences: [WindowDifference] = []
        let tabs = (expected.tabs.map(\.id), actual.tabs.map(\.id))
        if tabs.0 != tabs.1 { differences.append(.tabs(expected: tabs.0, actual: tabs.1)) }
        if expected.selectedTab != actual.selectedTab {
            differences.append(.selectedTab(expected: expected.selectedTab, actual: actual.selectedTab))
        }
        for (index, tab) in expected.tabs.enumerated() {
            guard let stack = tabs.0 == tabs.1 ? actual.tabs[index].stack : actual.stack(of: tab.id) else { continue }
            differences += screens(.tab(tab.id), expected: tab.stack, actual: stack)
        }
        for index in 0..<max(expected.modals.count, actual.modals.count) {
            let modals = (expected.modals.element(index), actual.modals.element(index))
            if let one = modals.0, let other = modals.1, one.flow == other.flow, one.style == other.style {
                differences += screens(.modal(index), expected: one.stack, actual: other.stack)
            } else {
                differences.append(.modal(index, expected: modals.0, actual: modals.1))
            }
        }
        return differences
    }

    private static func screens(
        _ container: Container,
        expected: [Destination],
        actual: [Destination]
    ) -> [WindowDifference] {
        (0..<max(expected.count, actual.count)).compactMap { depth in
            let screens = (expected.element(depth), actual.element(depth))
            guard screens.0 != screens.1 else { return nil }
            return .screen(container, depth: depth, expected: screens.0, actual: screens.1)
        }
    }
}

extension WindowDifference: CustomStringConvertible {
    /// The difference in words: `tab home, depth 1: expected product(id: p1), found cart`.
    public var description: String {
        switch self {
        case .tabs(let expected, let actual):
            "tabs: expected \(expected.joined(separator: ", ")), found \(actual.joined(separator: ", "))"
        case .selectedTab(let expected, let actual): "selected tab: expected \(expected), found \(actual)"
        case .screen(let container, let depth, let expected, let actual):
            "\(container), depth \(depth): expected \(Self.words(expected)), found \(Self.words(actual))"
        case .modal(let index, let expected, let actual):
            "presentation \(index): expected \(Self.words(expected)), found \(Self.words(actual))"
        }
    }

    private static func words(_ thing: (some CustomStringConvertible)?) -> String {
        thing?.description ?? "nothing"
    }
}

extension WindowDifference.Container: CustomStringConvertible {
    /// The stack in words: `tab home`, `presentation 0`.
    public var description: String {
        switch self {
        case .tab(let tab): "tab \(tab)"
        case .modal(let index): "presentation \(index)"
        }
    }
}

extension Array {
    fileprivate func element(_ index: Int) -> Element? { indices.contains(index) ? self[index] : nil }
}
