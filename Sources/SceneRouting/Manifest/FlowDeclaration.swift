/// A unit of screens that starts, is walked through and ends with a result.
public struct FlowDeclaration: Hashable, Sendable {
    public var name: String
    public var style: ModalStyle
    /// The flow's own screens; the first is where it starts.
    public var screens: [FlowScreen]
    public var intents: [IntentDeclaration]
    /// Whether completing it must name the user who signed in.
    public var completionNeedsUser: Bool
    /// What completing it does besides: facts to set, then a destination to go to inside the app.
    public var completion: [IntentEffect]

    /// A flow.
    public init(
        name: String,
        style: ModalStyle = .sheet,
        screens: [FlowScreen],
        intents: [IntentDeclaration] = [],
        completionNeedsUser: Bool = false,
        completion: [IntentEffect] = []
    ) {
        self.name = name
        self.style = style
        self.screens = screens
        self.intents = intents
        self.completionNeedsUser = completionNeedsUser
        self.completion = completion
    }
}

/// A screen of a flow.
public struct FlowScreen: Hashable, Sendable {
    /// The screen's destination ID, either a declared destination or a name of the flow's own.
    public var id: String
    /// Whether a person cannot go back from it.
    public var hidesBack: Bool

    /// A screen.
    public init(id: String, hidesBack: Bool = false) {
        self.id = id
        self.hidesBack = hidesBack
    }
}

/// Something a screen reports, and what the app makes of it.
public struct IntentDeclaration: Hashable, Sendable {
    public var name: String
    public var parameters: [ParameterDeclaration]
    /// The screens that may report it; empty for any.
    public var screens: [String]
    public var effects: [IntentEffect]

    /// An intent.
    public init(
        name: String,
        parameters: [ParameterDeclaration] = [],
        screens: [String] = [],
        effects: [IntentEffect]
    ) {
        self.name = name
        self.parameters = parameters
        self.screens = screens
        self.effects = effects
    }
}

/// One thing an intent or a completed flow does. Session effects are committed once, before navigation.
public enum IntentEffect: Hashable, Sendable {
    /// Goes to a destination by the same policy as every other door.
    case route(destination: String, parameters: [String: ValueSource])
    /// Sets a fact.
    case set(fact: String, ValueSource)
    /// Appends to a list fact, unless it is there already.
    case append(fact: String, ValueSource)
    /// Resets a fact to its default.
    case reset(fact: String)
    case signOut
    /// Within the flow: pushes a screen of the flow.
    case push(screen: String)
    /// Within the flow: replaces the topmost screen.
    case replace(screen: String)
    /// Within the flow: one screen back.
    case back
    /// Ends the flow as completed; `user` says which parameter names who signed in.
    case complete(user: String?)
    /// Ends the flow as cancelled.
    case cancel
}

/// Where a value comes from.
public enum ValueSource: Hashable, Sendable {
    case literal(FactValue)
    /// A parameter of the intent.
    case parameter(String)
    /// A fact that was reported with the completion, or stands in the session.
    case fact(String)
}
