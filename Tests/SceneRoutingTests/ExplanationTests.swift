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
