/// Why a URL leads where it leads: every step that was tried, in order, with its result.
package struct RouteExplanation: Hashable, Sendable {
    /// One thing that was looked at.
    package struct Step: Hashable, Sendable {
        /// What a step looks at.
        package enum Kind: String, Hashable, Sendable, CaseIterable {
            /// The URL as text: whether it can be read.
            case url
            /// A rule of an association file; only for http and https.
            case association
            /// A route.
            case route
            /// A parameter of the destination.
            case parameter
            /// A precondition of the destination or its ancestry.
            case precondition
            /// A condition of the destination or its ancestry.
            case condition
            /// A variant of the destination; after the one that is shown, what it needs.
            case variant
        }

        package let kind: Kind
        /// What was looked at: a URL, a pattern, a rule as written, a name.
        package let subject: String
        /// Whether it fits, is allowed or holds.
        package let passed: Bool
        /// Why, as a phrase without full stop.
        package let reason: String
    }

    /// The result of resolving the URL.
    package enum Outcome: Hashable, Sendable {
        case resolved(RouteResolution)
        case refused(RouteError)
    }

    package let url: String
    package let steps: [Step]
    /// How many routes were tried that ``steps`` does not list: those of another scheme or domain, and those beyond the
    /// first 256 whose path does not fit.
    package let omittedRoutes: Int
    /// What the app's associated domains say about the URL.
    package let association: AssociationDecision
    /// The pattern of the route that took the URL, if one did.
    package let route: String?
    package let outcome: Outcome
}
