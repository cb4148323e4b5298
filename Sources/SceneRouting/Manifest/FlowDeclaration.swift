/// A sequence of screens with a start, steps between them, and a result at the end.
public struct FlowDeclaration: Hashable, Sendable {
    /// The flow's name, unique in the manifest.
    public var name: String
    /// How it is presented.
    public var style: ModalStyle
    /// The flow's own screens, at least one; it starts with the first unless ``start`` says otherwise.
    public var screens: [FlowScreen]
    /// With which screens it starts by what holds then: the first whose predicate does counts.
    public var start: [FlowStart]
    /// The intents that its screens may report.
    public var intents: [IntentDeclaration]
    /// Whether a completion must name the user who signed in.
    public var completionNeedsUser: Bool
    /// The further effects of a completion: facts to set, then a destination inside the app to go to.
    public var completion: [IntentEffect]
    /// What a completion hands to the flow that started this one.
    public var result: [ParameterDeclaration]
    /// What follows when a flow ends that this one has started.
    public var after: [FlowSequel]

    /// A flow; by default a sheet.
    public init(
        name: String,
        style: ModalStyle = .sheet,
        screens: [FlowScreen],
        start: [FlowStart] = [],
        intents: [IntentDeclaration] = [],
        completionNeedsUser: Bool = false,
        completion: [IntentEffect] = [],
        result: [ParameterDeclaration] = [],
        after: [FlowSequel] = []
    ) {
        self.name = name
        self.style = style
        self.screens = screens
        self.start = start
        self.intents = intents
        self.completionNeedsUser = completionNeedsUser
        self.completion = completion
        self.result = result
        self.after = after
    }

    /// Everything that it may do.
    package var effects: [IntentEffect] {
        intents.flatMap(\.effects) + completion + after.flatMap { $0.completed + $0.cancelled }
    }

    /// The screens with which it may start.
    package var startingScreens: [String] { screens.prefix(1).map(\.id) + start.map(\.screen) }
}

/// What follows in a flow when another flow ends that it has started.
public struct FlowSequel: Hashable, Sendable {
    /// The flow that was started.
    public var flow: String
    /// The effects of its completion, which may take the values of its result.
    public var completed: [IntentEffect]
    /// The effects if it is cancelled.
    public var cancelled: [IntentEffect]

    /// What follows; by default nothing.
    public init(flow: String, completed: [IntentEffect] = [], cancelled: [IntentEffect] = []) {
        self.flow = flow
        self.completed = completed
        self.cancelled = cancelled
    }
}

/// A screen of a flow.
public struct FlowScreen: Hashable, Sendable {
    /// The screen's ID: that of a declared destination, or a name that only the flow uses.
    public var id: String
    /// Whether the screen has no way back.
    public var hidesBack: Bool
    /// The parameters of a screen that only the flow uses; a destination declares its own. An effect that shows the screen gives
    /// them. If the flow starts with it, those by the same names are handed on that another flow starts it with, or that what waits
    /// for the flow has.
    public var parameters: [ParameterDeclaration]

    /// A screen; by default with a way back and without parameters.
    public init(id: String, hidesBack: Bool = false, parameters: [ParameterDeclaration] = []) {
        self.id = id
        self.hidesBack = hidesBack
        self.parameters = parameters
    }
}

/// A screen with which a flow starts while something holds.
public struct FlowStart: Hashable, Sendable {
    /// What has to hold when the flow is shown. It cannot look at parameters.
    public var when: FactPredicate
    /// The ID of one of the flow's screens.
    public var screen: String

    /// A start with `screen` while `when` holds.
    public init(when: FactPredicate, screen: String) {
        self.when = when
        self.screen = screen
    }
}

/// Something that a screen reports, and its effects.
public struct IntentDeclaration: Hashable, Sendable {
    /// The intent's name, unique in its flow, or among those of the app.
    public var name: String
    /// The parameters it is reported with.
    public var parameters: [ParameterDeclaration]
    /// The IDs of the screens that may report it; none means any screen.
    public var screens: [String]
    /// Its effects, in order.
    public var effects: [IntentEffect]

