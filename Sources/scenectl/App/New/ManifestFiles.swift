internal import AppTemplate
internal import Glibc
internal import SceneRouting
internal import SceneSoak
internal import StrictJSON
internal import TypedRoutes

/// The files of a new package that begins with a manifest of somebody's: coordinators of the root and of one flow, an adapter for
/// one destination, and their tests. All of it does as the manifest declares, but for what is switched off.
struct ManifestFiles {
    let manifest: AppManifest
    /// The name of the app.
    let app: String
    private let race: FirstRace
    /// The names in the types that a person would not guess.
    let numbered: [NumberedName]
    private let routes: String

    /// The files for a manifest without errors, an app of this name, and the manifest's first race.
    init(_ manifest: AppManifest, app: String, race: FirstRace) {
        (self.manifest, self.app, self.race) = (manifest, app, race)
        (routes, numbered) = SwiftRoutes(manifest, from: "\(app).yaml", as: "Routes").written()
        let secret = Set(manifest.destinations.filter { $0.parameters.contains(where: \.isSecret) }.map(\.id))
        let samples = (try? ManifestSamples(manifest, seed: 1))?.places ?? []
        let places = samples.filter { place in
            !secret.contains(place.id) && place.parameters.values.allSatisfy(Self.isPlain)
        }
        place = places.first { !$0.parameters.isEmpty } ?? places.first
    }

    /// The files that take the place of the template's, besides the manifest.
    var files: [AppTemplate.File] {
        let sources = "Sources/\(app)"
        let tests = "Tests/\(app)Tests"
        return [
            .init(path: "\(sources)/Routes.swift", text: routes),
            .init(path: "\(sources)/App.swift", text: appFile),
            .init(path: "\(sources)/AppRoot.swift", text: coordinator(root)),
            .init(path: "\(sources)/\(flow.type).swift", text: coordinator(flow)),
            .init(path: "\(sources)/\(adapter).swift", text: adapterFile),
            .init(path: "\(sources)/Switches.swift", text: Self.switches),
            .init(path: "\(tests)/CoordinatorTests.swift", text: coordinatorTests),
            .init(path: "\(tests)/\(adapter)Tests.swift", text: adapterTests),
            .init(path: "\(tests)/RaceTests.swift", text: raceTests(race)),
            .init(path: "Tests/Scenarios/\(race.name).yaml", text: race.text),
            .init(path: "Tests/Python/test_\(app.lowercased()).py", text: python),
        ]
    }

    /// The files of the template that these take the place of, by the path there.
    static let replaced: Set<String> = [
        "Sources/NewApp/Routes.swift", "Sources/NewApp/App.swift", "Sources/NewApp/LoginCoordinator.swift",
        "Sources/NewApp/OffersCoordinator.swift",
        "Sources/NewApp/OfferPushAdapter.swift", "Sources/NewApp/Repositories.swift",
        "Tests/NewAppTests/CoordinatorTests.swift", "Tests/NewAppTests/OfferPushAdapterTests.swift",
        "Tests/NewAppTests/RaceTests.swift", "Tests/Scenarios/both-take-an-offer.yaml", "Tests/Python/test_newapp.py",
    ]

    // MARK: - What they are for

    /// Something that has a coordinator: its name as Swift writes it, the type for it, how the declared coordinator is made, and the
    /// intents that it takes.
    struct Place {
        let key: String
        let type: String
        let declared: String
        let what: String
        let intents: [IntentDeclaration]
    }

    var root: Place {
        Place(key: "root", type: "AppRoot", declared: "RootCoordinator()", what: "the root", intents: manifest.intents)
    }

    /// The first flow with intents, else the first flow, else the first tab: an app has one of them.
    var flow: Place {
        let flow = manifest.flows.first { !$0.intents.isEmpty } ?? manifest.flows.first
        let name = flow?.name ?? manifest.tabs.first?.id ?? ""
        return Place(
            key: name,
            type: Self.typeName(name) + (flow == nil ? "Tab" : "Flow"),
            declared: "ManifestCoordinator(flow: \(Self.literal(name)))",
            what: "the \(flow == nil ? "tab" : "flow") \(name)",
            intents: flow?.intents ?? []
        )
    }

    /// A place to which the adapter leads, with values that it allows: the first with parameters that may be told, else the first
    /// without; an app of nothing but flows has none.
    let place: Destination?

    /// The place's destination.
    var destination: DestinationDeclaration? {
        place.flatMap { place in manifest.destinations.first { $0.id == place.id } }
    }

    /// The members of the place in an event: its parameters.
    var members: [(name: String, value: String)] {
        destination?.parameters.compactMap { parameter in
            place?.parameters[parameter.name].map { (parameter.name, $0) }
        } ?? []
    }

    /// The members as Swift and Python write them between their brackets; `empty` if there are none.
    func members(empty: String) -> String {
        members.isEmpty
            ? empty : members.map { "\(Self.literal($0.name)): \(Self.literal($0.value))" }.joined(separator: ", ")
    }

    /// The type of the adapter.
    var adapter: String { "\(place.map { Self.typeName($0.id) } ?? "Silent")PushAdapter" }

    /// The name of the adapter, which none of the manifest has.
    var adapterName: String {
        var name = "\(app.lowercased())-push"
        while manifest.adapters.contains(where: { $0.name == name }) { name += "-swift" }
        return name
    }

    /// A name of a manifest as the beginning of a type's: its words, each with a capital letter.
    private static func typeName(_ name: String) -> String {
        let joined = SwiftNames.upperCamel(name)
        return joined.hasPrefix("_") ? "Own\(joined.dropFirst())" : joined
    }

    /// Whether JSON escapes nothing of a text but what Swift and Python escape alike.
    private static func isPlain(_ text: String) -> Bool {
        text.unicodeScalars.allSatisfy { $0 >= " " && $0 != "\u{7F}" }
    }

    /// A name, or a plain text, as Swift and Python write it.
    static func literal(_ text: String) -> String { JSONValue.string(text).text() }

    /// What a new window shows while nobody is signed in, as `test_….py` says it.
    var firstScreen: String? {
        guard let engine = try? RoutingEngine(manifest: manifest) else { return nil }
        let facts = Dictionary(manifest.facts.compactMap { fact in fact.defaultValue.map { (fact.name, $0) } }) { $1 }
        let context = RoutingContext(facts: facts, time: Double(time(nil)))
        guard let flow = engine.rootFlow(context: context) else { return manifest.tabs.first?.root }
        return engine.startingScreen(of: flow, context: context)
    }
}
