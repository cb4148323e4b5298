import Basics
import Foundation
import SceneEntryPoints
import SceneManifest
import SceneRouting
import SceneVocabulary
import StrictJSON
import Testing

@testable import SceneSoak

@Suite("Samples of an app's manifest")
struct ManifestSamplesTests {
    @Test("have a link for each destination with a route, and each leads there", arguments: ExampleApp.allCases)
    func links(example: ExampleApp) throws {
        let manifest = try example.manifest()
        let samples = try ManifestSamples(manifest, seed: 5)
        let engine = try RoutingEngine(manifest: manifest)
        #expect(samples.without == [])
        let reached = try samples.links.map {
            try engine.match(url: $0, context: RoutingContext()).request.destination.id
        }
        #expect(Set(reached) == Set(manifest.destinations.filter { !$0.routes(in: manifest).isEmpty }.map(\.id)))
        for place in samples.places { _ = try engine.request(for: place, source: .external) }
        #expect(samples.links == (try ManifestSamples(manifest, seed: 5)).links)
        #expect(samples.links != (try ManifestSamples(manifest, seed: 6)).links)
    }

    @Test("are what their types allow")
    func values() {
        var random = SplitMix(seed: 4)
        func value(_ type: ParameterType) -> String? { ManifestSamples.value(of: type, &random) }
        #expect(["profile", "privacy"].contains(value(.oneOf(["profile", "privacy"]))))
        #expect(value(.integer(minimum: 5, maximum: 5)) == "5" && value(.integer(minimum: .min, maximum: .max)) != nil)
        #expect(value(.integer(minimum: nil, maximum: -7)).flatMap { Int($0) }.map { $0 <= -7 } == true)
        #expect(value(.pattern("o[0-9]"))?.count == 2 && value(.pattern("[^a]")) == nil)
        #expect(value(.uuid)?.split(separator: "-").map(\.count) == [8, 4, 4, 4, 12])
        #expect(value(.list(of: .oneOf(["a,%"])))?.hasPrefix("a%2C%25") == true)
        #expect(value(.list(of: .pattern("[^a]"))) == nil)
    }

    @Test(
        "of a fact that a condition compares with a parameter are that parameter's, so that it holds for some and not for others"
    )
    func facts() throws {
        let samples = try ManifestSamples(try ExampleApp.bank.manifest(), seed: 2)
        var random = SplitMix(seed: 4)
        let facts = (0..<2_000).compactMap { _ in samples.fact(&random) }
        #expect(Set(facts.map(\.name)).count == 13)
        let ids = Set(samples.places.filter { $0.id == "account" }.compactMap { $0.parameters["id"] })
        let closed = facts.filter { $0.name == "closedAccounts" }.flatMap { fact in
            if case .strings(let texts) = fact.value { texts } else { [String]() }
        }
        #expect(closed.allSatisfy { $0.hasPrefix("a") && Int($0.dropFirst()) != nil } && !ids.isDisjoint(with: closed))
        #expect(facts.contains { $0.value == .boolean(true) } && facts.contains { $0.value == .integer(3) })
    }

    @Test("take over what a screen shows only where it is allowed")
    func shown() throws {
        let manifest = try ExampleApp.club.manifest()
        let samples = try ManifestSamples(manifest, seed: 2)
        let locker = try #require(manifest.flows.first { $0.name == "keys" }?.intents.first { $0.name == "handedOut" })
        var random = SplitMix(seed: 4)
        func values(_ shown: String) -> Set<String?> {
            Set(
                (0..<100).map { _ in
                    samples.parameters(locker.parameters, shown: ["locker": shown], user: "mina", &random)?["locker"]
                }
            )
        }
        #expect(values("any") == ["7", "8"] && values("7") == ["7", "8"])
    }

    @Test("leave nobody without a value: a parameter that needs one and has none makes no call")
    func withoutValues() throws {
        let manifest = try AppManifest.read(
            """
            name: A
            schemes: [a]
            tabs: { h: h }
            destinations:
              h: { tab: h, routes: ["a://h"] }
              odd: { ancestry: [h], parameters: { x: { pattern: "[^a]{2}" } }, routes: ["a://odd/{x}"] }
            """
        ).manifest
        let samples = try ManifestSamples(manifest, seed: 1)
        #expect(samples.without == ["odd"] && samples.links == ["a://h"])
    }
}

extension DestinationDeclaration {
    fileprivate func routes(in manifest: AppManifest) -> [RouteDeclaration] {
        manifest.routes.filter { $0.destination == id }
    }
}

