/// A place in the app: what is below it, how it is shown, and what must hold for it.
public struct DestinationDeclaration: Hashable, Sendable {
    /// The destination's ID, unique in the manifest.
    public var id: String
    /// Its parameters, at most 64, with unique names.
    public var parameters: [ParameterDeclaration]
    /// The IDs of the destinations below this one, the tab's root first; at most 64, and none for a tab's root. An
    /// ancestor takes its parameters from this destination's parameters of the same names.
    public var ancestry: [String]
    /// Whether it has no ancestry of its own and is presented over whatever is shown, in any tab, in a flow, or over a root flow:
    /// `ancestry: current`. Closing it gives back what was there. It does not need the roots.
    public var isOverCurrent: Bool
    /// How it comes on screen.
    public var presentation: Presentation
    /// The flow whose coordinator builds the screen; `nil` for that of the tab it is in.
    public var flow: String?
    /// Whether a request from inside the app pushes it over itself, as from product to product.
    public var repeats: Bool
    /// The names of its preconditions in the order they are checked, at most 64; those of the ancestry come first.
    public var preconditions: [String]
    /// The names of its conditions in the order they are checked, at most 64; all preconditions come first.
    public var conditions: [String]
    /// Where who is led here is led instead while something holds, at most 64; the first that holds decides, once for each user
    /// (<doc:/SceneRuntime/WayOfAnEvent>). None for the root of a tab, the fallback, or what is a variant itself.
    public var variants: [VariantDeclaration]

    /// A destination; by default pushed.
    public init(
        id: String,
        parameters: [ParameterDeclaration] = [],
        ancestry: [String] = [],
        isOverCurrent: Bool = false,
        presentation: Presentation = .push,
        flow: String? = nil,
        repeats: Bool = false,
        preconditions: [String] = [],
        conditions: [String] = [],
        variants: [VariantDeclaration] = []
    ) {
        self.id = id
        self.parameters = parameters
        self.ancestry = ancestry
        self.isOverCurrent = isOverCurrent
        self.presentation = presentation
        self.flow = flow
        self.repeats = repeats
        self.preconditions = preconditions
        self.conditions = conditions
        self.variants = variants
    }

    /// How a destination comes on screen.
    public enum Presentation: Hashable, Sendable {
        /// It is the root of this tab.
        case tab(String)
        /// Pushed on the stack of its ancestry.
        case push
        /// Presented over its ancestry, or over whatever is shown.
        case modal(ModalStyle)
    }
}

/// Another destination to which somebody is led in place of one.
public struct VariantDeclaration: Hashable, Sendable {
    /// What has to hold. It looks at no parameter, because the choice is one for all of them, and not at a fresh sign-in.
    public var when: FactPredicate
    /// The ID of the destination. It takes its parameters from those of the same names.
    public var destination: String

    /// A variant.
    public init(when: FactPredicate, destination: String) {
        self.when = when
        self.destination = destination
    }
}

/// A parameter of a destination and what values it may have.
public struct ParameterDeclaration: Hashable, Sendable {
    /// The parameter's name.
    public var name: String
    /// The values it may have.
    public var type: ParameterType
    /// Whether a request without it is refused, unless there is a default.
    public var isRequired: Bool
    /// The value if none is given.
    public var defaultValue: String?
    /// Defaults by market or locale, which take precedence over ``defaultValue``: a market over a locale, a narrower
    /// locale over a wider one.
    public var variantDefaults: [String: String]
    /// Whether its values are shown nowhere (<doc:/SceneRuntime/Secrets>). One that is has no default.
    public var isSecret: Bool

    /// A parameter; by default required.
    public init(
        name: String,
        type: ParameterType,
        isRequired: Bool = true,
        defaultValue: String? = nil,
        variantDefaults: [String: String] = [:],
        isSecret: Bool = false
    ) {
        self.name = name
        self.type = type
        self.isSecret = isSecret
        self.isRequired = isRequired
        self.defaultValue = defaultValue
        self.variantDefaults = variantDefaults
    }
}

extension ParameterDeclaration {
    /// The default in this market and locale.
    func value(market: String?, locale: String?) -> String? {
        if let market, let value = variantDefaults[market] { return value }
        if let locale {
            let fitting = variantDefaults.keys.filter { Locales.includes($0, locale) }
            if let narrowest = fitting.max(by: { $0.utf8.count < $1.utf8.count }) { return variantDefaults[narrowest] }
        }
        return defaultValue
    }
}

extension [ParameterDeclaration] {
    /// Whether these values include all that are required and have no default.
    func areGiven(by values: [String: String]) -> Bool {
        allSatisfy { !$0.isRequired || $0.defaultValue != nil || values[$0.name] != nil }
    }
}

/// The values a parameter may have.
public indirect enum ParameterType: Hashable, Sendable {
    /// Any text of 1 to 1,024 bytes.
    case string
    /// A decimal integer of at most 64 bits within these bounds, both included.
    case integer(minimum: Int?, maximum: Int?)
    /// A UUID with hyphens; upper case becomes lower case.
    case uuid
    /// A time in UTC to the second, or a date for its beginning; becomes a text such as `2026-11-27T08:00:00Z`.
    case date
    /// One of these words, at most 4,096.
    case oneOf([String])
    /// A text that matches this regular expression as a whole. It has no anchors, references or look-around.
    case pattern(String)
    /// One or more values of a type that is not a list. In a URL they are repeated query items; as one text they stand
    /// between commas, with `,` and `%` in a value written as `%2C` and `%25`.
    case list(of: ParameterType)
}
