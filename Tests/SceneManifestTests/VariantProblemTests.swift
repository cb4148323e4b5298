import SceneManifest
import SceneRouting
import StrictJSON
import Testing

@Suite("What is wrong with the variants in a manifest")
struct VariantProblemTests {
    private static let head = """
        name: App
        schemes: [app]
        facts: { arm: { type: string }, count: { type: integer } }
        preconditions:
          signedIn: { holds: signedIn, flow: auth }
        tabs: { home: home }
        flows: { auth: { screens: [login] } }
        destinations:
          home: { tab: home, routes: ["app://home"], HOME }
          offer:
            ancestry: [home]
            parameters: { id: string, kind: { oneOf: [a, b] }, from: { type: string, optional: true } }
            preconditions: [signedIn]
            routes: ["app://offer/{id}/{kind}"]
            variants: VARIANTS
          plus: { ancestry: [home], parameters: { id: string }, preconditions: [signedIn] }
          chain: { ancestry: [home], variants: [{ when: signedIn, destination: home }], routes: ["app://chain"] }
          other: { ancestry: [home], parameters: { id: string }, preconditions: [signedIn], routes: ["app://other/{id}"] }
          named: { ancestry: [home], parameters: { di: string }, preconditions: [signedIn], routes: ["app://named/{di}"] }
          typed: { ancestry: [home], parameters: { kind: { oneOf: [a] } }, preconditions: [signedIn], routes: ["app://typed/{kind}"] }
          asking: { ancestry: [home], parameters: { from: string }, preconditions: [signedIn], routes: ["app://asking/{from}"] }
          open: { ancestry: [home], routes: ["app://open"] }
        FALLBACK

        """

    private static func text(_ variants: String, home: String = "", fallback: String = "") -> String {
        head.replacing("VARIANTS", with: variants).replacing(", HOME", with: home).replacing("FALLBACK", with: fallback)
    }

    private static func problems(_ text: String) -> [String] {
        AppManifest.problems(in: text, file: "app.yaml").map(\.description)
    }

    @Test(
        "is nothing if they are right, and they are written as they were read",
        arguments: [
            "[]", "[{ when: { fact: arm, equals: b }, destination: plus }]",
            "[{ when: { all: [signedIn, { fact: count, less: 3 }] }, destination: plus }]",
            "[{ when: { any: [{ fact: count, less: 3 }, { period: { until: 2030-01-01 } }] }, destination: plus }]",
        ]
    )
    func none(variants: String) throws {
        let text = Self.text(variants)
        // Without variants nothing leads to one of them.
        #expect(Self.problems(text).allSatisfy { variants == "[]" && $0.contains("nothing leads to 'plus'") })
        let manifest = try AppManifest.read(text).manifest
        #expect(try AppManifest.read(JSONValue.object(manifest.json).text()).manifest == manifest)
    }

    static let wrong: [(variants: String, says: String)] = [
        (
            "{ when: signedIn, destination: plus }",
            "app.yaml:15:15: error: destinations.offer.variants: is a mapping; expected a list"
        ),
        ("[null]", "destinations.offer.variants[0]: 'destination' is missing; expected a member 'destination'"),
        (
            "[{ when: signedIn, destination: plsu }]",
            "app.yaml:15:34: error: destinations.offer.variants[0].destination: there is no destination 'plsu'; expected one of home, offer, plus, chain, other, named, typed, asking, open; did you mean 'plus'?"
        ),
        (
            "[{ destination: plus }]",
            "app.yaml:15:16: error: destinations.offer.variants[0]: 'when' is missing; expected a member 'when'"
        ),
        (
            "[{ when: signedIn }]",
            "app.yaml:15:16: error: destinations.offer.variants[0]: 'destination' is missing; expected a member 'destination'"
        ),
        (
            "[{ when: signedin, destination: plus }]",
            "app.yaml:15:24: error: destinations.offer.variants[0].when: 'signedin' is not a predicate; expected signedIn, freshSignIn, always or a mapping such as { present: cart }; did you mean 'signedIn'?"
        ),
        (
            "[{ when: { fact: amr, equals: b }, destination: plus }]",
            "app.yaml:15:26: error: destinations.offer.variants[0].when.fact: there is no fact 'amr'; expected one of arm, count; did you mean 'arm'?"
        ),
        (
            "[{ when: freshSignIn, destination: plus }]",
            "destinations.offer.variants[0].when: only a precondition can ask for freshSignIn"
        ),
        (
            "[{ when: { fact: arm, equals: { parameter: id } }, destination: plus }]",
            "destinations.offer.variants[0].when: a variant is chosen once for a user, whatever the parameters are; expected a condition that looks at no parameter"
        ),
        (
            "[{ when: signedIn, destination: offer }]",
            "destinations.offer.variants[0].destination: 'offer' is its own variant; expected another destination; 'offer' is shown when no variant's condition holds"
        ),
        (
            "[{ when: signedIn, destination: chain }]",
            "destinations.offer.variants[0].destination: 'chain' has variants itself; expected a destination without variants"
        ),
        (
            "[{ when: signedIn, destination: named }]",
            "destinations.offer.variants[0].destination: 'named' requires the parameter 'di', which 'offer' does not have; expected one of id, kind, from; did you mean 'id'?"
        ),
        (
            "[{ when: signedIn, destination: typed }]",
            "destinations.offer.variants[0].destination: 'typed' and 'offer' have a parameter 'kind' of different types; expected one of 'a', 'b'"
        ),
        (
            "[{ when: signedIn, destination: asking }]",
            "destinations.offer.variants[0].destination: 'asking' requires the parameter 'from', which may be absent in 'offer'; expected a parameter 'from' that is required there, too, or has a default"
        ),
        (
            "[\(Array(repeating: "{ when: signedIn, destination: plus }", count: 65).joined(separator: ", "))]",
            "destinations.offer.variants: there are 65 variants; expected at most 64"
        ),
        (
            "[{ when: signedIn, destination: plus, weight: 2 }]",
            "destinations.offer.variants[0].weight: 'weight' is not allowed here; expected one of when, destination"
        ),
    ]

