// A reader of these types needs the vocabulary too.
internal import Basics
@_exported public import SceneVocabulary

/// The engine's answer to a request: a decision as data, which others carry out.
public enum RouteResolution: Hashable, Sendable {
    /// Every precondition and every condition holds: this can be shown.
    case proceed(Target)
    /// The first precondition, in order, that does not hold. Once its flow has satisfied it, `resume` is resolved anew.
    /// Not an error. `parameters` are the values that it looks at, of the destination that declares it.
    case gated(precondition: String, parameters: [String: String] = [:], resume: RouteRequest)
}

/// What a window shows once it has arrived.
public enum Target: Hashable, Sendable {
    /// The declared ancestry of a destination and the destination itself: the ID of the selected tab; the tab's push stack, root
    /// first and never empty; and the presentations over it, bottom first, usually none.
    case placed(tab: String, path: [Destination], modals: [ModalState] = [])
    /// A presentation over whatever is shown.
    case overCurrent(ModalState)
}

/// Why an input leads to no destination. A missing sign-in is not among the reasons: it gates.
public enum RouteError: Error, Hashable, Sendable {
    /// The input cannot be read at all. `reason` says what is wrong and what would be right.
    case malformed(reason: String)
    /// The input can be read, but no route of the app takes it.
    case unknownRoute(url: String)
    /// A value is not allowed, or a condition does not hold. `parameter` names the parameter or the condition.
    case validationFailed(parameter: String, reason: String)
}

extension RouteError: CustomStringConvertible {
    /// One line: `no route takes https://shop.example/nowhere`, `section: 'x' is not one of 'profile', 'privacy'`.
    public var description: String {
        switch self {
        case .malformed(let reason): "malformed: \(reason)"
        case .unknownRoute(let url): "no route takes \(url.echoed)"
        case .validationFailed(let parameter, let reason): "\(parameter): \(reason)"
        }
    }
}

/// Whether a destination may be shown, judged by its own preconditions and conditions without those of its ancestry.
public enum DestinationVerdict: Hashable, Sendable {
    /// All of them hold.
    case allowed
    /// The first precondition that does not hold.
    case gated(precondition: String)
    /// The first condition that does not hold, and the reason the manifest gives.
    case refused(condition: String, reason: String)
    /// The manifest does not declare the destination, or does not allow these parameters.
    case unknown(reason: String)
}

/// Whether a URL belongs to an app, according to the association file of its domain.
public enum AssociationDecision: Hashable, Sendable {
    /// It opens the app; `domain` is the associated domain whose file says so.
    case match(domain: String)
    /// A rule, given as written, says that it does not.
    case exclude(component: String)
    /// No rule fits, or the host is not an associated domain.
    case noMatch
}
