public import SceneRouting

/// One way in which a window is not the one expected, in words that say where.
public enum WindowDifference: Hashable, Sendable {
    /// Other tabs, or the same in another order.
    case tabs(expected: [String], actual: [String])
    case selectedTab(expected: String, actual: String)
    /// Another screen at this depth of a stack, 0 at its root; `nil` where the stack has none.
    case screen(Container, depth: Int, expected: Destination?, actual: Destination?)
    /// Another presentation at this place of the chain, 0 at the bottom; `nil` where the chain has none. Presentations of
    /// one flow in one style differ by their screens alone.
    case modal(Int, expected: ModalState?, actual: ModalState?)

    /// Which stack.
    public enum Container: Hashable, Sendable {
        case tab(String)
        case modal(Int)
    }

    /// Every difference, the tabs' before the presentations', from the bottom up; empty exactly when the windows are equal.
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
    /// `tab home, depth 1: expected product(id: p1), found cart`.
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
