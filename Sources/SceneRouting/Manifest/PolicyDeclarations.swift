/// Something a flow can bring about. While it does not hold, a destination that needs it is gated.
public struct PreconditionDeclaration: Hashable, Sendable {
    public var name: String
    public var holds: FactPredicate
    /// The flow that satisfies it.
    public var flow: String

    /// A precondition.
    public init(name: String, holds: FactPredicate, flow: String) {
        self.name = name
        self.holds = holds
        self.flow = flow
    }
}

/// Something no flow can bring about. While it does not hold, a destination that needs it is refused.
public struct ConditionDeclaration: Hashable, Sendable {
    public var name: String
    public var holds: FactPredicate
    /// What a person is told when it does not hold.
    public var reason: String

    /// A condition.
    public init(name: String, holds: FactPredicate, reason: String) {
        self.name = name
        self.holds = holds
        self.reason = reason
    }
}

/// A truth over the context and, for a condition of a destination, over its parameters.
public indirect enum FactPredicate: Hashable, Sendable {
    case always
    /// Somebody is signed in.
    case signedIn
    /// The fact has a value that is not empty.
    case present(fact: String)
    case compare(fact: String, Comparison, Operand)
    /// The list fact contains the operand.
    case contains(fact: String, Operand)
    /// The fact's value is one of these.
    case oneOf(fact: String, [FactValue])
    /// The app's version compared by its dot-separated numbers.
    case appVersion(Comparison, String)
    /// The time is within this period; seconds since 1970, from included, until excluded.
    case period(from: Double?, until: Double?)
    case all([FactPredicate])
    case any([FactPredicate])
    case not(FactPredicate)

    /// How two values are compared; values of different types are never equal and never ordered.
    public enum Comparison: String, Hashable, Sendable, CaseIterable {
        case equal, notEqual, less, lessOrEqual, greater, greaterOrEqual
    }

    /// The other side of a comparison.
    public enum Operand: Hashable, Sendable {
        case value(FactValue)
        /// A parameter of the destination.
        case parameter(String)
    }
}

/// A fact of the session.
public struct FactDeclaration: Hashable, Sendable {
    public var name: String
    public var type: FactType
    public var scope: Scope
    public var defaultValue: FactValue?

    /// A fact.
    public init(name: String, type: FactType, scope: Scope = .user, defaultValue: FactValue? = nil) {
        self.name = name
        self.type = type
        self.scope = scope
        self.defaultValue = defaultValue
    }

    /// What becomes of a fact when the user leaves.
    public enum Scope: String, Hashable, Sendable, CaseIterable {
        /// Reset in the commit by which the user leaves.
        case user
        /// Stays.
        case app
    }

    /// The type a fact's values have.
    public enum FactType: String, Hashable, Sendable, CaseIterable {
        case string, integer, number, boolean, strings
    }
}

/// What the app decides about events that meet a parked intent, and its bounds.
public struct Policies: Hashable, Sendable {
    /// What a newer external event that navigates does to a parked intent (<doc:/SceneRuntime/TheSession>).
    public var whileGated: WhileGated
    /// How many scenes may exist at once; 1 for an app without multiple windows.
    public var maximumScenes: Int

    /// Policies; the defaults are those of the contract.
    public init(whileGated: WhileGated = .supersede, maximumScenes: Int = 64) {
        self.whileGated = whileGated
        self.maximumScenes = maximumScenes
    }

    /// See ``Policies/whileGated``.
    public enum WhileGated: String, Hashable, Sendable, CaseIterable {
        case supersede, queue, reject
    }
}