@Suite("A user of any app")
struct AppActionsTests {
    private func user(_ example: ExampleApp, seen: SeenWindows = SeenWindows(), mix: [String: Double] = [:]) throws
        -> SoakUser
    {
        try user(of: try example.manifest(), seen: seen, mix: mix)
    }

    private func user(of manifest: AppManifest, seen: SeenWindows, mix: [String: Double]) throws -> SoakUser {
        let samples = try ManifestSamples(manifest, seed: 3)
        let actions = AppActions(manifest, samples: samples, seen: seen)
        return SoakUser(number: 3, scenes: ["soak-1"], seed: 9, mix: mix, actions: actions)
    }

    private func calls(_ count: Int, _ user: SoakUser) -> [SoakCall] {
        var user = user
        return (0..<count).map { _ in user.next() }
    }

    @Test(
        "whose adapters take all kinds of event takes every kind of action by itself",
        arguments: [ExampleApp.shop, .bank]
    )
    func habits(example: ExampleApp) throws {
        let seen = Set(calls(40_000, try user(example)).map(\.kind))
        // Flows are finished where one is seen.
        #expect(seen == Set(ActionKind.allCases.filter { $0 != .flow }))
    }

    @Test("takes the actions of a mix, and no others")
    func mix() throws {
        let calls = calls(2_000, try user(.bank, mix: ["links": 60, "flows": 30, "others": 10]))
        #expect(Set(calls.map(\.kind)) == [.openurl, .flow, .other])
    }

    @Test("sends what an adapter of the app takes, and it leads somewhere", arguments: [ExampleApp.shop, .bank])
    func adapters(example: ExampleApp) throws {
        let manifest = try example.manifest()
        let (chain, engine) = (AdapterChain(manifest: manifest), try RoutingEngine(manifest: manifest))
        let mix = ["widgets": 1.0, "handoffs": 1, "spotlight": 1, "shortcuts": 1, "pushes": 1]
        var asked: Set<String> = []
        for call in calls(4_000, try user(example, mix: mix)) {
            var event = call.parameters
            event["scene"] = nil
            let kinds: [String: EntryKind] = [
                "Push": .push, "TapWidget": .widget, "ContinueActivity": .activity, "PerformShortcut": .shortcut,
            ]
            let kind = try #require(kinds[String(call.method.dropFirst("io.scened.Events.".count))])
            let read = try EntryEvent(kind: kind, json: event)
            guard kind != .push || event["interaction"] == "open" else { continue }
            let adaptation = try chain.adapt(read)
            asked.insert(adaptation.adapter)
            switch adaptation.request {
            case .url(let url): _ = try engine.match(url: url, context: RoutingContext())
            case .destination(let place): _ = try engine.request(for: place, source: .external)
            default: break
            }
        }
        #expect(asked.isSuperset(of: manifest.adapters.map(\.name)))
    }

    @Test("opens several links at once now and then, each of which the app takes", arguments: ExampleApp.allCases)
    func sets(example: ExampleApp) throws {
        let engine = try RoutingEngine(manifest: try example.manifest())
        let calls = calls(4_000, try user(example, mix: ["links": 1]))
        let sets = calls.filter { $0.method == "io.scened.Events.OpenURLs" }
        #expect(sets.count > 40 && sets.count * 5 < calls.count, "\(sets.count)")
        #expect(sets.contains { $0.parameters["scene"] == nil })
        for set in sets {
            let urls = (set.parameters["urls"]?.arrayValue ?? []).compactMap(\.stringValue)
            _ = try URLSet(urls)
            for url in urls { _ = try engine.match(url: url, context: RoutingContext()) }
        }
    }

    @Test("sees what the last of a set has left in the window")
    func seesASet() {
        func receipt(_ ticket: Int, _ screen: String) -> JSONValue {
            let stack: JSONValue = [["id": .string(screen), "parameters": [:]]]
            let window: JSONValue = [
                "tabs": [["id": "home", "stack": stack]], "selectedTab": "home", "modals": [], "transitioning": false,
            ]
            return ["scene": "soak-1", "ticket": .integer(ticket), "window": window]
        }
        let seen = SeenWindows()
        seen.note(["receipts": [receipt(8, "last"), receipt(7, "first")]])
        #expect(seen.window(of: "soak-1")?.topmost.id == "last")
    }

