import Basics
import SceneEntryPoints
import SceneHistory
import SceneNavigation
import SceneRouting
import SceneRuntime
import Testing

/// Whatever effects a manifest declares for intents and completions, the runtime does what the model says that they do.
@Suite struct EffectTests {
    private static let texts = ["", "a", "b", "7", "-3", "1.5", "nan", "1e999", "true", "e\u{301}", "\u{E9}"] + dates
    private static let dates = ["2026-11-27", "2026-11-27T08:00Z", "2026-11-27T08:00:00Z", "2026-11-31"]

    private struct Maker {
        var random: SplitMix

        mutating func value(_ type: FactDeclaration.FactType) -> FactValue {
            switch type {
            case .string: .string(random.pick(EffectTests.texts))
            case .integer: .integer(random.below(9) - 4)
            case .number: .number(Double(random.below(9)) / 2)
            case .boolean: .boolean(random.below(2) == 0)
            case .strings: .strings((0..<random.below(3)).map { _ in random.pick(EffectTests.texts) })
            case .date: .string(random.pick(["2026-11-27T00:00:00Z", "2026-11-27T08:00:00Z"]))
            }
        }

        mutating func fact() -> FactDeclaration { random.pick(Self.facts) }

        static let facts = [
            FactDeclaration(name: "text", type: .string), FactDeclaration(name: "count", type: .integer, scope: .app),
            FactDeclaration(name: "weight", type: .number, defaultValue: .number(2)),
            FactDeclaration(name: "flag", type: .boolean, scope: .app, defaultValue: .boolean(true)),
            FactDeclaration(name: "list", type: .strings, defaultValue: .strings(["a"])),
            FactDeclaration(name: "more", type: .strings, scope: .app),
            FactDeclaration(name: "day", type: .date),
            FactDeclaration(name: "market", type: .string, scope: .app),
        ]

        mutating func source(_ type: FactDeclaration.FactType, hasParameters: Bool) -> ValueSource {
            switch random.below(hasParameters ? 3 : 2) {
            case 0: .literal(value(type))
            case 1: .fact(random.below(3) == 0 ? fact().name : Self.facts.first { $0.type == type }?.name ?? "text")
            default: .parameter(random.pick(["p", "n"]))
            }
        }

        mutating func effects(hasParameters: Bool, routes: Bool = true) -> [IntentEffect] {
            var effects: [IntentEffect] = (0..<random.below(4)).map { _ in
                let fact = fact()
                switch random.below(11) {
                case 8: return .remove(fact: "list", source(.string, hasParameters: hasParameters))
                case 9: return .add(fact: random.pick(["count", "weight"]), amount(hasParameters: hasParameters))
                case 10: return .add(fact: "count", amount(hasParameters: hasParameters))
                case 0...3: return .set(fact: fact.name, source(fact.type, hasParameters: hasParameters))
                case 4, 5: return .append(fact: "list", source(.string, hasParameters: hasParameters))
                case 6: return .reset(fact: fact.name)
                default: return hasParameters ? random.pick([.signOut, .markStale]) : .reset(fact: fact.name)
                }
            }
            if routes, random.below(2) == 0 {
                let parameters = ["id": source(.string, hasParameters: hasParameters)]
                effects.append(.route(destination: "there", parameters: parameters))
            }
            return effects.map { sometimes($0, hasParameters: hasParameters) }
        }

        private mutating func amount(hasParameters: Bool) -> ValueSource {
            switch random.below(hasParameters ? 4 : 3) {
            case 0: .literal(.integer(random.below(9) - 4))
            case 1: .fact("count")
            case 2: .literal(.integer(random.pick([Int.max, Int.min, 0])))
            default: .parameter("n")
            }
        }

        private func screenParameters(_ screen: String) -> [ParameterDeclaration] {
            switch screen {
            case "first": [ParameterDeclaration(name: "id", type: .string, isRequired: false)]
            case "second":
                [
                    ParameterDeclaration(name: "id", type: .string, defaultValue: "none"),
                    ParameterDeclaration(
                        name: "n",
                        type: .integer(minimum: 0, maximum: 9),
                        isRequired: false,
                        defaultValue: "03"
                    ),
                ]
            default: []
            }
        }

        private mutating func given(_ screen: String) -> [String: ValueSource] {
            var given: [String: ValueSource] = [:]
            for parameter in screenParameters(screen) where random.below(2) == 0 {
                given[parameter.name] = parameter.name == "id" ? source(.string, hasParameters: true) : amount()
            }
            return given
        }

