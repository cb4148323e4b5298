/// Something that a flow can bring about. While it does not hold, a destination that needs it is gated.
public struct PreconditionDeclaration: Hashable, Sendable {
    /// The precondition's name, unique in the manifest.
    public var name: String
    /// When it holds. The predicate may look at parameters that every destination has which needs it.
    public var holds: FactPredicate
    /// The name of the flow that satisfies it; empty if none does.
    public var flow: String

    /// A precondition that `flow` satisfies.
    public init(name: String, holds: FactPredicate, flow: String) {
        self.name = name
        self.holds = holds
        self.flow = flow
    }
}

/// Something that no flow can bring about. While it does not hold, a destination that needs it is refused.
public struct ConditionDeclaration: Hashable, Sendable {
    /// The condition's name, unique in the manifest.
    public var name: String
    /// When it holds. The predicate can look at the destination's parameters.
    public var holds: FactPredicate
    /// The reason, for people, that a request is refused with.
    public var reason: String

    /// A condition; `reason` tells people why a request is refused.
    public init(name: String, holds: FactPredicate, reason: String) {
        self.name = name
        self.holds = holds
        self.reason = reason
    }
}

/// A predicate on the context and, in a destination's condition, on the destination's parameters; with an intent's effect, on
/// those of the intent.
public indirect enum FactPredicate: Hashable, Sendable {
    /// Holds always.
    case always
    /// Somebody is signed in.
    case signedIn
    /// Somebody is signed in, and the sign-in is not stale. Only a precondition can ask for it, and not under ``not(_:)``.
    case freshSignIn
    /// The fact has a value that is not empty.
    case present(fact: String)
    /// The fact's value compares with the operand in this way.
    case compare(fact: String, Comparison, Operand)
    /// The list fact contains the operand.
    case contains(fact: String, Operand)
    /// The fact's value is one of these.
    case oneOf(fact: String, [FactValue])
    /// The app's version compares in this way with another, number by number.
    case appVersion(Comparison, String)
    /// The time is in this period: `from` included, `until` excluded, `nil` without limit. It is in no period of which an end has no
    /// date.
    case period(from: Moment?, until: Moment?)
    /// All of these hold.
    case all([FactPredicate])
    /// At least one of these holds.
    case any([FactPredicate])
    /// This does not hold.
    case not(FactPredicate)

    /// A relation of two values. Integers and numbers compare by value; for values of other different types, and for absent
    /// ones, only ``notEqual`` holds.
    public enum Comparison: String, Hashable, Sendable, CaseIterable {
        /// The relation of this name.
        case equal, notEqual, less, lessOrEqual, greater, greaterOrEqual
    }

    /// The other side of a comparison.
    public enum Operand: Hashable, Sendable {
        /// This value.
        case value(FactValue)
        /// The parameter of this name, of the destination or of the intent.
        case parameter(String)
    }

    /// An end of a period.
    public enum Moment: Hashable, Sendable {
        /// This time, in seconds since 1970.
        case date(Double)
        /// So long after the date that the fact has, or before it if negative; no date without one.
        case fact(String, offset: Duration)
        /// So long after the date that the parameter has, of the destination or of the intent; no date without one.
        case parameter(String, offset: Duration)
    }
}

/// A fact that the session keeps.
public struct FactDeclaration: Hashable, Sendable {
    /// The fact's name, unique in the manifest. `market` and `locale` are reserved for these.
    public var name: String
    /// The type of its values.
    public var type: FactType
    /// What becomes of it when the user leaves.
    public var scope: Scope
    /// Its value until one is set; absent without.
    public var defaultValue: FactValue?
    /// Whether its values are shown nowhere (<doc:/SceneRuntime/Secrets>). One that is has texts as values and no default.
    public var isSecret: Bool

    /// A fact; by default the user's.
    public init(
        name: String,
        type: FactType,
        scope: Scope = .user,
        defaultValue: FactValue? = nil,
        isSecret: Bool = false
    ) {
        self.name = name
        self.type = type
        self.scope = scope
        self.defaultValue = defaultValue
        self.isSecret = isSecret
    }

    /// What becomes of a fact when the user leaves.
    public enum Scope: String, Hashable, Sendable, CaseIterable {
        /// It is reset in the commit by which the user leaves.
        case user
        /// It stays.
        case app
    }

    /// The type of a fact's values.
    public enum FactType: String, Hashable, Sendable, CaseIterable {
        /// The values of the case of ``FactValue`` with the same name; a number can be an integer too.
        case string, integer, number, boolean, strings
        /// A text that is a time in UTC to the second, always written like `2026-11-27T08:00:00Z`, so that the order of texts is
        /// that of times.
        case date
    }
}

/// The choices that the contract leaves to the app.
public struct Policies: Hashable, Sendable {
    /// What happens when an external event that navigates meets a parked intent (<doc:/SceneRuntime/TheSession>).
    public var whileGated: WhileGated
    /// How many scenes may exist at once, from 1 to 65,536; 1 for an app without multiple windows.
    public var maximumScenes: Int
    /// How many screens a stack may have, and a window presentations over each other, from 1 to 1,000.
    public var maximumStackDepth: Int

    /// Policies, by default those of the contract.
    public init(
        whileGated: WhileGated = .supersede,
        maximumScenes: Int = 64,
        maximumStackDepth: Int = Self.usualStackDepth
    ) {
        self.whileGated = whileGated
        self.maximumScenes = maximumScenes
        self.maximumStackDepth = maximumStackDepth
    }

    /// The ``maximumStackDepth`` of an app that says nothing about it.
    public static let usualStackDepth = 100

    /// What happens when an external event that navigates meets a parked intent.
    public enum WhileGated: String, Hashable, Sendable, CaseIterable {
        /// The event takes the intent's place.
        case supersede
        /// The event is parked behind the intent.
        case queue
        /// The event is rejected.
        case reject
    }
}
