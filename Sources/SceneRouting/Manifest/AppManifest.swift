/// One app as data: what exists in it, how it is reached, and what it takes to be shown.
///
/// A manifest that was read from a file has been checked (every name it mentions exists); build one by hand only in tests.
/// Lists keep the order of the file, which decides the order of preconditions and of diagnostics, never of matching.
public struct AppManifest: Hashable, Sendable {
    /// The manifest's own version, free text; records carry it so that a reload shows.
    public var version: String
    /// The app's name for people.
    public var name: String
    /// The app IDs, `TEAM.bundle`; the first is the app's own, others are accepted in association files and pushes.
    public var appIDs: [String]
    /// Custom URL schemes, lower case.
    public var schemes: [String]
    public var associatedDomains: [AssociatedDomain]
    /// Tabs in the order shown. Empty only if ``roots`` names flows alone.
    public var tabs: [TabDeclaration]
    /// Alternatives to the tabs, first that holds wins; the tabs are shown when none does.
    public var roots: [RootDeclaration]
    public var destinations: [DestinationDeclaration]
    public var routes: [RouteDeclaration]
    public var preconditions: [PreconditionDeclaration]
    public var conditions: [ConditionDeclaration]
    public var flows: [FlowDeclaration]
    /// In-app intents that any screen may report, besides those of a flow.
    public var intents: [IntentDeclaration]
    public var facts: [FactDeclaration]
    public var markets: [String]
    public var locales: [String]
    /// At least one; the first is the default.
    public var configurations: [SceneConfiguration]
    public var adapters: [AdapterDeclaration]
    public var policies: Policies
    /// What is shown when an event is rejected, if anything.
    public var fallback: Destination?

    /// A manifest of these parts.
    public init(
        version: String = "1",
        name: String,
        appIDs: [String] = [],
        schemes: [String] = [],
        associatedDomains: [AssociatedDomain] = [],
        tabs: [TabDeclaration] = [],
        roots: [RootDeclaration] = [],
        destinations: [DestinationDeclaration] = [],
        routes: [RouteDeclaration] = [],
        preconditions: [PreconditionDeclaration] = [],
        conditions: [ConditionDeclaration] = [],
        flows: [FlowDeclaration] = [],
        intents: [IntentDeclaration] = [],
        facts: [FactDeclaration] = [],
        markets: [String] = [],
        locales: [String] = [],
        configurations: [SceneConfiguration] = [SceneConfiguration(name: "default")],
        adapters: [AdapterDeclaration] = [],
        policies: Policies = Policies(),
        fallback: Destination? = nil
    ) {
        self.version = version
        self.name = name
        self.appIDs = appIDs
        self.schemes = schemes
        self.associatedDomains = associatedDomains
        self.tabs = tabs
        self.roots = roots
        self.destinations = destinations
        self.routes = routes
        self.preconditions = preconditions
        self.conditions = conditions
        self.flows = flows
        self.intents = intents
        self.facts = facts
        self.markets = markets
        self.locales = locales
        self.configurations = configurations
        self.adapters = adapters
        self.policies = policies
        self.fallback = fallback
    }
}

/// A tab and the destination at the bottom of its stack.
public struct TabDeclaration: Hashable, Sendable {
    public var id: String
    /// A destination without required parameters and without preconditions.
    public var root: String

    /// A tab.
    public init(id: String, root: String) {
        self.id = id
        self.root = root
    }
}

/// A flow shown instead of the tabs while a predicate holds, such as onboarding while nobody is signed in.
public struct RootDeclaration: Hashable, Sendable {
    public var flow: String
    public var when: FactPredicate

    /// An alternative root.
    public init(flow: String, when: FactPredicate) {
        self.flow = flow
        self.when = when
    }
}
