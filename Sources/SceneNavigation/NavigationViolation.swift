/// A rule of UIKit that an op would have broken. The window refuses the op and stays as it was.
public struct NavigationViolation: Error, Hashable, Sendable {
    public let rule: Rule
    /// What was attempted, for a person.
    public let detail: String

    /// The rules, each the reason for an exception or a silent failure in UIKit.
    public enum Rule: String, Hashable, Sendable, CaseIterable {
        /// A transition was begun while another was in progress.
        case transitionInProgress
        /// The tab does not exist.
        case noSuchTab
        /// A root cannot be popped, and a stack cannot be made empty.
        case popOfRoot
        /// A pop to a depth that the stack does not have.
        case noSuchDepth
        /// The same screen twice in a row, without being declared as repeating.
        case pushedTwice
        /// A presentation without screens, or a dismissal of what is not presented.
        case noSuchPresentation
    }
}

extension NavigationViolation: CustomStringConvertible {
    public var description: String { "\(rule.rawValue): \(detail)" }
}
