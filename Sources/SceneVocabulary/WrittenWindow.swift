/// A window in the one notation in which people write and read windows (<doc:/SceneRuntime/WindowNotation>): what is in front, such as
/// `home › cart › auth[login]`; or every tab, such as `*home: home › cart › sheet auth[login] | orders: orders`; or
/// `disconnected`; or `gone`.
package enum WrittenWindow: Hashable, Sendable {
    /// A window that shows something.
    case window(WindowText)
    /// A scene whose window was taken away.
    case disconnected
    /// A scene that no longer exists.
    case gone
}

/// What a window shows, or what of it a person has written down.
package struct WindowText: Hashable, Sendable {
    /// A tab and its push stack.
    package struct Tab: Hashable, Sendable {
        /// The tab's name; `nil` if the text says only what is in front.
        package var id: String?
        /// Root first.
        package var stack: [Destination]
    }

    /// A presentation and its push stack.
    package struct Presentation: Hashable, Sendable {
        /// The style; `nil` if the text does not say.
        package var style: ModalStyle?
        /// The flow that owns it, if any.
        package var flow: String?
        /// Root first.
        package var stack: [Destination]

        package init(style: ModalStyle? = nil, flow: String?, stack: [Destination]) {
            self.style = style
            self.flow = flow
            self.stack = stack
        }
    }

    /// The tabs in the order shown; a single one without a name if the text says only what is in front.
    package private(set) var tabs: [Tab]
    /// The place in `tabs` of the tab in front.
    package private(set) var selected: Int
    /// The presentations, bottom first.
    package private(set) var presentations: [Presentation]

    /// What is in front: a stack and the presentations over it.
    package init(stack: [Destination], presentations: [Presentation]) {
        tabs = [Tab(id: nil, stack: stack)]
        selected = 0
        self.presentations = presentations
    }

    /// Everything that a window shows.
    package init(_ window: WindowState) {
        self.init(
            tabs: window.tabs,
            selectedTab: window.selectedTab,
            presentations: window.modals.map { Presentation(style: $0.style, flow: $0.flow, stack: $0.stack) }
        )
    }

    /// Every tab of a window, and the presentations over the selected one.
    package init(tabs: [TabState], selectedTab: String, presentations: [Presentation]) {
        self.init(
            tabs: tabs.map { Tab(id: $0.id, stack: $0.stack) },
            selected: tabs.firstIndex { $0.id == selectedTab } ?? 0,
            presentations: presentations
        )
    }

    /// What is in front, without the styles of presentations: the text of a line in which a window is one thing among others.
    package var front: WindowText {
        WindowText(
            stack: tabs.indices.contains(selected) ? tabs[selected].stack : [],
            presentations: presentations.map { Presentation(flow: $0.flow, stack: $0.stack) }
        )
    }

    /// - Parameter selected: The place in `tabs` of the tab in front; there is one.
    init(tabs: [Tab], selected: Int, presentations: [Presentation]) {
        self.tabs = tabs
        self.selected = selected
        self.presentations = presentations
    }

    /// Everything that it shows, in whichever tab.
    package var destinations: [Destination] { tabs.flatMap(\.stack) + presentations.flatMap(\.stack) }

    /// The same with each screen as `transform` has it.
    package func mapScreens(_ transform: (Destination) -> Destination) -> WindowText {
        var text = self
        for index in text.tabs.indices { text.tabs[index].stack = text.tabs[index].stack.map(transform) }
        for index in text.presentations.indices {
            text.presentations[index].stack = text.presentations[index].stack.map(transform)
        }
        return text
    }

    /// Whether the text names every tab, not only what is in front.
    package var isWhole: Bool { tabs.first?.id != nil }

    /// Whether everything that the text says is so. What it leaves out, tabs that are not in front and styles, may be anything.
    /// - Parameter whole: Everything that a window shows.
    package func describes(_ whole: WindowText) -> Bool {
        let isFront = isWhole ? tabs == whole.tabs && selected == whole.selected : front.tabs == whole.front.tabs
        guard isFront, presentations.count == whole.presentations.count else { return false }
        return zip(presentations, whole.presentations).allSatisfy { said, shown in
            said.flow == shown.flow && said.stack == shown.stack && (said.style == nil || said.style == shown.style)
        }
    }
}

extension WrittenWindow: CustomStringConvertible {
    /// The window in the notation, which ``init(parsing:)`` reads.
    package var description: String {
        switch self {
        case .window(let text): text.description
        case .disconnected: "disconnected"
        case .gone: "gone"
        }
    }
}

extension WindowText: CustomStringConvertible {
    /// The window in the notation.
    package var description: String {
        tabs.enumerated().map { place, tab in
            let parts = tab.stack.map(\.description) + (place == selected ? presentations.map(\.description) : [])
            let text = parts.joined(separator: " › ")
            return tab.id.map { "\(place == selected ? "*" : "")\(WindowNotation.name($0)): \(text)" } ?? text
        }.joined(separator: " | ")
    }
}

extension WindowText.Presentation: CustomStringConvertible {
    /// The style if it is said, the flow if there is one, and the stack in brackets: `auth[login › code]`, `alert [failed]`.
    package var description: String {
        (style.map { "\($0.rawValue) " } ?? "") + (flow.map(WindowNotation.name) ?? "")
            + "[\(WindowNotation.stack(stack))]"
    }
}

/// The rules that windows and destinations are written by.
enum WindowNotation {
    /// A push stack, root first.
    static func stack(_ stack: [Destination]) -> String { stack.map(\.description).joined(separator: " › ") }

    /// A name, in quotes if it has a sign of the notation.
    static func name(_ name: String) -> String {
        isBare(name, besides: nameSigns) && !name.utf8.contains(UInt8(ascii: " ")) && name != "disconnected"
            && name != "gone"
            ? name : quoted(name)
    }

    /// A parameter's value, in quotes if it could be taken for something else.
    static func value(_ value: String) -> String {
        isBare(value, besides: valueSigns) && value.first != " " && value.last != " " ? value : quoted(value)
    }

    /// The signs that end a name.
    static let nameSigns = Set<Unicode.Scalar>(["(", ")", "[", "]", "›", ">", ",", ":", "|", "\"", "+", "*", "\\"])
    /// The signs that end a value.
    static let valueSigns = Set<Unicode.Scalar>(["(", ")", "[", "]", "›", ">", ",", "|", "\"", "\\"])

    private static func isBare(_ text: String, besides signs: Set<Unicode.Scalar>) -> Bool {
        !text.isEmpty && !text.unicodeScalars.contains { signs.contains($0) || isEscaped($0) }
    }

    /// Control characters and separators of lines.
    private static func isEscaped(_ scalar: Unicode.Scalar) -> Bool {
        switch scalar.value {
        case 0..<0x20, 0x7F...0x9F, 0x2028, 0x2029: true
        default: false
        }
    }

    private static func quoted(_ text: String) -> String {
        var quoted = "\""
        for scalar in text.unicodeScalars {
            switch scalar {
            case "\"", "\\": quoted += "\\\(scalar)"
            case let scalar where isEscaped(scalar):
                quoted += "\\u{\(String(scalar.value, radix: 16, uppercase: true))}"
            default: quoted.unicodeScalars.append(scalar)
            }
        }
        return quoted + "\""
    }
}
