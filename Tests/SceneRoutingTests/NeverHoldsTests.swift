import Basics
import SceneManifest
import SceneRouting
import StrictJSON
import Testing

/// Random predicates over few values, tried with all of them.
@Suite("What is said never to hold")
struct NeverHoldsTests {
    private static let contexts: [RoutingContext] = {
        var all: [RoutingContext] = []
        let dates = ["2026-11-27T00:00:00Z", "2026-11-28T00:00:00Z"]
        for user in [nil, "ada"] {
            for plan in [nil, "", "a", "b"].map({ $0.map(FactValue.string) }) {
                for count in [nil, 1, 2, 3].map({ $0.map(FactValue.integer) }) {
                    for agreed in [nil, true, false].map({ $0.map(FactValue.boolean) }) {
                        for due in [nil, dates[0], dates[1]].map({ $0.map(FactValue.string) }) {
                            for now in ["2026-11-26T00:00:00Z", dates[0], "2026-11-30T00:00:00Z"] {
                                var facts: [String: FactValue] = [:]
                                facts["plan"] = plan
                                facts["count"] = count
                                facts["agreed"] = agreed
                                facts["due"] = due
                                all.append(RoutingContext(user: user, facts: facts, time: Instant.seconds(now) ?? 0))
                            }
                        }
                    }
                }
            }
        }
        return all
    }()

    private struct Random {
        var generator: SplitMix

        mutating func pick<Element>(_ elements: [Element]) -> Element {
            elements[Int.random(in: 0..<elements.count, using: &generator)]
        }

        /// A predicate that looks at dates written in the range of ``contexts``.
        mutating func predicate(depth: Int) -> FactPredicate {
            switch Int.random(in: 0..<(depth > 0 ? 12 : 7), using: &generator) {
            case 0: return .signedIn
            case 1: return .present(fact: pick(["plan", "count", "agreed", "due"]))
            case 2:
                return .compare(
                    fact: "plan",
                    pick(FactPredicate.Comparison.allCases),
                    .value(.string(pick(["a", "b", ""])))
                )
            case 3:
                return .compare(
                    fact: "count",
                    pick(FactPredicate.Comparison.allCases),
                    .value(.integer(pick([1, 2, 3])))
                )
            case 4: return .compare(fact: "agreed", pick([.equal, .notEqual]), .value(.boolean(pick([true, false]))))
            case 5: return .oneOf(fact: "plan", [.string("a"), pick([.string("b"), .string("")])])
            case 6:
                let from: FactPredicate.Moment = pick([
                    .date(Instant.seconds("2026-11-27") ?? 0), .fact("due", offset: .zero),
                    .fact("due", offset: .seconds(60)),
                ])
                let until: FactPredicate.Moment = pick([
                    .date(Instant.seconds("2026-11-29") ?? 0), .fact("due", offset: .seconds(86_400)),
                ])
                return pick([
                    .period(from: from, until: nil), .period(from: nil, until: until),
                    .period(from: from, until: until),
                ])
            case 7, 8: return .all([predicate(depth: depth - 1), predicate(depth: depth - 1)])
            case 9, 10: return .any([predicate(depth: depth - 1), predicate(depth: depth - 1)])
            default: return .not(predicate(depth: depth - 1))
            }
        }
    }

    /// - Parameter hasDefaults: Whether no fact is ever absent.
    private static func manifest(
        _ holds: FactPredicate,
        _ variants: [FactPredicate],
        hasDefaults: Bool = false
    ) throws -> AppManifest {
        var manifest = try AppManifest.read(
            """
            name: Demo
            schemes: [demo]
            facts: { plan: { type: string }, count: { type: integer }, agreed: { type: boolean }, due: { type: date } }
            tabs: { home: home }
            conditions: { rule: { holds: signedIn } }
            destinations:
              home: { tab: home, routes: ["demo://home"] }
              item: { ancestry: [home], conditions: [rule], routes: ["demo://item"] }
              one: { ancestry: [home], conditions: [rule], routes: ["demo://one"] }
              two: { ancestry: [home], conditions: [rule], routes: ["demo://two"] }
            """
        ).manifest
        manifest.conditions[0].holds = holds
        if hasDefaults {
            let values: [FactValue] = [.string("a"), .integer(2), .boolean(true), .string("2026-11-27T00:00:00Z")]
            for (index, value) in values.enumerated() { manifest.facts[index].defaultValue = value }
        }
        if let item = manifest.destinations.firstIndex(where: { $0.id == "item" }) {
            manifest.destinations[item].variants = zip(variants, ["one", "two"]).map {
                VariantDeclaration(when: $0, destination: $1)
            }
        }
        return manifest
    }

    @Test(
        "holds with no value that anything can have, and what is said always to hold with each",
        arguments: [false, true]
    )
    func soundness(hasDefaults: Bool) throws {
        let engine = try RoutingEngine(manifest: Self.manifest(.signedIn, [], hasDefaults: hasDefaults))
        var random = Random(generator: SplitMix(seed: 7))
        let contexts = Self.contexts.shuffled(using: &random.generator)
        var (said, saidAlways) = (0, 0)
        for _ in 0..<300 {
            let (first, second) = (random.predicate(depth: 3), random.predicate(depth: 2))
            let manifest = try Self.manifest(first, [second, first], hasDefaults: hasDefaults)
            let problems = AppManifest.problems(in: JSONValue.object(manifest.json).text()).filter {
                $0.severity == .warning
            }
            let mayNotHold = contexts.contains { !engine.holds(first, parameters: [:], context: $0) }
            let canHold = contexts.contains { engine.holds(first, parameters: [:], context: $0) }
            let isChosen = contexts.contains {
                engine.holds(first, parameters: [:], context: $0) && !engine.holds(second, parameters: [:], context: $0)
            }
            let never = problems.filter { $0.key == "conditions.rule.holds" && $0.message.contains("never holds") }
            let hidden = problems.contains {
                $0.key == "destinations.item.variants[1].when" && $0.message.contains("never is")
            }
            let isWhole: Bool =
                if case .all = first {
                    problems.contains {
                        $0.key.hasPrefix("conditions.rule.holds.all[")
                            && $0.key.utf8.count == "conditions.rule.holds.all[1]".utf8.count
                            && $0.message.contains("together with")
                    }
                } else { false }
            let always = problems.filter {
                $0.message.contains("always holds") && $0.key == "conditions.rule.holds"
                    || $0.message.contains("so one of them always does")
                        && $0.key.utf8.count == "conditions.rule.holds.any[1]".utf8.count
            }
            if mayNotHold { #expect(always.isEmpty, "\(first)") }
            saidAlways += always.isEmpty ? 0 : 1
            if canHold { #expect(never.isEmpty && !isWhole, "\(first)") }
            if isChosen { #expect(!hidden, "\(first) after \(second)") }
            if !canHold, problems.contains(where: { $0.key.hasPrefix("conditions.rule.holds") }) { said += 1 }
        }
        // What holds with none of these values may hold with others, so that not all of it is said.
        #expect(said > 0 && saidAlways > 0)
    }
}
