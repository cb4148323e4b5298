import SceneManifest
import SceneRouting
import Testing

@Suite("Explanations")
struct ExplanationTests {
    let engine: RoutingEngine

    init() throws {
        engine = try RoutingEngine(manifest: AppManifest.builtInShop())
    }

    private func lines(_ explanation: RouteExplanation, _ kinds: RouteExplanation.Step.Kind...) -> [String] {
        explanation.steps.filter { kinds.contains($0.kind) }.map {
            "\($0.passed ? "+" : "-") \($0.subject): \($0.reason)"
        }
    }

    @Test("go down to the precondition that gates")
    func gated() {
        let context = RoutingContext(user: "ada")
        let explanation = engine.explain(url: "https://shop.example/checkout", context: context)
        #expect(explanation.route == "/checkout")
        #expect(
            lines(explanation, .precondition, .condition) == [
                "+ signedIn: holds", "- paymentMethod: does not hold; the flow addPayment would satisfy it",
            ]
        )
        #expect(lines(explanation, .association).last == #"+ {"/":"/checkout"}: fits"#)
        let request = RouteRequest(destination: Destination(id: "checkout"), source: .external)
        #expect(explanation.outcome == .resolved(.gated(precondition: "paymentMethod", resume: request)))
    }

    @Test("name the wrong parameter and every route that was tried")
    func invalid() {
        let explanation = engine.explain(url: "https://shop.example/product/7", context: RoutingContext())
        let routes = lines(explanation, .route)
        #expect(routes.contains("- /product/{id}?ref={ref?}: id: '7' is not text that matches p[0-9]{1,9}"))
        #expect(routes.contains("- /cart: the path has 2 segments, not 1"))
        #expect(explanation.omittedRoutes > 0)
        #expect(
            explanation.outcome
                == .refused(.validationFailed(parameter: "id", reason: "'7' is not text that matches p[0-9]{1,9}"))
        )
    }

    @Test("say that a route exists only in another market")
    func otherMarket() {
        let explanation = engine.explain(url: "https://shop.example/warenkorb", context: RoutingContext())
        #expect(lines(explanation, .route).contains("- /warenkorb: exists only in de"))
    }

    @Test("name the association rule that excludes the URL")
    func excluded() {
        let explanation = engine.explain(url: "https://shop.example/help/returns", context: RoutingContext())
        #expect(
            lines(explanation, .association) == [
                #"+ {"/":"/help/*","exclude":true,"comment":"Help stays in the browser"}: fits, and excludes the URL"#
            ]
        )
    }

    /// A predicate, and what is said of the time: at 8 o'clock on 27 November 2026, with a departure the day after.
    static let periods: [(holds: String, says: String?)] = [
        ("{ period: { from: 2026-11-28 } }", "not before 2026-11-28T00:00:00Z; it is 2026-11-27T08:00:00Z"),
        ("{ period: { until: 2026-11-27 } }", "only before 2026-11-27T00:00:00Z; it is 2026-11-27T08:00:00Z"),
        (
            "{ period: { from: 2026-11-28, until: 2026-12-01 } }",
            "only from 2026-11-28T00:00:00Z until 2026-12-01T00:00:00Z; it is 2026-11-27T08:00:00Z"
        ),
        (
            "{ period: { from: { fact: departure, minus: 90m } } }",
            "not before 2026-11-28T07:30:00Z (departure minus 1h30m); it is 2026-11-27T08:00:00Z"
        ),
        (
            "{ period: { until: { fact: departure, minus: 1d1h1ms } } }",
            "only before 2026-11-27T07:59:59.999Z (departure minus 1d1h1ms); it is 2026-11-27T08:00:00Z"
        ),
        ("{ period: { from: { fact: sale } } }", "not while 'sale' has no date; it is 2026-11-27T08:00:00Z"),
        (
            "{ period: { from: { parameter: at, plus: 1h } } }",
            "not before 2026-11-29T01:00:00Z (at plus 1h); it is 2026-11-27T08:00:00Z"
        ),
        ("{ not: { period: { from: 2026-11-01 } } }", "only before 2026-11-01T00:00:00Z; it is 2026-11-27T08:00:00Z"),
        ("{ not: { period: { until: 2026-12-01 } } }", "not before 2026-12-01T00:00:00Z; it is 2026-11-27T08:00:00Z"),
        (
            "{ not: { period: { from: 2026-11-01, until: 2026-12-01 } } }",
            "not from 2026-11-01T00:00:00Z until 2026-12-01T00:00:00Z; it is 2026-11-27T08:00:00Z"
        ),
        // Only what keeps it from holding is told.
        (
            "{ all: [{ period: { from: 2026-11-01 } }, { period: { from: 2026-11-28 } }] }",
            "not before 2026-11-28T00:00:00Z; it is 2026-11-27T08:00:00Z"
        ),
        (
            "{ any: [{ period: { until: 2026-11-01 } }, { period: { from: 2026-11-28 } }] }",
            "only before 2026-11-01T00:00:00Z, and not before 2026-11-28T00:00:00Z; it is 2026-11-27T08:00:00Z"
        ),
        ("{ all: [signedIn, { period: { from: 2026-11-01 } }] }", nil),
        ("signedIn", nil),
    ]

    @Test("say what the time would have to be, of conditions and preconditions", arguments: periods)
    func untimely(holds: String, says: String?) throws {
        let engine = try RoutingEngine(
            manifest: AppManifest.read(
                """
                name: Travel
                schemes: [travel]
                facts: { departure: { type: date }, sale: { type: date } }
                tabs: { home: home }
                preconditions: { gate: { holds: \(holds), flow: wait } }
                conditions: { rule: { holds: \(holds), reason: closed } }
                destinations:
                  home: { tab: home, routes: ["travel://home"] }
                  gated: { ancestry: [home], parameters: { at: date }, preconditions: [gate], routes: ["travel://gated/{at}"] }
                  ruled: { ancestry: [home], parameters: { at: date }, conditions: [rule], routes: ["travel://ruled/{at}"] }
                flows: { wait: { screens: [bench] } }
                """
            ).manifest
        )
        let context = RoutingContext(
            facts: ["departure": .string("2026-11-28T09:00:00Z")],
            time: try #require(Instant.seconds("2026-11-27T08:00:00Z"))
        )
        let suffix = says.map { ": \($0)" } ?? ""
        let ruled = engine.explain(url: "travel://ruled/2026-11-29", context: context)
        #expect(lines(ruled, .condition) == ["- rule: closed\(suffix)"])
        let gated = lines(engine.explain(url: "travel://gated/2026-11-29", context: context), .precondition)
        #expect(gated.first?.hasSuffix("\(suffix); the flow wait would satisfy it") == true, "\(gated)")
        for id in ["ruled", "gated"] {
            let destination = Destination(id: id, parameters: ["at": "2026-11-29T00:00:00Z"])
            let request = RouteRequest(destination: destination, source: .external)
            #expect(engine.untimeliness(of: request, context: context) == says)
        }
    }

    @Test("agree with resolving", arguments: ShopTests.shapes.map(\.0) + ShopTests.refusals.map(\.0))
    func agree(url: String) {
        for context in [RoutingContext(), RoutingContext(user: "ada", facts: ["market": .string("de")])] {
            let resolved = Result { () throws(RouteError) in try engine.resolve(url: url, context: context) }
            switch engine.explain(url: url, context: context).outcome {
            case .resolved(let resolution): #expect(resolved == .success(resolution))
            case .refused(let error): #expect(resolved == .failure(error))
            }
        }
    }
}
