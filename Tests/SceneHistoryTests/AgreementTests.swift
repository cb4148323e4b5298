import SceneEntryPoints
import SceneHistory
import SceneManifest
import SceneModel
import SceneNavigation
import SceneRouting
import SceneRuntime
import StrictJSON
import Testing

/// The model notices that a host does not do what the manifest says, although its records agree with each other.
///
/// The host runs one manifest and the model has another of the same name and version, which differs in one declaration. So
/// whatever a manifest can say is noticed if the runtime did otherwise.
@Suite struct AgreementTests {
    struct Change: CustomTestStringConvertible, Sendable {
        let testDescription: String
        let make: @Sendable (inout AppManifest) -> Void

        init(_ description: String, _ make: @escaping @Sendable (inout AppManifest) -> Void) {
            testDescription = description
            self.make = make
        }

        init(
            destination id: String,
            _ what: String,
            _ change: @escaping @Sendable (inout DestinationDeclaration) -> Void
        ) {
            self.init("\(id): \(what)") { manifest in
                for place in manifest.destinations.indices where manifest.destinations[place].id == id {
                    change(&manifest.destinations[place])
                }
            }
        }

        init(flow name: String, _ what: String, _ change: @escaping @Sendable (inout FlowDeclaration) -> Void) {
            self.init("\(name): \(what)") { manifest in
                for place in manifest.flows.indices where manifest.flows[place].name == name {
                    change(&manifest.flows[place])
                }
            }
        }

        init(fact name: String, _ what: String, _ change: @escaping @Sendable (inout FactDeclaration) -> Void) {
            self.init("\(name): \(what)") { manifest in
                for place in manifest.facts.indices where manifest.facts[place].name == name {
                    change(&manifest.facts[place])
                }
            }
        }

        init(intent name: String, _ effects: [IntentEffect]) {
            self.init("\(name): other effects") { manifest in
                for place in manifest.intents.indices where manifest.intents[place].name == name {
                    manifest.intents[place].effects = effects
                }
            }
        }
    }

