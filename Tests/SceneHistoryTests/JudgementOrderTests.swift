import Basics
import SceneEntryPoints
import SceneHistory
import SceneModel
import SceneRouting
import SceneRuntime
import StrictJSON
import Testing

/// In which order what a destination needs is judged (<doc:/SceneRuntime/WayOfAnEvent>).
@Suite struct JudgementOrderTests {
    private static let facts = [
        FactDeclaration(name: "stock", type: .integer, scope: .app),
        FactDeclaration(name: "open", type: .boolean, scope: .app),
        FactDeclaration(name: "points", type: .integer), FactDeclaration(name: "member", type: .boolean),
    ]

    private static func predicate(_ random: inout SplitMix, depth: Int = 0) -> FactPredicate {
        switch random.below(depth < 2 ? 11 : 8) {
        case 0: .signedIn
        case 1: .present(fact: random.pick(["open", "member"]))
        case 2: .compare(fact: random.pick(["stock", "points"]), .greater, .value(.integer(random.below(3))))
        case 3: .compare(fact: random.pick(["stock", "points"]), .notEqual, .parameter("n"))
        case 4: .oneOf(fact: random.pick(["stock", "points"]), [.integer(1), .integer(2)])
        case 5: .appVersion(.greaterOrEqual, random.pick(["1", "2"]))
        case 6: .period(from: .date(Double(random.below(3))), until: nil)
        case 7: .compare(fact: random.pick(["open", "member"]), .equal, .value(.boolean(true)))
        case 8: .all((0..<2).map { _ in predicate(&random, depth: depth + 1) })
        case 9: .any((0..<2).map { _ in predicate(&random, depth: depth + 1) })
        default: .not(predicate(&random, depth: depth + 1))
        }
    }

    /// An app whose destinations stand on each other and need some of all there is, in any order.
    private static func manifest(_ random: inout SplitMix) -> AppManifest {
        var manifest = AppManifest(name: "App", schemes: ["app"], facts: facts)
        manifest.tabs = [TabDeclaration(id: "home", root: "home")]
        manifest.flows = ["welcome", "auth", "pay"].map { name in
            FlowDeclaration(name: name, screens: [FlowScreen(id: name + "Start")])
        }
        if random.below(3) == 0 { manifest.roots = [RootDeclaration(flow: "welcome", when: .not(.signedIn))] }
        manifest.preconditions = [
            PreconditionDeclaration(name: "signedIn", holds: .signedIn, flow: "auth"),
            PreconditionDeclaration(name: "paid", holds: .present(fact: "points"), flow: "pay"),
        ]
        manifest.conditions = (1...4).map { number in
            ConditionDeclaration(name: "c\(number)", holds: predicate(&random), reason: "it does not")
        }
        manifest.destinations = [DestinationDeclaration(id: "home", presentation: .tab("home"))]
        var below = ["home"]
        for id in ["one", "two", "three"] {
            manifest.destinations.append(
                DestinationDeclaration(
                    id: id,
                    parameters: [ParameterDeclaration(name: "n", type: .string, isRequired: false)],
                    ancestry: below,
                    preconditions: ["paid", "signedIn"].filter { _ in random.below(2) == 0 },
                    conditions: manifest.conditions.map(\.name).filter { _ in random.below(2) == 0 }
                )
            )
            below.append(id)
        }
        return manifest
    }

    private static func context(_ random: inout SplitMix) -> RoutingContext {
        var facts: [String: FactValue] = [:]
        for name in ["stock", "points"] where random.below(3) > 0 { facts[name] = .integer(random.below(3)) }
        for name in ["open", "member"] where random.below(3) > 0 { facts[name] = .boolean(random.below(2) == 0) }
        return RoutingContext(
            user: random.below(2) == 0 ? "mina" : nil,
            facts: facts,
            appVersion: random.pick(["1", "2"]),
            time: Double(random.below(4))
        )
    }

