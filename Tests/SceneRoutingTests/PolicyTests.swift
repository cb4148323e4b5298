import SceneManifest
import SceneRouting
import Testing

@Suite("The policy")
struct PolicyTests {
    static func engine(_ conditions: String, parameters: String = "{}") throws -> RoutingEngine {
        let manifest = try AppManifest.read(
            """
            name: Demo
            schemes: [demo]
            markets: [de, at]
            locales: [de, de-AT, en]
            facts:
              list: { type: strings, default: [] }
              text: { type: string }
              count: { type: integer, default: 3 }
              ratio: { type: number, default: 0.5 }
              flag: { type: boolean, default: false }
              departure: { type: date }
              market: { type: string, scope: app }
              locale: { type: string, scope: app }
            conditions:
              it: { holds: \(conditions), reason: it does not }
            tabs: { home: home }
            destinations:
              home: { tab: home }
              place:
                ancestry: [home]
                parameters: \(parameters)
                conditions: [it]
                routes: ["demo://place?id={id?}&size={size?}"]
            """.replacing(parameters == "{}" ? "?id={id?}&size={size?}" : "", with: "")
        )
        return try RoutingEngine(manifest: manifest.manifest)
    }

    /// A predicate, a context in which it holds, and one in which it does not.
    static let evaluations: [(String, RoutingContext, RoutingContext)] = [
        ("signedIn", RoutingContext(user: "ada"), RoutingContext()),
        ("{ present: list }", .init(facts: ["list": .strings(["a"])]), .init(facts: ["list": .strings([])])),
        ("{ present: text }", .init(facts: ["text": .string("a")]), .init(facts: ["text": .string("")])),
        ("{ fact: count, equals: 3 }", .init(), .init(facts: ["count": .integer(4)])),
        ("{ fact: count, notEquals: 3 }", .init(facts: ["count": .integer(4)]), .init()),
        ("{ fact: count, less: 4 }", .init(), .init(facts: ["count": .integer(4)])),
        ("{ fact: count, lessOrEqual: 3 }", .init(), .init(facts: ["count": .integer(4)])),
        ("{ fact: count, greater: 3 }", .init(facts: ["count": .integer(4)]), .init()),
        ("{ fact: count, greaterOrEqual: 3 }", .init(), .init(facts: ["count": .integer(2)])),
        ("{ fact: ratio, less: 1 }", .init(), .init(facts: ["ratio": .number(1)])),
        ("{ fact: flag, equals: true }", .init(facts: ["flag": .boolean(true)]), .init()),
        ("{ fact: text, equals: a }", .init(facts: ["text": .string("a")]), .init()),
        ("{ fact: text, oneOf: [a, b] }", .init(facts: ["text": .string("b")]), .init(facts: ["text": .string("c")])),
        ("{ fact: list, contains: a }", .init(facts: ["list": .strings(["b", "a"])]), .init()),
        ("{ not: { present: text } }", .init(), .init(facts: ["text": .string("a")])),
        ("{ all: [signedIn, { present: text }] }", .init(user: "u", facts: ["text": .string("a")]), .init(user: "u")),
        ("{ any: [signedIn, { present: text }] }", .init(facts: ["text": .string("a")]), .init()),
        ("{ appVersion: { greaterOrEqual: \"2.9\" } }", .init(appVersion: "2.10"), .init(appVersion: "2.8.9")),
        ("{ appVersion: { equals: \"2\" } }", .init(appVersion: "2.0.0"), .init()),
        ("{ period: { from: 2026-11-27T00:00:00Z } }", .init(time: 1_795_737_600), .init(time: 1_795_737_599)),
        ("{ period: { until: 2026-11-27 } }", .init(time: 1_795_737_599), .init(time: 1_795_737_600)),
        // A day before the departure to the departure, to the second; without one at no time.
        ("{ period: { from: { fact: departure, minus: 24h } } }", flight(at: -86_400), flight(at: -86_401)),
        ("{ period: { from: { fact: departure, minus: 1d } } }", flight(at: -86_400), flight(at: -86_400.001)),
        ("{ period: { until: { fact: departure } } }", flight(at: -0.001), flight(at: 0)),
        ("{ period: { until: { fact: departure, plus: 90m } } }", flight(at: 5_399), flight(at: 5_400)),
        (
            "{ period: { from: { fact: departure, minus: 1d12h }, until: { fact: departure, minus: 500ms } } }",
            flight(at: -0.75), flight(at: -0.5)
        ),
        ("{ period: { from: 2026-11-27, until: { fact: departure } } }", flight(at: -1), flight(at: -43_200.5)),
        ("{ period: { until: { fact: departure } } }", flight(at: -1), .init(time: 0)),
        ("{ not: { period: { until: { fact: departure } } } }", .init(time: 0), flight(at: -1)),
        (
            "{ fact: departure, less: 2026-11-28 }", flight(at: 0),
            .init(facts: ["departure": .string("2026-11-28T00:00:00Z")])
        ),
    ]

