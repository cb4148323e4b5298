import Basics
import SceneRouting
import Testing

/// What is said of random apps and their routes, tried with URLs.
@Suite("A warning about routes")
struct RouteWarningTests {
    /// A manifest of routes, each to another destination, whose captures are one of two words.
    private static func manifest(_ app: inout RandomApp) -> AppManifest {
        var manifest = AppManifest(name: "Random", schemes: ["app"], tabs: [TabDeclaration(id: "home", root: "home")])
        manifest.markets = ["de"]
        manifest.facts = [FactDeclaration(name: "market", type: .string, scope: .app)]
        manifest.destinations = [DestinationDeclaration(id: "home", presentation: .tab("home"))]
        for index in 0..<8 {
            let segments = (0..<2).map { app.pick(["a", "b", "A", "{v\($0)}", "*"]) }
            let names = segments.filter { $0.hasPrefix("{") }.map { String($0.dropFirst().dropLast()) }
            manifest.destinations.append(
                DestinationDeclaration(
                    id: "d\(index)",
                    parameters: names.map { ParameterDeclaration(name: $0, type: .oneOf(["a", "b"])) },
                    ancestry: ["home"]
                )
            )
            manifest.routes.append(
                RouteDeclaration(
                    destination: "d\(index)",
                    pattern: "app://" + segments.joined(separator: "/") + app.pick(["", "", "", "?q=1"]),
                    markets: app.chance(10) ? ["de"] : [],
                    ignoresCase: app.chance(10)
                )
            )
        }
        return manifest
    }

    /// The places of the routes that are said never to match.
    private static func dead(in manifest: AppManifest) -> Set<String> {
        let problems = manifest.problems()
        return Set(
            manifest.routes.indices.filter { index in
                problems.contains { $0.key == "routes[\(index)].pattern" && $0.message.contains("can never match") }
            }
            .map { manifest.routes[$0].destination }
        )
    }

    @Test("that one never matches is said of none that takes a URL", arguments: 1...120 as ClosedRange<UInt64>)
    func words(seed: UInt64) throws {
        var app = RandomApp(seed: seed)
        let manifest = Self.manifest(&app)
        let engine = try RoutingEngine(manifest: manifest)
        let dead = Self.dead(in: manifest)
        for first in ["a", "b", "A", "B", "c"] {
            for second in ["a", "b", "A", "B", "c"] {
                for query in ["", "?q=1"] {
                    for market in [nil, "de"] {
                        let context = RoutingContext(facts: market.map { ["market": .string($0)] } ?? [:])
                        guard let found = try? engine.match(url: "app://\(first)/\(second)\(query)", context: context)
                        else { continue }
                        #expect(!dead.contains(found.request.destination.id), "\(found) of \(manifest.routes)")
                    }
                }
            }
        }
    }

    @Test("that others take each of its words is said of some")
    func taken() {
        let said = (UInt64(1)...120).filter { seed in
            var app = RandomApp(seed: seed)
            return Self.manifest(&app).problems().contains { $0.message.contains("for each word of") }
        }
        #expect(said.count > 1, "\(said)")
    }

    @Test(
        "that it leads nowhere is said of no adapter's URL that leads somewhere",
        arguments: 1...60 as ClosedRange<UInt64>
    )
    func adapters(seed: UInt64) throws {
        var app = RandomApp(seed: seed)
        let manifest = app.manifest(routes: 12)
        let engine = try RoutingEngine(manifest: manifest)
        let contexts = (0..<20).map { _ in app.context() } + [RoutingContext()]
        let dead = Self.dead(in: manifest)
        var tried = manifest
        let urls = (0..<60).map { _ in app.url() }
        for url in urls {
            // As it is, and with its end as something that comes with the event.
            let beginning = url.prefix(Int.random(in: 1...url.count, using: &app.generator))
            for template in [url, "\(beginning){payload.rest}"] {
                tried.adapters.append(
                    AdapterDeclaration(
                        name: "a\(tried.adapters.count)",
                        kinds: ["push"],
                        mapping: .url(template: template)
                    )
                )
            }
        }
        let said = Set(tried.problems().filter { $0.message.contains("leads nowhere") }.map(\.key))
        for (index, url) in urls.enumerated() {
            let found = contexts.lazy.compactMap { try? engine.match(url: url, context: $0) }.first
            if let found {
                #expect(
                    !dead.contains(found.request.destination.id),
                    "\(url) by \(found.route): \(manifest.problems().filter { $0.message.contains("can never match") })"
                )
                #expect(!said.contains("adapters[\(2 * index)].url"), "\(url)")
                #expect(!said.contains("adapters[\(2 * index + 1)].url"), "\(url), \(tried.adapters[2 * index + 1])")
            } else if manifest.routes.allSatisfy({ $0.markets.isEmpty && $0.locales.isEmpty }) {
                #expect(said.contains("adapters[\(2 * index)].url"), "\(url)")
            }
        }
    }
}