    @Test func `the engine judges in the order in which the model does`() throws {
        var random = SplitMix(seed: 7)
        var met: [RouteVerdict: Int] = [:]
        for _ in 0..<1_500 {
            let manifest = Self.manifest(&random)
            let engine = try RoutingEngine(manifest: manifest)
            let model = AppModel(manifest)
            for id in ["one", "two", "three"] { #expect(engine.needs(of: id) == model.needs(of: id)) }
            for _ in 0..<6 {
                let context = Self.context(&random)
                let wanted = Destination(
                    id: random.pick(["one", "two", "three"]),
                    parameters: random.below(2) == 0 ? [:] : ["n": random.pick(["0", "1", "x"])]
                )
                let (verdict, reason): (RouteVerdict, String?)
                do throws(RouteError) {
                    let request = try engine.request(for: wanted, source: .external)
                    switch try engine.resolve(request, context: context) {
                    case .proceed: (verdict, reason) = (.proceed, nil)
                    case .gated(let precondition, _, _): (verdict, reason) = (.gated, precondition)
                    }
                } catch {
                    guard case .validationFailed(let name, _) = error else { throw error }
                    (verdict, reason) = (.refused, name)
                }
                met[verdict, default: 0] += 1
                let session = SessionState(
                    user: context.user,
                    isStale: false,
                    facts: context.facts.mapValues { value in
                        switch value {
                        case .integer(let number): .integer(number)
                        case .boolean(let flag): .bool(flag)
                        default: .null
                        }
                    },
                    appVersion: context.appVersion
                )
                var known = model.known(session)
                known.wall = context.time
                let answers = model.answers(wanted.id) { name, owner in
                    model.holds(name, model.known(known, of: owner, onTheWayTo: wanted))
                }
                #expect(
                    answers.map(\.verdict) == [verdict] && answers.map(\.reason) == [reason],
                    "\(wanted) \(context)"
                )
            }
        }
        #expect(met.values.allSatisfy { $0 > 500 } && met.count == 3, "\(met)")
    }

    // MARK: - Records of older daemons

    /// The records of a host whose cart is for who is signed in, and may be closed.
    ///
    /// - Parameter closes: Whether it closes, and somebody wants to see it then.
    private static func records(_ manifest: AppManifest, closes: Bool) async throws -> [JSONObject] {
        let host = try SceneHost(id: "order", manifest: manifest)
        try host.connect(scene: "A")
        try await host.session.signIn(user: "mina")
        let event = Submission(try .url("app://cart"), scene: "A")
        _ = await host.receipt(of: try host.admit(event))
        await host.session.signOut()
        await host.quiesce()
        if closes {
            try await host.session.commit(set: ["open": .boolean(false)])
            let receipt = await host.receipt(of: try host.admit(event))
            #expect(receipt.outcome == .rejected(reason: "isOpen"), "nobody is asked to sign in for what is closed")
            await host.quiesce()
        }
        await host.drain()
        return host.records.read(after: 0).records.map(\.json)
    }

    private static func cart() -> AppManifest {
        var manifest = AppManifest(name: "App", schemes: ["app"])
        manifest.facts = [
            FactDeclaration(name: "open", type: .boolean, scope: .app, defaultValue: .boolean(true))
        ]
        manifest.tabs = [TabDeclaration(id: "home", root: "home")]
        manifest.flows = [FlowDeclaration(name: "auth", screens: [FlowScreen(id: "signIn")])]
        manifest.preconditions = [PreconditionDeclaration(name: "signedIn", holds: .signedIn, flow: "auth")]
        let isOpen = FactPredicate.compare(fact: "open", .equal, .value(.boolean(true)))
        manifest.conditions = [ConditionDeclaration(name: "isOpen", holds: isOpen, reason: "it is closed")]
        manifest.destinations = [
            DestinationDeclaration(id: "home", presentation: .tab("home")),
            DestinationDeclaration(id: "cart", ancestry: ["home"], preconditions: ["signedIn"], conditions: ["isOpen"]),
        ]
        manifest.routes = [RouteDeclaration(destination: "cart", pattern: "app://cart")]
        return manifest
    }

    /// The same records as an older daemon would have written them, whose windows say what screens need in the order of before.
    private static func older(_ records: [JSONObject], reordered: Bool) throws -> [JSONObject] {
        try records.map { record in
            var text = JSONValue.object(record).text()
            text = text.replacing("\"format\":\(HistoryRecord.newestFormat)", with: "\"format\":2")
            if reordered { text = text.replacing(#"["isOpen","signedIn"]"#, with: #"["signedIn","isOpen"]"#) }
            return try #require(JSONValue(parsing: Array(text.utf8)).objectValue)
        }
    }

    @Test func `a history of an older daemon is judged in the order of before`() async throws {
        let manifest = Self.cart()
        for closes in [false, true] {
            let records = try await Self.records(manifest, closes: closes)
            let report = checked(records, app: manifest)
            #expect(report.conclusion == .holds, "\(report.text)")
            #expect(checked(try Self.older(records, reordered: false), app: manifest).violated == [.agreement])
            // It would have asked to sign in before it refused what is closed.
            let older = checked(try Self.older(records, reordered: true), app: manifest)
            #expect(older.violated == (closes ? [.agreement] : []), "\(older.text)")
        }
    }
}