    static let changes = [
        Change(destination: "checkout", "another ancestry") { $0.ancestry = ["home"] },
        Change(destination: "checkout", "another style") { $0.presentation = .modal(.sheet) },
        Change(destination: "checkout", "no flow") { $0.flow = nil },
        Change(destination: "product", "does not repeat") { $0.repeats = false },
        Change(destination: "category", "repeats") { $0.repeats = true },
        Change(destination: "cart", "no precondition") { $0.preconditions = [] },
        Change(destination: "category", "a precondition") { $0.preconditions = ["signedIn"] },
        Change(destination: "checkout", "preconditions in another order") { $0.preconditions.reverse() },
        Change(destination: "category", "a condition") { $0.conditions = ["cartNotEmpty"] },
        Change(destination: "checkout", "no condition") { $0.conditions = [] },
        Change("tabs in another order") { $0.tabs.reverse() },
        Change(flow: "auth", "another style") { $0.style = .fullScreen },
        Change(flow: "addPayment", "another first screen") { $0.screens.insert(FlowScreen(id: "cardScan"), at: 0) },
        Change(flow: "auth", "an intent less") { flow in flow.intents.removeAll { $0.name == "cancelled" } },
        Change(flow: "auth", "a step to another screen") { flow in
            for place in flow.intents.indices where flow.intents[place].name == "signUpRequested" {
                flow.intents[place].effects = [.push(screen: "welcome")]
            }
        },
        Change(flow: "auth", "a step back to the first screen") { flow in
            for place in flow.intents.indices where flow.intents[place].name == "verificationCancelled" {
                flow.intents[place].effects = [.popToRoot()]
            }
        },
        Change(flow: "auth", "a step back to a screen") { flow in
            for place in flow.intents.indices where flow.intents[place].name == "verificationCancelled" {
                flow.intents[place].effects = [.popTo(screen: "login")]
            }
        },
        Change(flow: "addPayment", "another start while the cart is not empty") {
            $0.screens.append(FlowScreen(id: "cardScan"))
            $0.start = [FlowStart(when: .present(fact: "cart"), screen: "cardScan")]
        },
        Change(flow: "addPayment", "a first screen that takes what waits for it") {
            $0.screens[0].parameters = [ParameterDeclaration(name: "id", type: .string, defaultValue: "none")]
        },
        Change(flow: "checkout", "another completion") {
            $0.completion = [.route(destination: "account", parameters: [:])]
        },
        Change(flow: "checkout", "a completion that leads to what it does not report") {
            $0.completion = [
                .reset(fact: "cart"), .route(destination: "order", parameters: ["id": .literal(.string("o1"))]),
            ]
        },
        Change(flow: "checkout", "a completion that resets nothing") { $0.completion.removeFirst() },
        Change(flow: "addPayment", "an intent that sets something else") { flow in
            for place in flow.intents.indices where flow.intents[place].name == "paymentAdded" {
                flow.intents[place].effects = [
                    .set(fact: "paymentMethod", .literal(.string("cash"))), .complete(user: nil),
                ]
            }
        },
        Change(flow: "auth", "an intent that signs nobody in") { flow in
            for place in flow.intents.indices where flow.intents[place].name == "loginCompleted" {
                flow.intents[place].effects = [.complete(user: nil)]
            }
        },
        Change(fact: "cart", "what it begins with") { $0.defaultValue = .strings(["p9"]) },
        Change(fact: "paymentMethod", "who keeps it") { $0.scope = .app },
        Change("a fact more") {
            $0.facts.append(FactDeclaration(name: "more", type: .integer, defaultValue: .integer(1)))
        },
        Change("a condition that does not look at the parameter") { manifest in
            for place in manifest.conditions.indices where manifest.conditions[place].name == "inStock" {
                manifest.conditions[place].holds = .not(.contains(fact: "unavailable", .value(.string("p0"))))
            }
        },
        Change("a precondition that asks for a value") { manifest in
            for place in manifest.preconditions.indices where manifest.preconditions[place].name == "paymentMethod" {
                manifest.preconditions[place].holds = .compare(
                    fact: "paymentMethod",
                    .notEqual,
                    .value(.string("card"))
                )
            }
        },
        Change(
            intent: "buyNow",
            [.append(fact: "cart", .literal(.string("p7"))), .route(destination: "cart", parameters: [:])]
        ),
        Change(intent: "cartTapped", [.route(destination: "orders", parameters: [:])]),
        Change(intent: "accountTapped", [.set(fact: "order", .literal(.string("o1")))]),
        Change(intent: "signOutTapped", [.markStale]),
        Change(
            intent: "buyNow",
            [
                .append(fact: "cart", .parameter("id")),
                .when(.signedIn, .append(fact: "cart", .literal(.string("p9")))),
                .route(destination: "cart", parameters: [:]),
            ]
        ),
        Change(
            intent: "buyNow",
            [
                .append(fact: "cart", .parameter("id")), .remove(fact: "cart", .literal(.string("p0"))),
                .route(destination: "cart", parameters: [:]),
            ]
        ),
        Change(flow: "auth", "no screen hides the way back") { flow in
            for place in flow.screens.indices { flow.screens[place].hidesBack = false }
        },
        Change("an intent of the app less") { manifest in manifest.intents.removeAll { $0.name == "accountTapped" } },
        Change("another flow for a precondition") { manifest in
            for place in manifest.preconditions.indices where manifest.preconditions[place].name == "paymentMethod" {
                manifest.preconditions[place].flow = "auth"
            }
        },
        Change("another predicate") { manifest in
            for place in manifest.preconditions.indices where manifest.preconditions[place].name == "signedIn" {
                manifest.preconditions[place].holds = .always
            }
        },
        Change("a precondition that does not ask for a fresh sign-in") { manifest in
            for place in manifest.preconditions.indices where manifest.preconditions[place].name == "freshSignIn" {
                manifest.preconditions[place].holds = .signedIn
            }
        },
        Change("a precondition more") { manifest in
            manifest.preconditions.append(PreconditionDeclaration(name: "more", holds: .always, flow: "auth"))
        },
        Change("the policy queue") { $0.policies.whileGated = .queue },
        Change("the policy reject") { $0.policies.whileGated = .reject },
        Change("a root") { $0.roots = [RootDeclaration(flow: "auth", when: .not(.signedIn))] },
        Change("a fallback") { $0.fallback = Destination(id: "account") },
        Change("a route to another destination") { manifest in
            for place in manifest.routes.indices where manifest.routes[place].destination == "cart" {
                manifest.routes[place].destination = "orders"
            }
        },
        Change("another scene configuration") { $0.configurations[0].name = "main" },
    ]

