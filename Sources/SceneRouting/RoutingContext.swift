internal import Basics

/// Everything besides the request that a decision depends on, so that the same request and context give the same decision.
public struct RoutingContext: Hashable, Sendable {
    /// Who is signed in, if anybody.
    public var user: String?
    /// Whether the sign-in is stale: what asks for a fresh one does not hold.
    public var isStale: Bool
    /// The session's facts by name; an absent fact has its declared default.
    public var facts: [String: FactValue]
    /// The app's version, as 1 to 8 numbers between dots. Without one, no predicate about the version holds.
    public var appVersion: String?
    /// Seconds since 1970-01-01T00:00:00Z, to which validity periods are compared.
    public var time: Double
    /// For each destination that has variants and has been shown to the user, which was chosen: a variant's ID or the destination's
    /// own. One that is no longer declared does not count.
    public var choices: [String: String]
    /// Whether it is a decision for a window that is locked.
    package var isLocked = false

    /// A context. Market and locale are given as the reserved facts `market` and `locale`.
    public init(
        user: String? = nil,
        isStale: Bool = false,
        facts: [String: FactValue] = [:],
        appVersion: String? = nil,
        time: Double = 0,
        choices: [String: String] = [:]
    ) {
        self.user = user
        self.isStale = isStale
        self.facts = facts
        self.appVersion = appVersion
        self.time = time
        self.choices = choices
    }

    /// The reserved fact `market`; `nil` if it is absent or empty.
    public var market: String? { string("market") }

    /// The reserved fact `locale`; `nil` if it is absent or empty.
    public var locale: String? { string("locale") }

    /// The context by which a window keeps what it shows: a stale sign-in counts as fresh
    /// (S10 of <doc:/SceneRuntime/TheSession>).
    package var forWhatIsShown: RoutingContext {
        guard isStale else { return self }
        var context = self
        context.isStale = false
        return context
    }

    private func string(_ fact: String) -> String? {
        guard case .string(let value) = facts[fact], !value.isEmpty else { return nil }
        return value
    }
}

/// The value of a session fact.
public enum FactValue: Hashable, Codable, Sendable {
    /// A text.
    case string(String)
    /// An integer.
    case integer(Int)
    /// A number with a fraction.
    case number(Double)
    /// A truth value.
    case boolean(Bool)
    /// A list of texts, such as the product IDs in the cart.
    case strings([String])
}

extension FactValue {
    /// The value as the text of a parameter; the elements of a list stand between commas.
    package var parameterText: String {
        switch self {
        case .string(let text): text
        case .integer(let integer): String(integer)
        case .number(let number): String(number)
        case .boolean(let boolean): String(boolean)
        case .strings(let list): list.joined(separator: ",")
        }
    }

    /// Whether both have the same type and value. Texts are compared by their bytes.
    public static func == (one: FactValue, other: FactValue) -> Bool {
        switch (one, other) {
        case (.string(let one), .string(let other)): one.hasSameBytes(as: other)
        case (.integer(let one), .integer(let other)): one == other
        case (.number(let one), .number(let other)): one == other
        case (.boolean(let one), .boolean(let other)): one == other
        case (.strings(let one), .strings(let other)): one.elementsEqual(other) { $0.hasSameBytes(as: $1) }
        default: false
        }
    }

    /// Hashes the value.
    public func hash(into hasher: inout Hasher) {
        switch self {
        case .string(let text): text.hashBytes(into: &hasher)
        case .integer(let integer): hasher.combine(integer)
        case .number(let number): hasher.combine(number)
        case .boolean(let boolean): hasher.combine(boolean)
        case .strings(let texts): for text in texts { text.hashBytes(into: &hasher) }
        }
    }
}
