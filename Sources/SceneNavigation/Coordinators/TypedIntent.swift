public import SceneRouting

/// The intents of an app, or of one of its flows, as a type whose cases have typed parameters. `scenectl app swift` writes one from a
/// manifest (<doc:/SceneDaemon/TypedRoutes>).
public protocol TypedIntent: Hashable, Sendable {
    /// The typed form of an intent.
    /// - Throws: `TypedValueError` if there is no such case, or a parameter is missing or not of its type.
    init(of intent: Intent) throws(TypedValueError)

    /// The intent itself.
    var intent: Intent { get }
}

extension TypedIntent {
    /// The typed form of an intent; `nil` if there is no such case, or a parameter is missing or not of its type.
    public init?(_ intent: Intent) {
        do throws(TypedValueError) { try self.init(of: intent) } catch { return nil }
    }
}

extension FlowCommand {
    /// Goes to a destination of the app.
    public static func route(_ destination: some TypedDestination) -> FlowCommand { .route(destination.destination) }

    /// Pushes a screen onto the flow.
    public static func push(_ screen: some TypedDestination, animated: Bool = true) -> FlowCommand {
        .push(screen.destination, animated: animated)
    }

    /// Replaces the flow's topmost screen by another.
    public static func replace(_ screen: some TypedDestination, animated: Bool = true) -> FlowCommand {
        .replace(screen.destination, animated: animated)
    }

    /// Asks for a new window that shows a destination, in a configuration of the manifest; `nil` takes the first.
    public static func openWindow(
        _ destination: some TypedDestination,
        configuration: String? = nil
    ) -> FlowCommand {
        .openWindow(destination.destination, configuration: configuration)
    }

    /// Closes every window that is for a destination, for good.
    public static func closeWindows(for destination: some TypedDestination) -> FlowCommand {
        .closeWindows(for: destination.destination)
    }

    /// Has every window that is for a destination judged again by what holds now.
    public static func refreshWindows(for destination: some TypedDestination) -> FlowCommand {
        .refreshWindows(for: destination.destination)
    }
}

extension SessionChange {
    /// Sets a fact.
    public static func set<Value>(_ fact: TypedFact<Value>, _ value: Value) -> SessionChange {
        .set(fact: fact.name, value.factValue)
    }

    /// Appends an element to a list, unless the list has it already.
    public static func append(_ fact: TypedFact<[String]>, _ element: String) -> SessionChange {
        .append(fact: fact.name, element)
    }

    /// Removes an element from a list; changes nothing if the list does not have it.
    public static func remove(_ fact: TypedFact<[String]>, _ element: String) -> SessionChange {
        .remove(fact: fact.name, element)
    }

    /// Adds an integer, which may be negative, to what the fact is when the change is made.
    public static func add(_ fact: TypedFact<Int>, _ summand: Int) -> SessionChange {
        .add(fact: fact.name, summand)
    }

    /// Adds an integer, which may be negative, to what the fact is when the change is made.
    public static func add(_ fact: TypedFact<Double>, _ summand: Int) -> SessionChange {
        .add(fact: fact.name, summand)
    }

    /// Sets a fact to its declared default.
    public static func reset<Value>(_ fact: TypedFact<Value>) -> SessionChange { .reset(fact: fact.name) }
}
