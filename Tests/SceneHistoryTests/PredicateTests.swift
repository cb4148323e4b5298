import Basics
import SceneModel
import SceneRouting
import StrictJSON
import Testing

/// Every predicate that a manifest can say means the same to the model as to the routing engine.
@Suite struct PredicateTests {
    private static let facts = [
        FactDeclaration(name: "text", type: .string),
        FactDeclaration(name: "word", type: .string, defaultValue: .string("b")),
        FactDeclaration(name: "count", type: .integer), FactDeclaration(name: "weight", type: .number),
        FactDeclaration(name: "flag", type: .boolean), FactDeclaration(name: "list", type: .strings),
        FactDeclaration(name: "start", type: .date),
        FactDeclaration(name: "end", type: .date, defaultValue: .string("1970-01-01T00:00:02Z")),
    ]
    private static let comparisons = FactPredicate.Comparison.allCases
    /// Two of them are the same to whoever compares characters rather than bytes.
    private static let texts = ["", "a", "b", "ab", "\u{E9}", "e\u{301}", "true", "1", "1.5", "-2"]
    private static let versions = ["1", "1.0", "1.2", "1.10", "2.0.0", "0.9.9"]

    private static func value(_ type: FactDeclaration.FactType, _ random: inout SplitMix) -> FactValue {
        switch type {
        case .string: .string(random.pick(texts))
        case .integer: .integer(random.below(5) - 2)
        case .number: .number(Double(random.below(9)) / 2 - 2)
        case .boolean: .boolean(random.below(2) == 0)
        case .strings: .strings((0..<random.below(3)).map { _ in random.pick(texts) })
        case .date: .string(random.pick(dates))
        }
    }

    /// The first seconds of 1970.
    private static let dates = (0..<4).map { "1970-01-01T00:00:0\($0)Z" }

    private static func moment(_ random: inout SplitMix) -> FactPredicate.Moment? {
        let offset = Duration.milliseconds(500 * (random.below(9) - 4))
        return switch random.below(6) {
        case 0, 1: nil
        case 2: .date(Double(random.below(4)))
        case 3: .parameter(random.pick(["since", "till"]), offset: offset)
        default: .fact(random.pick(["start", "end"]), offset: offset)
        }
    }

    private static func predicate(_ random: inout SplitMix, depth: Int = 0) -> FactPredicate {
        let fact = random.pick(facts)
        // Mostly of its own type.
        let type = random.below(4) == 0 ? random.pick(FactDeclaration.FactType.allCases) : fact.type
        let operand: FactPredicate.Operand =
            random.below(3) == 0
            ? .parameter(random.pick(type == .date ? ["since", "till"] : ["p", "q"])) : .value(value(type, &random))
        switch random.below(depth < 3 ? 13 : 10) {
        case 0: return random.below(3) == 0 ? .always : .signedIn
        case 1: return .freshSignIn
        case 2: return .present(fact: fact.name)
        case 3, 4, 5: return .compare(fact: fact.name, random.pick(comparisons), operand)
        case 6: return .contains(fact: "list", operand)
        case 7: return .oneOf(fact: fact.name, (0..<3).map { _ in value(type, &random) })
        case 8: return .appVersion(random.pick(comparisons), random.pick(versions))
        case 9:
            return .period(from: moment(&random), until: moment(&random))
        case 10: return .all((0..<2).map { _ in predicate(&random, depth: depth + 1) })
        case 11: return .any((0..<2).map { _ in predicate(&random, depth: depth + 1) })
        default: return .not(predicate(&random, depth: depth + 1))
        }
    }

    @Test func `every predicate means the same to the model as to the engine`() throws {
        var random = SplitMix(seed: 5)
        var met: [Bool: Int] = [:]
        for _ in 0..<4_000 {
            var manifest = AppManifest(name: "App", facts: Self.facts)
            manifest.tabs = [TabDeclaration(id: "home", root: "home")]
            manifest.conditions = [
                ConditionDeclaration(name: "it", holds: Self.predicate(&random), reason: "it does not")
            ]
            manifest.destinations = [
                DestinationDeclaration(id: "home", presentation: .tab("home")),
                DestinationDeclaration(
                    id: "there",
                    parameters: ["p", "q"].map { ParameterDeclaration(name: $0, type: .string, isRequired: false) }
                        + [
                            ParameterDeclaration(name: "since", type: .date, isRequired: false),
                            // Not written as it is given to the destination.
                            ParameterDeclaration(name: "till", type: .date, defaultValue: "1970-01-01T00:00Z"),
                        ],
                    ancestry: ["home"],
                    conditions: ["it"]
                ),
            ]
            // What cannot be compared is refused when a manifest is loaded.
            guard let engine = try? RoutingEngine(manifest: manifest) else { continue }
            let model = AppModel(manifest)
            for _ in 0..<6 {
                var facts: [String: FactValue] = [:]
                for fact in Self.facts where random.below(4) > 0 { facts[fact.name] = Self.value(fact.type, &random) }
                let parameters = Dictionary(
                    ["p", "q", "since", "till"].filter { _ in random.below(4) > 0 }.map {
                        ($0, random.pick($0.count > 1 ? Self.dates : Self.texts.dropFirst(1) + []))
                    }
                ) { first, _ in first }
                let isSignedIn = random.below(2) == 0
                let context = RoutingContext(
                    user: isSignedIn ? "mina" : nil,
                    isStale: isSignedIn && random.below(2) == 0,
                    facts: facts,
                    appVersion: random.below(4) == 0 ? nil : random.pick(Self.versions),
                    time: Double(random.below(8)) / 2
                )
                let there = Destination(id: "there", parameters: parameters)
                let isAllowed = engine.verdict(for: there, context: context) == .allowed
                met[isAllowed, default: 0] += 1
                let session = SessionState(
                    user: context.user,
                    isStale: context.isStale,
                    facts: facts.mapValues(Self.json),
                    appVersion: context.appVersion
                )
                var known = model.known(session)
                known.parameters = try engine.request(for: there, source: .external).destination.parameters
                known.wall = context.time
                let condition = manifest.conditions[0]
                #expect(model.holds("it", known) == isAllowed, "\(condition.holds), \(context), \(parameters)")
            }
        }
        #expect(met[true, default: 0] > 3_000 && met[false, default: 0] > 3_000, "\(met)")
    }

    private static func json(_ value: FactValue) -> JSONValue {
        switch value {
        case .string(let text): .string(text)
        case .integer(let integer): .integer(integer)
        case .number(let number): .number(number)
        case .boolean(let bool): .bool(bool)
        case .strings(let list): .array(list.map(JSONValue.string))
        }
    }
}
