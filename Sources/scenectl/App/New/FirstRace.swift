internal import SceneManifest
internal import SceneRaces
internal import SceneRouting
internal import SceneSoak
internal import StrictJSON

/// The first race of a manifest of somebody's. Where the manifest has links, two windows follow one each; it was searched with the manifest
/// alone, so that a new package begins with a race that passes.
struct FirstRace {
    /// The name of the scenario and of its file.
    let name: String
    /// What happens, as the name of a test.
    let title: String
    /// The scenario's file.
    let text: String
    /// Whether it says what windows must show in the end.
    let hasEnd: Bool

    /// What may hold whatever the order: that both windows end where their links lead while somebody signs in, else when nobody does. An
    /// app in which neither does, such as one without links, has a race of which only the invariants are known.
    init(of manifest: AppManifest) async {
        let links = Self.links(of: manifest)
        for signsIn in [true, false] {
            if let race = await Self(links, signsIn: signsIn, manifest) {
                self = race
                return
            }
        }
        self.init(
            name: "window-against-sign-in",
            title: "a window closes while somebody signs in",
            description:
                "A window closes while somebody signs in. Say under 'expect' what must hold besides the runtime's invariants.",
            windows: ["A"],
            actors: ["  window: [{ disconnect: A }]", Self.signIn]
        )
    }

    private static let signIn = "  anna: [{ sign-in: anna }]"

    /// `nil` if there are no links, or if the windows do not show the same in every order.
    private init?(_ links: [String], signsIn: Bool, _ manifest: AppManifest) async {
        guard links.count == 2 else { return nil }
        let title = "two windows follow a link each\(signsIn ? " while anna signs in" : "")"
        func race(_ end: [(scene: String, shown: String)]) -> Self {
            Self(
                name: "two-links",
                title: title,
                description: "T\(title.dropFirst()). Each ends where its own leads.",
                windows: ["A", "B"],
                actors: zip(["A", "B"], links).map { window, link in
                    "  in\(window): [{ openurl: \(JSONValue.string(link).text()), scene: \(window) }]"
                } + (signsIn ? [Self.signIn] : []),
                end: end
            )
        }
        guard let end = try? await race([]).race(in: manifest).end(),
            let report = try? await race(end).race(in: manifest).search(Self.options), report.found == nil
        else { return nil }
        self = race(end)
    }

    private init(
        name: String,
        title: String,
        description: String,
        windows: [String],
        actors: [String],
        end: [(scene: String, shown: String)] = []
    ) {
        let shown = end.map { "\($0.scene): \(JSONValue.string($0.shown).text())" }.joined(separator: ", ")
        self.name = name
        self.title = title
        hasEnd = !end.isEmpty
        text = """
            # Who does what at the same time, and what must hold in the end, whatever the order. It is of the app that runs it: 'scenectl race'
            # needs --app with the app's manifest, the app's own program and its tests need nothing.
            name: \(name)
            description: \(description)
            windows: { \(windows.map { "\($0): {}" }.joined(separator: ", ")) }
            actors:
            \(actors.joined(separator: "\n"))

            """ + (end.isEmpty ? "" : "expect:\n  windows: { \(shown) }\n")
    }

    /// As many orders as the test of the package runs, by the same seed.
    private static let options = Race.Options(iterations: 200, seed: 1)

    private func race(in manifest: AppManifest) throws -> Race {
        try RaceApp.named.race(
            text,
            file: "\(name).yaml",
            app: Scenario.GivenApp(name: manifest.name, manifest: manifest),
            // It names no other file.
            readFile: { _ in "" }
        )
    }

    /// Two links to different destinations, those that wait for something first; the same one twice if there is but one. None with
    /// a secret, which would be in the file.
    private static func links(of manifest: AppManifest) -> [String] {
        guard let engine = try? RoutingEngine(manifest: manifest), let samples = try? ManifestSamples(manifest, seed: 1)
        else { return [] }
        var links: [(destination: DestinationDeclaration, url: String)] = []
        for url in samples.links {
            guard let match = try? engine.match(url: url, context: RoutingContext()),
                let destination = manifest.destinations.first(where: { $0.id == match.request.destination.id }),
                !destination.parameters.contains(where: \.isSecret),
                !links.contains(where: { $0.destination.id == destination.id })
            else { continue }
            links.append((destination, url))
        }
        let gated = links.filter { !$0.destination.preconditions.isEmpty }
        let open = links.filter { $0.destination.preconditions.isEmpty }
        let two = (gated + open).prefix(2).map(\.url)
        return two.count == 1 ? [two[0], two[0]] : two
    }
}
