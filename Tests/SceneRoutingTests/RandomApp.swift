import SceneRouting
import Basics

/// Random apps with many overlapping routes, which are made of few words.
struct RandomApp {
    var generator: SplitMix
    /// Whether most routes have a `**`.
    var prefersRuns = false
    private static let words = ["a", "b", "ab", "a-b", "Straße", "b%20c", "é"]
    static let types: [ParameterType] = [
        .string, .integer(minimum: -5, maximum: 120), .uuid, .date, .oneOf(["a", "b", "x"]), .pattern("[a-z]{1,3}"),
        .pattern("(ab)+|b*c"), .pattern("[a-zé]+-[0-9]"),
    ]

    init(seed: UInt64) { generator = SplitMix(seed: seed) }

    mutating func pick<Element>(_ elements: [Element]) -> Element {
        elements[Int.random(in: 0..<elements.count, using: &generator)]
    }

    mutating func chance(_ percent: Int) -> Bool { Int.random(in: 0..<100, using: &generator) < percent }

    /// A manifest with `count` routes, each to another destination.
    mutating func manifest(routes count: Int) -> AppManifest {
        var manifest = AppManifest(name: "Random", schemes: ["app"], tabs: [TabDeclaration(id: "home", root: "home")])
        manifest.associatedDomains = ["one.example", "two.example", "*.example", "*.one.example"].map {
            AssociatedDomain(domain: $0, association: "{}")
        }
        manifest.markets = ["de", "at"]
        manifest.locales = ["de", "en-GB"]
        manifest.facts = [FactDeclaration(name: "market", type: .string, scope: .app)]
        manifest.destinations = [DestinationDeclaration(id: "home", presentation: .tab("home"))]
        for index in 0..<count {
            let (route, parameters) = route(to: "d\(index)")
            manifest.destinations.append(
                DestinationDeclaration(id: "d\(index)", parameters: parameters, ancestry: ["home"])
            )
            manifest.routes.append(route)
        }
        return manifest
    }

    private mutating func route(to id: String) -> (RouteDeclaration, [ParameterDeclaration]) {
        var parameters: [ParameterDeclaration] = []
        var hasRun = false
        func add(_ isRequired: Bool, _ type: ParameterType) -> String {
            let name = "v\(parameters.count)"
            parameters.append(ParameterDeclaration(name: name, type: type, isRequired: isRequired))
            return name
        }
        var segments: [String] = []
        if prefersRuns, chance(80) {
            hasRun = true
            segments.append("**")
        }
        for _ in 0..<Int.random(in: 0...4, using: &generator) {
            switch Int.random(in: 0..<10, using: &generator) {
            case 0..<4: segments.append(pick(Self.words))
            case 4..<7: segments.append("{\(add(true, pick(Self.types)))}")
            case 7:
                let first = add(true, pick(Self.types))
                segments.append("{\(first)}-{\(add(true, pick(Self.types)))}")
            case 8: segments.append("*")
            default:
                guard !hasRun else { continue }
                hasRun = true
                segments.append(chance(50) ? "**" : "{\(add(true, .string))**}")
            }
        }
        let origin = pick(["", "https://one.example", "https://*.example", "https://*.one.example", "app:/", "app://"])
        var pattern = origin + "/" + segments.joined(separator: "/")
        var query: [String] = []
        if chance(20) { query.append("q=" + (chance(50) ? pick(["1", "*"]) : "{\(add(true, pick(Self.types)))}")) }
        if chance(20) { query.append("r={\(add(false, pick(Self.types)))?}") }
        if !query.isEmpty { pattern += "?" + query.joined(separator: "&") }
        if chance(10) { pattern += chance(50) ? "#top" : "#{\(add(true, .string))}" }
        let route = RouteDeclaration(
            destination: id,
            pattern: pattern,
            markets: chance(15) ? [pick(["de", "at"])] : [],
            locales: chance(10) ? [pick(["de", "en-GB"])] : [],
            resolvesElsewhere: chance(30),
            ignoresCase: chance(15)
        )
        return (route, parameters)
    }

    /// A URL that a route of such an app is likely to take.
    mutating func url() -> String {
        let origin = pick([
            "https://one.example", "https://two.example", "https://x.one.example", "https://x.y.example", "app:/",
            "https://ONE.example", "http://one.example", "https://one.example.", "https://other.test", "APP:/",
            "app:", "app://", "https:", "other:",
        ])
        var segments: [String] = []
        let texts = [
            "a", "b", "ab", "A", "B", "a-b", "7", "007", "-3", "121", "x-1", "abc", "b%20c", "%C3%A9", "e%CC%81", "é",
            "stra%C3%9Fe", "Straße", "a%2Fb", "", "zz-9", "é-4", "8F14E45F-CEEA-467F-A0E6-3F3C5B7A1C2D", "abab", "bbc",
        ]
        for _ in 0..<Int.random(in: 0...5, using: &generator) { segments.append(pick(texts)) }
        // A custom scheme needs neither a host nor a slash.
        let slash = origin.hasSuffix(":") && chance(50) ? "" : "/"
        var url = origin + slash + segments.joined(separator: "/")
        if chance(30) { url += pick(["?q=1", "?q=a&r=7", "?r=b", "?q=%41", "?q=1&q=2", "?", "?x=y", "?q=&r="]) }
        if chance(15) { url += pick(["#top", "#", "#a%20b"]) }
        return url
    }

    mutating func context() -> RoutingContext {
        var context = RoutingContext()
        if chance(50) { context.facts["market"] = .string(pick(["de", "at", "ch"])) }
        if chance(50) { context.facts["locale"] = .string(pick(["de", "de-AT", "en_GB", "en"])) }
        return context
    }
}
