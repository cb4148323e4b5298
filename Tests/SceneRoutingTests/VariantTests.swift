import Foundation
import SceneManifest
import SceneRouting
import Testing

/// Where the engine leads to variants of destinations, in the app of `Tests/Apps/offers.yaml`.
@Suite("Variants")
struct VariantTests {
    let engine: RoutingEngine

    init() throws {
        let file = URL(filePath: #filePath).deletingLastPathComponent().deletingLastPathComponent()
            .appending(path: "Apps/offers.yaml")
        engine = try RoutingEngine(manifest: AppManifest.read(String(contentsOf: file, encoding: .utf8)).manifest)
    }

    private let url = "offers://offer/o1?from=mail"
    private let plus = RoutingContext(user: "mina", facts: ["arm": .string("plus")])

    private func proceeds(_ context: RoutingContext) throws -> Destination? {
        guard case .proceed(.placed(_, let path, let modals)) = try engine.resolve(url: url, context: context) else {
            return nil
        }
        return modals.last?.stack.last ?? path.last
    }

    @Test("are shown by the first condition that holds, with the parameters that they have")
    func first() throws {
        #expect(try proceeds(plus) == Destination(id: "offerPlus", parameters: ["id": "o1"]))
        let other = RoutingContext(user: "mina", facts: ["arm": .string("b7")])
        #expect(try proceeds(other) == Destination(id: "offer", parameters: ["id": "o1", "from": "mail"]))
    }

    @Test("are what was chosen before, if the app still has it")
    func kept() throws {
        var context = plus
        context.choices = ["offer": "offer"]
        #expect(try proceeds(context)?.id == "offer")
        for gone in ["newDeals", "nothing"] {
            context.choices = ["offer": gone]
            #expect(try proceeds(context)?.id == "offerPlus")
        }
        context.choices = ["offer": "offerClub"]
        let request = try engine.match(url: url, context: context).request
        #expect(try engine.resolve(url: url, context: context) == .gated(precondition: "member", resume: request))
        #expect(engine.choice(for: request, context: context)?.id == "offerClub")
    }

    @Test("come after what the destination needs itself")
    func needs() throws {
        var context = plus
        context.user = nil
        let request = try engine.match(url: url, context: context).request
        #expect(try engine.resolve(url: url, context: context) == .gated(precondition: "signedIn", resume: request))
        #expect(engine.choice(for: request, context: context) == nil)
        let home = RouteRequest(destination: Destination(id: "home"), source: .external)
        #expect(engine.choice(for: home, context: plus) == nil)
    }

    @Test("have URLs of their own, and a destination's URL is its own")
    func printing() throws {
        #expect(
            engine.urls(for: Destination(id: "offer", parameters: ["id": "o1"]), context: plus) == ["offers://offer/o1"]
        )
        #expect(engine.urls(for: Destination(id: "offerPlus", parameters: ["id": "o1"]), context: plus) == [])
        #expect(
            engine.urls(for: Destination(id: "offerClub", parameters: ["id": "o1"]), context: plus)
                == ["offers://club/o1"]
        )
    }

    private func lines(_ context: RoutingContext) -> [String] {
        engine.explain(url: url, context: context).steps
            .filter { [.variant, .precondition, .condition].contains($0.kind) }
            .map { "\($0.passed ? "+" : "-") \($0.kind) \($0.subject): \($0.reason)" }
    }

    @Test("are explained: which conditions hold, and what the variant needs")
    func explained() {
        let own = ["+ condition available: holds", "+ precondition signedIn: holds"]
        #expect(
            lines(plus)
                == own + ["+ variant offerPlus: its condition holds, and that of no variant before it"] + own
        )
        #expect(
            lines(RoutingContext(user: "mina", facts: ["arm": .string("club")]))
                == own + [
                    "- variant offerPlus: its condition does not hold",
                    "+ variant offerClub: its condition holds, and that of no variant before it",
                    "+ condition available: holds", "+ precondition signedIn: holds",
                    "- precondition member: does not hold; the flow join would satisfy it",
                ]
        )
        #expect(
            lines(RoutingContext(user: "mina"))
                == own + [
                    "- variant offerPlus: its condition does not hold",
                    "- variant offerClub: its condition does not hold",
                    "+ variant offer: is shown itself, because no variant's condition holds",
                ]
        )
        var context = plus
        context.choices = ["offer": "offer"]
        #expect(lines(context) == own + ["+ variant offer: was chosen for the user before, whatever holds now"])
        #expect(
            lines(RoutingContext())
                == [own[0], "- precondition signedIn: does not hold; the flow signIn would satisfy it"]
        )
    }
}
