/// A place in the app: how one gets there, how it is shown, what it takes.
public struct DestinationDeclaration: Hashable, Sendable {
    public var id: String
    public var parameters: [ParameterDeclaration]
    /// The destinations below this one, tab root first, without this one itself; empty for a tab's root.
    /// An ancestor's parameters are taken from this destination's parameters of the same names.
    public var ancestry: [String]
    public var presentation: Presentation
    /// The flow whose coordinator builds this screen; `nil` for the flow of the tab it stands in.
    public var flow: String?
    /// Whether an in-app request pushes it again over itself (product → product).
    public var repeats: Bool
    /// Preconditions in the order they are asked for; those of the ancestry come first.
    public var preconditions: [String]
    /// Conditions in the order they are checked, after the preconditions.
    public var conditions: [String]

    /// A destination.
    public init(
        id: String,
        parameters: [ParameterDeclaration] = [],
        ancestry: [String] = [],
        presentation: Presentation = .push,
        flow: String? = nil,
        repeats: Bool = false,
        preconditions: [String] = [],
        conditions: [String] = []
    ) {
        self.id = id
        self.parameters = parameters
        self.ancestry = ancestry
        self.presentation = presentation
        self.flow = flow
        self.repeats = repeats
        self.preconditions = preconditions
        self.conditions = conditions
    }

    /// How a destination comes on screen.
    public enum Presentation: Hashable, Sendable {
        /// It is the root of this tab.
        case tab(String)
        /// Pushed on the stack of its ancestry.
        case push
        /// Presented over its ancestry.
        case modal(ModalStyle)
    }
}

/// A parameter of a destination and what values it may have.
public struct ParameterDeclaration: Hashable, Sendable {
    public var name: String
    public var type: ParameterType
    public var isRequired: Bool
    /// The value of an optional parameter that was not given.
    public var defaultValue: String?
    /// Values by market or locale that go before ``defaultValue``; a market goes before a locale, a narrower locale
    /// before a wider one.
    public var variantDefaults: [String: String]

    /// A parameter.
    public init(
        name: String,
        type: ParameterType,
        isRequired: Bool = true,
        defaultValue: String? = nil,
        variantDefaults: [String: String] = [:]
    ) {
        self.name = name
        self.type = type
        self.isRequired = isRequired
        self.defaultValue = defaultValue
        self.variantDefaults = variantDefaults
    }
}

/// The values a parameter may have.
public indirect enum ParameterType: Hashable, Sendable {
    /// Any text of 1 to 1,024 bytes.
    case string
    /// A decimal integer of at most 64 bits within these bounds, both included.
    case integer(minimum: Int?, maximum: Int?)
    /// A UUID in its canonical form; upper case is normalised to lower case.
    case uuid
    /// One of these words.
    case oneOf([String])
    /// The whole value matches a bounded pattern.
    case pattern(String)
    /// One or more values of a type that is not itself a list. In a URL they are repeated query items; as one text
    /// they stand between commas, with `,` and `%` in a value written as `%2C` and `%25`.
    case list(of: ParameterType)
}