    @Test("names what, where, and what would be right", arguments: wrong)
    func names(variants: String, says: String) {
        let problems = Self.problems(Self.text(variants))
        #expect(problems.contains { $0.contains(says) && $0.contains("error") }, "\(problems)")
    }

    @Test("names the root of a tab, and the fallback, which have none")
    func places() {
        let variants = ", variants: [{ when: signedIn, destination: open }]"
        let root = Self.problems(Self.text("[]", home: variants))
        #expect(
            root.contains {
                $0.contains("destinations.home.variants: the root of a tab is shown without anybody being led to it")
            },
            "\(root)"
        )
        let fallback = Self.problems(Self.text("[]", fallback: "fallback: chain"))
        #expect(
            fallback.contains {
                $0.contains(
                    "destinations.chain.variants: 'chain' is the app's fallback, which is shown for what leads nowhere"
                )
            },
            "\(fallback)"
        )
    }

    static let dead: [(variants: String, says: String)] = [
        (
            "[{ when: always, destination: plus }, { when: { fact: arm, equals: b }, destination: other }]",
            "variants[1].when: variants[0] is chosen whenever this holds, so 'other' never is; expected a condition that may hold while that of variants[0] does not, or this one before it"
        ),
        (
            "[{ when: { fact: arm, equals: b }, destination: plus }, { when: { fact: arm, equals: b }, destination: other }]",
            "variants[1].when: variants[0] is chosen"
        ),
        (
            "[{ when: signedIn, destination: plus }, { when: { all: [{ fact: count, less: 3 }, signedIn] }, destination: other }]",
            "variants[1].when: variants[0] is chosen"
        ),
        (
            "[{ when: { any: [signedIn, { fact: count, less: 3 }] }, destination: plus }, { when: { fact: count, less: 3 }, destination: other }]",
            "variants[1].when: variants[0] is chosen"
        ),
        (
            "[{ when: { not: always }, destination: plus }]",
            "variants[0].when: this never holds, so 'plus' is never chosen"
        ),
        (
            "[{ when: { fact: arm, equals: b }, destination: plus }, { when: { fact: count, less: 3 }, destination: plus }]",
            "variants[1].destination: 'plus' is the destination of variants[0] already; expected one variant for both conditions, with 'any', or another destination"
        ),
    ]

    @Test("warns of a variant that is never chosen, and of one destination twice", arguments: dead)
    func neverChosen(variants: String, says: String) {
        let warnings = Self.problems(Self.text(variants)).filter { $0.contains("offer.variants") }
        #expect(
            warnings.count == 1
                && warnings[0].contains("app.yaml:15:") && warnings[0].contains("warning: destinations.offer.\(says)"),
            "\(warnings)"
        )
    }

    @Test("names the place in the file, also behind a variant that could not be read")
    func behindOneLeftOut() {
        let problems = Self.problems(
            Self.text("[{ when: signedIn }, { when: { fact: arm, equals: b }, destination: plsu }]")
        )
        #expect(
            problems.contains {
                $0.hasPrefix("app.yaml:15:")
                    && $0.contains("destinations.offer.variants[1].destination: there is no destination 'plsu'")
            },
            "\(problems)"
        )
    }

    @Test("warns of a variant that stays on screen when what the destination needs does not hold any more")
    func needsLess() {
        let problems = Self.problems(
            Self.text("[{ when: signedIn, destination: open }, { when: { fact: arm, equals: b }, destination: plus }]")
        )
        #expect(
            problems == [
                "app.yaml:15:34: warning: destinations.offer.variants[0].destination: 'open' does not need 'signedIn', as 'offer' does, so it stays on screen when that no longer holds; expected 'signedIn' among what 'open' needs"
            ]
        )
    }
}