        private mutating func amount() -> ValueSource {
            random.pick([.literal(.string("4")), .parameter("n"), .fact("count")])
        }

        private mutating func move() -> IntentEffect {
            let screen = random.pick(["first", "second", "third"])
            let effect: IntentEffect
            switch random.below(6) {
            case 0, 1: effect = .push(screen: screen, parameters: given(screen))
            case 2: effect = .replace(screen: screen, parameters: given(screen), animated: false)
            case 3: effect = .pop(count: 1 + random.below(3))
            case 4: effect = .popTo(screen: screen)
            default: effect = .popToRoot()
            }
            return sometimes(effect, hasParameters: true)
        }

        /// The effect, now and then with a condition.
        private mutating func sometimes(_ effect: IntentEffect, hasParameters: Bool) -> IntentEffect {
            random.below(3) == 0 ? .when(condition(hasParameters: hasParameters), effect) : effect
        }

        private mutating func condition(hasParameters: Bool) -> FactPredicate {
            let fact = fact()
            let condition: FactPredicate
            switch random.below(hasParameters ? 7 : 5) {
            case 0: condition = .signedIn
            case 1: condition = .present(fact: fact.name)
            case 2: condition = .compare(fact: fact.name, .equal, .value(value(fact.type)))
            case 3: condition = .compare(fact: "count", .greater, .value(.integer(random.below(5) - 2)))
            case 4: condition = .period(from: random.below(2) == 0 ? nil : .date(4_000_000_000), until: nil)
            case 5: condition = .contains(fact: "list", .parameter("p"))
            default: condition = .compare(fact: "count", .less, .parameter("n"))
            }
            return random.below(3) == 0 ? .not(condition) : condition
        }

        mutating func intent(
            _ name: String,
            _ effects: [IntentEffect]? = nil,
            ending: [IntentEffect] = []
        ) -> IntentDeclaration {
            IntentDeclaration(
                name: name,
                parameters: [
                    ParameterDeclaration(name: "p", type: .string, isRequired: false),
                    ParameterDeclaration(
                        name: "n",
                        type: .integer(minimum: nil, maximum: nil),
                        isRequired: false,
                        defaultValue: "5"
                    ),
                ],
                effects: (effects ?? self.effects(hasParameters: true, routes: ending.isEmpty)) + ending
            )
        }

        mutating func manifest() -> AppManifest {
            var manifest = AppManifest(name: "App", schemes: ["app"])
            manifest.facts = Self.facts
            manifest.tabs = [TabDeclaration(id: "home", root: "home")]
            manifest.preconditions = [
                PreconditionDeclaration(name: "signedIn", holds: .signedIn, flow: "flow"),
                PreconditionDeclaration(name: "never", holds: .not(.always), flow: "flow"),
            ]
            manifest.markets = ["de"]
            manifest.conditions = [("local", "where"), ("possible", "how")].map { name, parameter in
                let isOther = FactPredicate.compare(fact: "text", .notEqual, .parameter(parameter))
                return ConditionDeclaration(name: name, holds: isOther, reason: "it is the same")
            }
            manifest.destinations = [
                DestinationDeclaration(id: "home", presentation: .tab("home")),
                DestinationDeclaration(
                    id: "there",
                    parameters: [
                        ParameterDeclaration(name: "id", type: .string, isRequired: false),
                        ParameterDeclaration(
                            name: "where",
                            type: .string,
                            defaultValue: "a",
                            variantDefaults: ["de": "b"]
                        ),
                        ParameterDeclaration(name: "how", type: .string, defaultValue: "7"),
                    ],
                    ancestry: ["home"],
                    conditions: ["local", "possible"]
                ),
                DestinationDeclaration(id: "own", ancestry: ["home"], preconditions: ["signedIn"]),
                DestinationDeclaration(
                    id: "shut",
                    parameters: ["id", "n"].map { ParameterDeclaration(name: $0, type: .string, isRequired: false) },
                    ancestry: ["home"],
                    preconditions: ["never"]
                ),
            ]
            manifest.routes = [
                RouteDeclaration(destination: "own", pattern: "app://own"),
                RouteDeclaration(destination: "shut", pattern: "app://shut?id={id?}&n={n?}"),
            ]
            manifest.intents = ["one", "two", "three"].map { intent($0) }
            manifest.flows = [
                FlowDeclaration(
                    name: "flow",
                    screens: ["first", "second", "third"].map { FlowScreen(id: $0, parameters: screenParameters($0)) },
                    start: [
                        FlowStart(when: condition(hasParameters: false), screen: "second"),
                        FlowStart(when: condition(hasParameters: false), screen: "first"),
                        FlowStart(when: condition(hasParameters: false), screen: "third"),
                    ],
                    intents: [
                        intent("done", ending: [.complete(user: random.below(2) == 0 ? "p" : nil)]),
                        intent("left", ending: [.cancel]), intent("step", ending: [.push(screen: "second")]),
                        intent("move", ending: [move(), move()]),
                        intent("moveOn", [.push(screen: random.pick(["second", "third"])), move()]),
                        intent("moveBack", [move()]),
                        intent(
                            "either",
                            ending: [
                                .when(.signedIn, .complete(user: "p")),
                                .when(.compare(fact: "count", .less, .value(.integer(0))), .cancel),
                                .when(.present(fact: "text"), .push(screen: "second")),
                            ]
                        ),
                    ],
                    completion: effects(hasParameters: false)
                )
            ]
            return manifest
        }

