internal import SceneNavigation
internal import SceneRouting
package import SceneRuntime

/// What a window shows, in the words of a scenario: the selected tab's stack and what is presented over it, such as
/// `home > cart + auth: login`; or `disconnected`; or `gone`.
package enum ShownWindow: Hashable, Sendable {
    case window(stack: [String], modals: [Modal])
    case disconnected
    case gone

    package struct Modal: Hashable, Sendable {
        /// The flow it belongs to; empty for a presentation without one.
        package var flow: String
        package var stack: [String]
    }

    /// Reads the text without checking the names in it.
    package init(_ text: String) {
        let parts = text.split(separator: "+", omittingEmptySubsequences: false).map(String.init)
        switch text {
        case "disconnected": self = .disconnected
        case "gone": self = .gone
        default:
            self = .window(
                stack: Self.screens(parts[0]),
                modals: parts.dropFirst().map { part in
                    // Parameters of a screen may contain colons, but they are in parentheses.
                    guard let colon = part.prefix(while: { $0 != "(" }).firstIndex(of: ":") else {
                        return Modal(flow: "", stack: Self.screens(part))
                    }
                    return Modal(
                        flow: part[..<colon].filter { $0 != " " },
                        stack: Self.screens(String(part[part.index(after: colon)...]))
                    )
                }
            )
        }
    }

    /// What a window shows now; `nil` stands for a window that no longer exists.
    package init(_ status: SceneStatus?) {
        guard let status else {
            self = .gone
            return
        }
        guard status.isConnected else {
            self = .disconnected
            return
        }
        self = .window(
            stack: status.window.selectedStack.map(\.description),
            modals: status.window.modals.map { Modal(flow: $0.flow ?? "", stack: $0.stack.map(\.description)) }
        )
    }

    /// The screens it names, without their parameters, and the flows.
    package var names: (screens: [String], flows: [String]) {
        guard case .window(let stack, let modals) = self else { return ([], []) }
        let screens = (stack + modals.flatMap(\.stack)).map { String($0.prefix { $0 != "(" }) }
        return (screens, modals.map(\.flow).filter { !$0.isEmpty })
    }

    private static func screens(_ text: String) -> [String] {
        text.split(separator: ">", omittingEmptySubsequences: false).map { screen in
            screen.split(separator: " ").joined(separator: " ")
        }
    }
}

extension ShownWindow: CustomStringConvertible {
    package var description: String {
        switch self {
        case .disconnected: "disconnected"
        case .gone: "gone"
        case .window(let stack, let modals):
            ([stack.joined(separator: " > ")]
                + modals.map { ($0.flow.isEmpty ? "" : "\($0.flow): ") + $0.stack.joined(separator: " > ") })
                .joined(separator: " + ")
        }
    }
}