    @Test(arguments: changes)
    func `what a host does by another manifest is noticed by the model and by nothing else`(change: Change) async throws
    {
        let given = try AppManifest.builtInShop()
        var changed = given
        change.make(&changed)
        try #require(changed != given)
        var walk = try RandomWalk(seed: 31, manifest: changed, model: given)
        // What is seldom seen took up to 20,000 steps; the walk ends where it is.
        try await walk.go(steps: 500_000, checkingEvery: 100, untilViolated: true)
        #expect(walk.report.violated == [.agreement], "\(walk.report.text)")
    }

    @Test func `a fallback is a destination like any other`() async throws {
        var manifest = try AppManifest.builtInShop()
        // It repeats, and a parameter has a default.
        manifest.fallback = Destination(id: "product", parameters: ["id": "p7"])
        for place in manifest.destinations.indices where manifest.destinations[place].id == "product" {
            manifest.destinations[place].parameters[1].defaultValue = "app"
        }
        let host = try SceneHost(id: "fallback", manifest: manifest)
        try host.connect(scene: "A")
        try await host.session.signIn(user: "mina", facts: ["unavailable": .strings(["p1"])])
        let intent = SceneAction.intent(Intent(name: "productSelected", parameters: ["id": "p1"]))
        for submission in [
            Submission(try .url("qcommerce://product/p1"), scene: "A"), Submission(intent, scene: "A"),
            Submission(intent, scene: "A"), Submission(try .url("qcommerce://product/p1"), scene: "A"),
        ] {
            #expect(await host.receipt(of: try host.admit(submission)).outcome == .rejected(reason: "inStock"))
        }
        let fallback = Destination(id: "product", parameters: ["id": "p7", "ref": "app"])
        #expect(try host.scene("A").window.topmost == fallback)
        await host.drain()
        let report = checked(host.records.read(after: 0).records.map(\.json), app: manifest)
        #expect(report.conclusion == .holds, "\(report.text)")
    }

    @Test func `what is parked is what was asked for, and its defaults are those of the market at the resume`()
        async throws
    {
        var manifest = try AppManifest.builtInShop()
        manifest.markets = ["de", "fr"]
        for place in manifest.destinations.indices where manifest.destinations[place].id == "category" {
            manifest.destinations[place].preconditions = ["signedIn"]
            manifest.destinations[place].parameters.append(
                ParameterDeclaration(
                    name: "lang",
                    type: .string,
                    defaultValue: "en",
                    variantDefaults: ["de": "de", "fr": "fr"]
                )
            )
        }
        let host = try SceneHost(id: "market", manifest: manifest)
        try host.connect(scene: "A")
        try await host.session.commit(set: ["market": .string("de")])
        let push = try EntryEvent.push(
            payload: ["aps": ["alert": "Look"], "route": "category", "parameters": ["slug": "fruit"]],
            interaction: "open"
        )
        let admission = try host.admit(Submission(push, scene: "A"))
        #expect(await host.receipt(of: admission).outcome == .gated(precondition: "signedIn"))
        try await host.session.commit(set: ["market": .string("fr")])
        try await host.session.signIn(user: "mina")
        await host.quiesce()
        let shown = Destination(id: "category", parameters: ["slug": "fruit", "lang": "fr"])
        #expect(try host.scene("A").window.topmost == shown)
        await host.drain()
        let report = checked(host.records.read(after: 0).records.map(\.json), app: manifest)
        #expect(report.conclusion == .holds, "\(report.text)")
    }

    @Test func `what depends on the time is judged by the time of the decision`() async throws {
        var manifest = try AppManifest.builtInShop()
        manifest.conditions.append(
            ConditionDeclaration(
                name: "sale",
                holds: .period(from: .date(1_000), until: .date(2_000)),
                reason: "there is no sale"
            )
        )
        for place in manifest.destinations.indices where manifest.destinations[place].id == "promo" {
            manifest.destinations[place].conditions = ["sale"]
        }
        func report(of app: AppManifest, _ edit: (inout JSONObject) -> Void = { _ in }) async throws -> HistoryReport {
            let clock = VirtualClock(wallTime: 999.5)
            let host = try SceneHost(id: "sale", manifest: manifest, clock: clock)
            try host.connect(scene: "A")
            for outcome: Outcome in [.rejected(reason: "sale"), .applied, .applied, .rejected(reason: "sale")] {
                let promo = try host.admit(Submission(.url("qcommerce://promo/SPRING"), scene: "A"))
                #expect(await host.receipt(of: promo).outcome == outcome)
                _ = try host.admit(Submission(.gesture(.back), scene: "A"))
                await host.quiesce()
                await clock.advance(by: outcome == .applied ? .milliseconds(999_500) : .milliseconds(500)) {}
            }
            await host.drain()
            var records = host.records.read(after: 0).records.map(\.json)
            for place in records.indices where records[place]["kind"] == "dispatch.resolved" { edit(&records[place]) }
            return checked(records, app: app, digest: manifest.digest)
        }
        let own = try await report(of: manifest)
        #expect(own.conclusion == .holds, "\(own.text)")
        #expect(try await report(of: manifest) { $0["wall"] = 2_000 }.violated == [.agreement])
        #expect(try await report(of: manifest) { $0["wall"] = nil }.violated == [.agreement])
        var other = manifest
        other.conditions[other.conditions.count - 1].holds = .period(from: .date(1_000), until: .date(1_999.75))
        #expect(try await report(of: other).violated == [])
        other.conditions[other.conditions.count - 1].holds = .period(from: .date(1_000), until: .date(1_999.25))
        #expect(try await report(of: other).violated == [.agreement])
    }

