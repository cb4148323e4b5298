/// Why a URL leads where it leads: every step that was tried, in order, and what became of it.
public struct RouteExplanation: Hashable, Sendable {
    /// One thing that was looked at.
    public struct Step: Hashable, Sendable {
        /// What a step looks at.
        public enum Kind: String, Hashable, Sendable, CaseIterable {
            /// The URL as text: whether it can be read.
            case url
            /// A rule of an association file, for http and https.
            case association
            /// A route.
            case route
            /// A parameter of the destination.
            case parameter
            case precondition
            case condition
        }

        public let kind: Kind
        /// What was looked at: a pattern, a rule as written, a name.
        public let subject: String
        /// Whether it fits, is allowed or holds.
        public let passed: Bool
        /// Why, as a phrase without full stop.
        public let reason: String

        /// A step.
        public init(kind: Kind, subject: String, passed: Bool, reason: String) {
            self.kind = kind
            self.subject = subject
            self.passed = passed
            self.reason = reason
        }
    }

    /// What it came to.
    public enum Outcome: Hashable, Sendable {
        case resolved(RouteResolution)
        case refused(RouteError)
    }

    public let url: String
    public let steps: [Step]
    /// How many routes were tried besides those in ``steps``, whose scheme or domain is another or that come after the
    /// first 256 whose path is another.
    public let omittedRoutes: Int
    /// What the app's associated domains say about the URL.
    public let association: AssociationDecision
    /// The route that took the URL, if one did.
    public let route: String?
    public let outcome: Outcome
}

extension RoutingEngine {
    /// Explains what ``resolve(url:context:)`` answers, step by step.
    public func explain(url: String, context: RoutingContext) -> RouteExplanation {
        var explainer = RouteExplainer(engine: self, url: url, context: context)
        return explainer.explain()
    }
}