    @Test("of an app with a lock leaves windows and comes back, and answers what the lock asks")
    func lock() throws {
        let file = URL(filePath: #filePath).deletingLastPathComponent().deletingLastPathComponent()
            .appending(path: "Apps/vault.yaml")
        let manifest = try AppManifest.read(String(contentsOf: file, encoding: .utf8)).manifest
        let seen = SeenWindows()
        let papers: JSONValue = [["id": "papers", "parameters": [:]]]
        let passcode: JSONValue = [["id": "passcode", "parameters": [:]]]
        seen.note([
            "receipt": [
                "scene": "soak-1",
                "window": [
                    "tabs": [["id": "papers", "stack": papers]], "selectedTab": "papers",
                    "modals": [["flow": "unlock", "style": "sheet", "stack": passcode]],
                ],
            ]
        ])
        let calls = calls(4_000, try user(of: manifest, seen: seen, mix: [:]))
        let states = Set(calls.compactMap { $0.parameters["activation"]?.stringValue })
        #expect(states.isSuperset(of: ["background", "foregroundActive"]))
        let names = Set(calls.compactMap { $0.parameters["name"]?.stringValue })
        #expect(names.isSuperset(of: ["entered", "mistyped", "forgot", "gaveUp"]))
        #expect(calls.contains { $0.parameters["flow"] == "unlock" && $0.parameters["result"] == "completed" })
    }

    @Test("answers notifications as their categories say, with what their intents need")
    func categories() throws {
        var actions: Set<String> = []
        for call in calls(4_000, try user(.bank, mix: ["pushes": 1])) {
            guard call.parameters["interaction"] == "action" else { continue }
            let action = try #require(call.parameters["action"]?.stringValue)
            actions.insert(action)
            let payload = try #require(call.parameters["payload"])
            if action == "APPROVE" { #expect(payload["payee"]?.stringValue?.isEmpty == false) }
            if action == "REPLY" { #expect(call.parameters["text"]?.stringValue?.isEmpty == false) }
        }
        #expect(actions == ["APPROVE", "SHOW", "REPLY", "BLOCK"])
    }

    /// A receipt whose window shows the second factor of a login.
    private static let codeShown: JSONObject = [
        "receipt": [
            "scene": "soak-1",
            "window": [
                "tabs": [["id": "root", "stack": [["id": "name", "parameters": [:]]]]], "selectedTab": "root",
                "modals": [
                    [
                        "flow": "secondFactor", "style": "fullScreen",
                        "stack": [["id": "code", "parameters": ["user": "mina"]]],
                    ]
                ], "transitioning": false,
            ],
        ]
    ]

    @Test("reports what the screen in front may report, and ends the flows that are shown")
    func whatIsShown() throws {
        let seen = SeenWindows()
        seen.note(Self.codeShown)
        let calls = calls(2_000, try user(.bank, seen: seen, mix: ["intents": 3, "flows": 1]))
        let names = Set(calls.compactMap { $0.parameters["name"]?.stringValue })
        #expect(names.isSuperset(of: ["codeEntered", "codeWrong", "backupWanted", "gaveUp"]))
        let own = calls.filter { $0.kind == .intent }
        #expect(own.count { $0.parameters["name"] == "codeEntered" } * 5 > own.count)
        #expect(!names.contains("introRead") && !names.contains("payeeAdded"))
        // The screen below reports by itself what it may.
        let below = calls.filter { $0.parameters["from"] != nil }
        #expect(Set(below.compactMap { $0.parameters["from"]?.stringValue }) == ["name"] && below.count < 300)
        #expect(below.contains { $0.parameters["name"] == "named" })
        #expect(Set(calls.compactMap { $0.parameters["flow"]?.stringValue }) == ["secondFactor"])
        // Who signs in is the user, whatever else the screen shows.
        let users = calls.compactMap { $0.parameters["parameters"]?["user"]?.stringValue }
        #expect(Set(users) == ["user-3"])
        // In another window nothing has been seen.
        #expect(seen.window(of: "soak-2") == nil)
        seen.note(["receipt": ["scene": "soak-1", "window": ["tabs": []]]])
        #expect(seen.window(of: "soak-1") == nil)
    }

    @Test("takes over what the screen shows, so that what it approves is what somebody waits for")
    func takesOver() throws {
        let seen = SeenWindows()
        seen.note([
            "receipt": [
                "scene": "soak-1",
                "window": [
                    "tabs": [["id": "payments", "stack": [["id": "payments", "parameters": [:]]]]],
                    "selectedTab": "payments",
                    "modals": [
                        [
                            "flow": "approval", "style": "sheet",
                            "stack": [["id": "letter", "parameters": ["payee": "noor"]]],
                        ]
                    ],
                ],
            ]
        ])
        let calls = calls(1_000, try user(.bank, seen: seen, mix: ["intents": 1]))
            .filter { $0.parameters["name"] == "payeeApproved" }
        #expect(calls.count { $0.parameters["parameters"]?["payee"] == "noor" } * 2 > calls.count && !calls.isEmpty)
    }
}
