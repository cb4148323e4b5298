/// Everything a decision may depend on besides the request: one immutable view, so that a decision can be repeated.
public struct RoutingContext: Hashable, Sendable {
    /// Who is signed in, if anybody.
    public var user: String?
    /// The session's facts by name; a fact that is absent has its declared default.
    public var facts: [String: FactValue]
    /// The app's version, compared by its dot-separated numbers; absent where nothing depends on it.
    public var appVersion: String?
    /// Seconds since 1970-01-01T00:00:00Z, for validity periods.
    public var time: Double

    /// A context; market and locale are the reserved facts `market` and `locale`.
    public init(user: String? = nil, facts: [String: FactValue] = [:], appVersion: String? = nil, time: Double = 0) {
        self.user = user
        self.facts = facts
        self.appVersion = appVersion
        self.time = time
    }

    /// The reserved fact `market`.
    public var market: String? { string("market") }

    /// The reserved fact `locale`.
    public var locale: String? { string("locale") }

    private func string(_ fact: String) -> String? {
        guard case .string(let value) = facts[fact], !value.isEmpty else { return nil }
        return value
    }
}
