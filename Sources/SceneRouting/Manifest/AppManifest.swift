/// One app as data: its places, how they are reached, and what must hold before they are shown.
///
/// A manifest that was read from a file has been checked: every name it mentions exists. Build one by hand only in tests.
/// Lists keep the order of the file, which decides the order of preconditions and of problems, never that of matching.
public struct AppManifest: Hashable, Sendable {
    /// The manifest's own version, any text. Records carry it, so that a reload can be seen.
    public var version: String
    /// The app's name for people.
    public var name: String
    /// The app IDs, `TEAM.bundle`. The first is the app's own; the others are accepted in association files and pushes.
    public var appIDs: [String]
    /// The app's own URL schemes, in lower case.
    public var schemes: [String]
    /// The domains whose links can open the app.
    public var associatedDomains: [AssociatedDomain]
    /// The tabs in the order shown; at least one unless there are ``roots``.
    public var tabs: [TabDeclaration]
    /// Flows shown instead of the tabs. The first whose predicate holds is shown; if none does, the tabs, or the last root
    /// if there are no tabs.
    public var roots: [RootDeclaration]
    /// What windows that were in the background ask for before they go on, if anything.
    public var lock: LockDeclaration?
    /// The places in the app, with unique IDs.
    public var destinations: [DestinationDeclaration]
    /// The URL shapes that lead to destinations.
    public var routes: [RouteDeclaration]
    /// What a destination may have to wait for.
    public var preconditions: [PreconditionDeclaration]
    /// What a destination may be refused for.
    public var conditions: [ConditionDeclaration]
    /// The flows, with unique names.
    public var flows: [FlowDeclaration]
    /// The intents that any screen may report, besides those of its flow.
    public var intents: [IntentDeclaration]
    /// The facts that the session keeps.
    public var facts: [FactDeclaration]
    /// The markets that routes and defaults can name.
    public var markets: [String]
    /// The locales that routes and defaults can name, such as `de` or `de-AT`.
    public var locales: [String]
    /// The kinds of window; at least one, and the first is the default.
    public var configurations: [SceneConfiguration]
    /// The adapters that the manifest declares.
    public var adapters: [AdapterDeclaration]
    /// What somebody may do with notifications besides tapping them, with unique identifiers. An app that declares none is not
    /// asked: any action is tapped in the foreground, and every dismissal is reported.
    public var notificationCategories: [NotificationCategory]
    /// The choices and bounds of the app.
    public var policies: Policies
    /// The place that is shown when an event is rejected, if any.
    public var fallback: Destination?

    /// A manifest of these parts. It is checked when a ``RoutingEngine`` is made of it.
    public init(
        version: String = "1",
        name: String,
        appIDs: [String] = [],
        schemes: [String] = [],
        associatedDomains: [AssociatedDomain] = [],
        tabs: [TabDeclaration] = [],
        roots: [RootDeclaration] = [],
        lock: LockDeclaration? = nil,
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
        notificationCategories: [NotificationCategory] = [],
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
        self.lock = lock
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
        self.notificationCategories = notificationCategories
        self.policies = policies
        self.fallback = fallback
    }
}

extension AppManifest {
    /// The implicit preconditions that stand for the roots, in the same order; see ``RoutingEngine/rootFlow(context:)``.
    var rootPreconditions: [PreconditionDeclaration] {
        roots.map { PreconditionDeclaration(name: $0.flow, holds: .not($0.when), flow: $0.flow) }
    }

    /// The preconditions that nobody declares as such: those of the roots, then the lock's. Whether the last holds is up to the
    /// window and not to a predicate.
    var impliedPreconditions: [PreconditionDeclaration] {
        guard let lock else { return rootPreconditions }
        return rootPreconditions + [PreconditionDeclaration(name: lock.flow, holds: .always, flow: lock.flow)]
    }

    /// The position of the lock's precondition among the ``impliedPreconditions``; `nil` if windows do not lock.
    var lockPosition: Int? { lock.map { _ in roots.count } }

    /// The names of the conditions that look, in any of their branches, at who is signed in or at a fact of the user. No flow can
    /// change the others, so they are judged before all preconditions (<doc:/SceneRuntime/WayOfAnEvent>).
    var personalConditions: Set<String> {
        let userFacts = Set(facts.filter { $0.scope == .user }.map(\.name))
        return Set(conditions.filter { $0.holds.usesUser(userFacts) }.map(\.name))
    }
}

/// A tab and the destination at the bottom of its stack.
public struct TabDeclaration: Hashable, Sendable {
    /// The tab's ID.
    public var id: String
    /// The ID of a destination without required parameters, preconditions and conditions.
    public var root: String

    /// A tab with this destination at its bottom.
    public init(id: String, root: String) {
        self.id = id
        self.root = root
    }
}

/// A flow shown instead of the tabs while a predicate holds, such as onboarding while nobody is signed in.
public struct RootDeclaration: Hashable, Sendable {
    /// The name of the flow.
    public var flow: String
    /// The predicate while which the flow is shown; it cannot look at parameters.
    public var when: FactPredicate

    /// The root `flow`, shown while `when` holds.
    public init(flow: String, when: FactPredicate) {
        self.flow = flow
        self.when = when
    }
}

/// The lock of an app's windows: a window that was in the background goes on when a flow has completed in it
/// (<doc:/SceneRuntime/Scenes>).
public struct LockDeclaration: Hashable, Sendable {
    /// The name of the flow that unlocks a window. It is there for nothing else.
    public var flow: String
    /// The predicate without which no window is locked; it can look neither at parameters nor at the time.
    public var when: FactPredicate

    /// A lock that `flow` opens, of windows that are left while `when` holds.
    public init(flow: String, when: FactPredicate = .always) {
        self.flow = flow
        self.when = when
    }
}

/// A domain whose links can open the app, with the association file that it serves.
public struct AssociatedDomain: Hashable, Sendable {
    /// The domain in lower case; `*.example.com` stands for every subdomain.
    public var domain: String
    /// The apple-app-site-association file as JSON text, at most 128 KiB.
    public var association: String

    /// A domain with its association file.
    public init(domain: String, association: String) {
        self.domain = domain
        self.association = association
    }
}