        mutating func act() -> SceneAction {
            if random.below(5) == 0 {
                var completion = FlowCompletion(user: random.below(2) == 0 ? random.pick(["mina", "theo"]) : nil)
                if random.below(2) == 0 { completion.facts["count"] = .integer(random.below(5)) }
                if random.below(2) == 0 { completion.facts["text"] = .string(random.pick(EffectTests.texts)) }
                return .finishFlow("flow", random.below(4) == 0 ? .cancelled : .completed(completion))
            }
            var parameters: [String: String] = [:]
            if random.below(3) > 0 { parameters["p"] = random.pick(EffectTests.texts.dropFirst() + []) }
            if random.below(3) > 0 { parameters["n"] = random.pick(["0", "7", "-12", "007"]) }
            let name = random.pick([
                "one", "two", "three", "done", "done", "left", "step", "either", "move", "move", "moveOn", "moveOn",
                "moveOn", "moveBack", "moveBack", "moveBack",
            ])
            return .intent(Intent(name: name, parameters: parameters))
        }
    }

    @Test(arguments: 1...4 as ClosedRange<UInt64>)
    func `effects of every shape do what the model says`(seed: UInt64) async throws {
        var maker = Maker(random: SplitMix(seed: seed))
        var (tried, commits, pops) = (0, 0, 0)
        for number in 0..<120 {
            let manifest = maker.manifest()
            // A value of a type that the fact does not take is refused when a manifest is loaded.
            guard let host = try? SceneHost(id: "effects-\(number)", manifest: manifest) else { continue }
            tried += 1
            try host.connect(scene: "A")
            for _ in 0..<25 {
                switch maker.random.below(9) {
                case 0: _ = try? await host.session.signIn(user: maker.random.pick(["mina", "theo"]))
                case 1:
                    switch maker.random.below(3) {
                    case 0: await host.session.signOut()
                    case 1: await host.session.markStale()
                    default: _ = try? await host.session.commit(set: ["market": .string("de")])
                    }
                case 2:
                    let fact = maker.fact()
                    _ = try? await host.session.commit(set: [fact.name: maker.value(fact.type)])
                case 3, 4:
                    let url = maker.random.pick([
                        "app://own", "app://shut", "app://shut?id=x", "app://shut?id=y&n=7", "app://shut?n=12",
                        "app://shut?n=many",
                    ])
                    _ = try? host.admit(Submission(.url(url), scene: "A"))
                default: _ = try? host.admit(Submission(maker.act(), scene: "A"))
                }
                if maker.random.below(3) > 0 { await host.quiesce() }
            }
            await host.quiesce()
            await host.drain()
            let records = host.records.read(after: 0).records
            commits += records.count { $0.kind == .sessionCommitted && $0.subject.event != nil }
            let stacks = records.compactMap { record in
                if case .navigationStep(.setModalStack(_, let stack), _, _) = record.body { stack.count } else { nil }
            }
            pops += zip(stacks, stacks.dropFirst()).count { $1 < $0 }
            let report = checked(records.map(\.json), app: manifest)
            #expect(
                report.conclusion == .holds,
                "seed \(seed), host \(number): \(report.text)\n\(manifest.flows) \(manifest.intents)"
            )
        }
        #expect(tried > 20 && commits > 100 && pops > 8, "\(tried) hosts, \(commits) commits, \(pops) pops")
    }
}