    @Test func `what coordinators in Swift decide is unknown, and the rest is judged`() async throws {
        final class Cautious: FlowCoordinator {
            func handle(_ intent: Intent, from screen: Destination, context: FlowContext) -> [FlowCommand]? {
                intent.name == "cancelled" ? [.session(.signIn(user: "guest")), .finish(.cancelled)] : nil
            }
        }
        let code = AppCode(coordinators: { flow, _ in flow == "auth" ? Cautious() : nil })
        let manifest = try AppManifest.builtInShop()
        let host = try SceneHost(id: "swift", manifest: manifest, code: code)
        try host.connect(scene: "A")
        for event: SceneAction in [.intent(Intent(name: "cartTapped")), .intent(Intent(name: "cancelled"))] {
            _ = await host.receipt(of: try host.admit(Submission(event, scene: "A")), at: .settled)
        }
        await host.quiesce()
        await host.drain()
        var records = host.records.read(after: 0).records.map(\.json)
        let report = checked(records, app: manifest)
        #expect(report.conclusion == .unknown, "\(report.text)")
        #expect(report.text.contains("written in it, and those of auth are"), "\(report.text)")
        // It is still said that the window cannot have begun like this.
        let start = try #require(records.firstIndex { $0["kind"] == "host.started" })
        records[start]["facts"] = ["cart": ["p1"]]
        #expect(checked(records, app: manifest).violated.contains(.agreement))
        // Without the marks it is not what the manifest says.
        for place in records.indices { records[place]["code"] = nil }
        records[start]["facts"] = ["cart": [], "unavailable": []]
        #expect(checked(records, app: manifest).violated == [.agreement])
    }

    @Test func `a history of another version is not judged by this one`() async throws {
        let random = try RandomHost(seed: 3)
        var other = random.manifest
        other.version = "2"
        let report = checked(try await random.run(), app: other)
        #expect(report.conclusion == .unknown)
        #expect(
            report.text.contains(
                "the history is of Shop 1 (\(random.manifest.digest)), the manifest given of Shop 2 (\(other.digest))"
            ),
            "\(report.text)"
        )
    }

    @Test func `a reload puts the manifest of its version in force`() async throws {
        let first = try AppManifest.builtInShop()
        var second = first
        second.version = "2"
        second.destinations.removeAll { $0.id == "promo" }
        second.routes.removeAll { $0.destination == "promo" }
        second.adapters.removeAll { $0.name == "spotlight-promo" }
        let host = try SceneHost(id: "reloaded", manifest: first)
        try host.connect(scene: "A")
        let promo = try host.admit(Submission(.url("qcommerce://promo/SPRING"), scene: "A"))
        #expect(await host.receipt(of: promo).outcome == .applied)
        _ = try await host.reload(second)
        await host.quiesce()
        await host.drain()
        let records = try host.records.read(after: 0).records.map { try HistoryRecord($0.json) }
        func conclusion(_ apps: [AppManifest], digest: String? = nil) -> HistoryReport {
            var checker = HistoryChecker(apps: apps.map { AppModel($0, digest: digest ?? $0.digest) })
            for record in records { checker.check(record) }
            return checker.finish()
        }
        #expect(conclusion([first, second]).conclusion == .holds, "\(conclusion([first, second]).text)")
        #expect(conclusion([first]).conclusion == .unknown)
        var third = second
        third.destinations = first.destinations
        // It has the same name and version, but it is not the one that was in force.
        #expect(conclusion([first, third]).conclusion == .unknown)
        #expect(conclusion([third], digest: first.digest).violated == [.agreement])
    }
}