    /// So many seconds after a departure at noon.
    private static func flight(at seconds: Double) -> RoutingContext {
        let noon = 1_795_737_600 + 43_200.0
        return .init(facts: ["departure": .string("2026-11-27T12:00:00Z")], time: noon + seconds)
    }

    /// Offsets from a date in a link, and whether the link leads somewhere at noon.
    static let links: [(String, Bool)] = [
        ("2026-11-27T13:00:00Z", true), ("2026-11-27T13:00Z", true), ("2026-11-27T13:00:01Z", false),
        ("2026-11-27T12:00:00Z", true), ("2026-11-27T11:59:59Z", false), ("2026-11-27", false), ("2026-11-28", false),
    ]

    @Test("is relative to a date of the link", arguments: links)
    func linkedDate(date: String, isInTime: Bool) throws {
        let engine = try Self.engine(
            "{ period: { from: { parameter: id, minus: 1h }, until: { parameter: id, plus: 1s } } }",
            parameters: "{ id: { type: date }, size: { type: string, optional: true } }"
        )
        let noon = RoutingContext(time: 1_795_737_600 + 43_200)
        let link = "demo://place?id=\(date)"
        guard isInTime else {
            #expect(throws: RouteError.validationFailed(parameter: "it", reason: "it does not")) {
                try engine.resolve(url: link, context: noon)
            }
            return
        }
        guard case .proceed = try engine.resolve(url: link, context: noon) else {
            Issue.record("\(date) is within an hour")
            return
        }
    }

    @Test("knows a date by its time, however it is written", arguments: ["2026-11-27", "2026-11-27T00:00Z"])
    func writtenDate(text: String) throws {
        let engine = try Self.engine(
            "{ fact: departure, equals: { parameter: id } }",
            parameters: "{ id: { type: date }, size: { type: string, optional: true } }"
        )
        let context = RoutingContext(facts: ["departure": .string("2026-11-27T00:00:00Z")])
        guard case .proceed(let target) = try engine.resolve(url: "demo://place?id=\(text)", context: context)
        else {
            Issue.record("\(text) is that date")
            return
        }
        #expect("\(target)".contains("2026-11-27T00:00:00Z"))
        #expect(throws: RouteError.self) {
            try engine.resolve(url: "demo://place?id=2026-11-31", context: context)
        }
    }

    @Test("evaluates every predicate", arguments: evaluations)
    func predicates(predicate: String, holding: RoutingContext, failing: RoutingContext) throws {
        let engine = try Self.engine(predicate)
        guard case .proceed = try engine.resolve(url: "demo://place", context: holding) else {
            Issue.record("\(predicate) should hold")
            return
        }
        #expect(throws: RouteError.validationFailed(parameter: "it", reason: "it does not")) {
            try engine.resolve(url: "demo://place", context: failing)
        }
    }

    @Test("compares with the destination's parameters, read as the fact's type")
    func parameters() throws {
        let engine = try Self.engine(
            "{ all: [{ fact: count, equals: { parameter: id } }, { not: { fact: list, contains: { parameter: id } } }] }",
            parameters: "{ id: { type: integer }, size: { oneOf: [s, m], optional: true } }"
        )
        _ = try engine.resolve(url: "demo://place?id=003", context: RoutingContext())
        for context in [RoutingContext(facts: ["count": .integer(4)]), .init(facts: ["list": .strings(["3"])])] {
            #expect(throws: RouteError.self) { try engine.resolve(url: "demo://place?id=3", context: context) }
        }
    }

    static let defaults: [(String?, String?, String)] = [
        (nil, nil, "m"), ("at", nil, "s"), ("at", "en", "s"), (nil, "de-AT", "xl"), (nil, "de-CH", "l"),
        ("de", "en", "m"),
    ]

    @Test("adds the defaults of the market and the locale, for URLs and typed requests", arguments: defaults)
    func variantDefaults(market: String?, locale: String?, size: String) throws {
        let engine = try Self.engine(
            "always",
            parameters: "{ id: { type: string, optional: true }, size: { oneOf: [s, m, l, xl], default: m, "
                + "defaults: { at: s, de: l, de-AT: xl } } }"
        )
        // Here 'de' is both a market and a locale; a market takes precedence.
        var context = RoutingContext()
        if let market { context.facts["market"] = .string(market) }
        if let locale { context.facts["locale"] = .string(locale) }
        let expected = market == "de" ? "l" : size
        let place = Destination(id: "place", parameters: ["size": expected])
        let target = Target.placed(tab: "home", path: [Destination(id: "home"), place])
        #expect(try engine.resolve(url: "demo://place", context: context) == .proceed(target))
        let request = try engine.request(for: Destination(id: "place"), source: .internal)
        #expect(try engine.resolve(request, context: context) == .proceed(target))
    }

    @Test("is the same for a URL and a typed request", arguments: 1...30 as ClosedRange<UInt64>)
    func bothDoors(seed: UInt64) throws {
        let engine = try RoutingEngine(manifest: AppManifest.builtInShop())
        var app = RandomApp(seed: seed)
        for (url, _) in ShopTests.shapes {
            var context = app.context()
            if app.chance(50) { context.user = "ada" }
            if app.chance(50) { context.facts["cart"] = .strings(["p1"]) }
            if app.chance(50) { context.facts["paymentMethod"] = .string("card") }
            if app.chance(50) { context.facts["unavailable"] = .strings(["p1"]) }
            guard let request = try? engine.match(url: url, context: context).request else { continue }
            let byURL = Result { () throws(RouteError) in try engine.resolve(url: url, context: context) }
            let byRequest = Result { () throws(RouteError) in try engine.resolve(request, context: context) }
            #expect(byURL == byRequest)
        }
    }

    @Test("refuses a request whose parameters are wrong, and says what would be right")
    func wrongRequests() throws {
        let engine = try RoutingEngine(manifest: AppManifest.builtInShop())
        let wrong: [(Destination, RouteError)] = [
            (
                Destination(id: "prodct"),
                .validationFailed(
                    parameter: "destination",
                    reason: "there is no destination 'prodct'; did you mean 'product'?"
                )
            ),
            (
                Destination(id: "product", parameters: ["id": "7"]),
                .validationFailed(parameter: "id", reason: "'7' is not text that matches p[0-9]{1,9}")
            ),
            (
                Destination(id: "product"),
                .validationFailed(parameter: "id", reason: "is missing; product needs text that matches p[0-9]{1,9}")
            ),
            (
                Destination(id: "cart", parameters: ["x": "1"]),
                .validationFailed(parameter: "x", reason: "cart has no parameters")
            ),
        ]
        for (destination, error) in wrong {
            #expect(throws: error) { try engine.request(for: destination, source: .internal) }
        }
    }
}