    /// An intent; by default any screen may report it.
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

/// One effect of an intent or of a completed flow. Those on the session are committed together, before any navigation.
///
/// Each takes its values from the facts as those before it leave them.
public indirect enum IntentEffect: Hashable, Sendable {
    /// Goes to a destination, by the same policy as any other request.
    case route(destination: String, parameters: [String: ValueSource])
    /// Sets a fact.
    case set(fact: String, ValueSource)
    /// Appends a text to a list fact unless the list has it already.
    case append(fact: String, ValueSource)
    /// Removes a text from a list fact; changes nothing if the list does not have it.
    case remove(fact: String, ValueSource)
    /// Adds an integer, which may be negative, to a fact that is an integer or a number; one without a value counts as 0. A sum
    /// that an integer cannot have is refused, and everything with it.
    case add(fact: String, ValueSource)
    /// Resets a fact to its default.
    case reset(fact: String)
    /// Signs the user out.
    case signOut
    /// Makes the sign-in stale.
    case markStale
    /// Pushes a screen of the intent's flow.
    case push(screen: String, parameters: [String: ValueSource] = [:], animated: Bool = true)
    /// Replaces the topmost screen of the intent's flow by another screen of it.
    case replace(screen: String, parameters: [String: ValueSource] = [:], animated: Bool = true)
    /// Pops this many screens of the intent's flow, at least 1. The flow's first screen stays.
    case pop(count: Int = 1, animated: Bool = true)
    /// Pops to a screen of the intent's flow: the topmost of this ID below the one on top.
    case popTo(screen: String, animated: Bool = true)
    /// Pops to the flow's first screen.
    case popToRoot(animated: Bool = true)
    /// Starts another flow, presented over the intent's.
    case start(flow: String, parameters: [String: ValueSource] = [:], animated: Bool = true)
    /// Ends the flow as completed. `user` is the name of the parameter that says who signed in; `result` is what it hands to the flow
    /// that started it.
    case complete(user: String?, result: [String: ValueSource] = [:])
    /// Ends the flow as cancelled.
    case cancel
    /// Answers whoever sent the intent with these values; only an intent can. Of several answers a later value counts.
    case answer([String: ValueSource])
    /// Asks for a new window that shows a destination, in a configuration of the manifest, or in the first.
    case openWindow(destination: String, parameters: [String: ValueSource] = [:], configuration: String? = nil)
    /// Closes the window in which the intent was reported, once everything else has been done.
    case closeWindow
    /// Closes the windows that are for a destination.
    case closeWindows(destination: String, parameters: [String: ValueSource] = [:])
    /// Has the window in which the intent was reported judged again.
    case refreshWindow
    /// Has the windows that are for a destination judged again.
    case refreshWindows(destination: String, parameters: [String: ValueSource] = [:])
    /// Does this only if a predicate holds when the intent is taken, or, in a completion, when the flow has reported its end. It
    /// is judged by the session as the effects before it leave it, and may look at the intent's parameters.
    case when(FactPredicate, IntentEffect)

    /// What it does if all its conditions hold.
    package var unconditional: IntentEffect {
        if case .when(_, let effect) = self { effect.unconditional } else { self }
    }

    /// Its conditions, the outermost first.
    var conditions: [FactPredicate] {
        var (conditions, effect): ([FactPredicate], _) = ([], self)
        while case .when(let condition, let inner) = effect {
            conditions.append(condition)
            effect = inner
        }
        return conditions
    }
}

/// Where an effect takes a value from.
public enum ValueSource: Hashable, Sendable {
    /// This value.
    case literal(FactValue)
    /// The intent's parameter of this name, or the value of this name of the result of the flow that has ended.
    case parameter(String)
    /// The fact of this name, as the effects before leave it: as reported with the completion, otherwise as in the session.
    case fact(String)
}
