import Basics
import Dispatch
import Foundation
import Interleaving
import SceneManifest
import SceneRaces
import SceneRouting
import SceneRuntime
import ShopInSwift
import TestFixtures
import Testing

@testable import SceneRacesTesting

/// What a test with the trait does, with an environment of its own.
@Suite("A search for a test")
struct RaceTestTests {
    private let artifacts: TemporaryDirectory

    init() throws { artifacts = try TemporaryDirectory() }

    /// Runs the search, and returns what the test would be told, with the severity.
    private func issues(
        _ source: RaceTestSettings.Source,
        in app: RaceApp,
        iterations: Int = 200,
        environment: [String: String] = [:],
        patience: Duration = .seconds(30),
        hear: @escaping @Sendable (String) -> Void = { _ in }
    ) async throws -> [String] {
        let settings = RaceTestSettings(
            scenario: source,
            app: app,
            options: Race.Options(iterations: iterations, seed: 1, shrinks: true),
            artifacts: artifacts.path,
            file: #filePath
        )
        let test = try #require(Test.current)
        let found = Guarded<[String]>([])
        let passes = Guarded(true)
        let handler = IssueHandlingTrait.compactMapIssues { issue in
            let text = "\(issue.severity): \(issue.comments.map(\.rawValue).joined(separator: "\n"))"
            found.withLock { $0.append(text) }
            hear(text)
            return nil
        }
        try await handler.provideScope(for: test, testCase: nil) {
            let result = await RaceTest(settings, of: test, environment: { environment[$0] }, patience: patience)
                .passes()
            passes.withLock { $0 = result }
        }
        let texts = found.withLock { $0 }
        #expect(
            passes.withLock { $0 } == !texts.contains { $0.hasPrefix("error") && !$0.contains("blocks its thread") }
        )
        return texts
    }

    @Test("a race is kept in a file, which repeats it, as does the word")
    func isReplayed() async throws {
        let source = RaceTestSettings.Source.file("Scenarios/both-visits-count.yaml")
        let first = try await issues(source, in: Kiosk.app(.staleAfterAwait), iterations: 1_000)
        let text = try #require(first.first)
        #expect(first.count == 1)
        let names = try FileManager.default.subpathsOfDirectory(atPath: artifacts.path)
        let file = try #require(names.first { $0.hasSuffix("/race.json") })
        let page = try #require(names.first { $0.hasSuffix("/race.html") })
        let html = try String(contentsOfFile: "\(artifacts.path)/\(page)", encoding: .utf8)
        #expect(html.contains("INTERLEAVING_REPLAY=1-") && html.contains("application/x-ndjson\""))
        #expect(html.contains("the fact points: 1"))
        let saved = try ReplayFile(parsing: Array(Data(contentsOf: URL(filePath: "\(artifacts.path)/\(file)"))))
        #expect(text.contains("INTERLEAVING_REPLAY=\(saved.code) swift test"))
        // As in the next process, the folder has the same name.
        for replay in ["\(artifacts.path)/\(file)", "\(saved.code)"] {
            let environment = ["INTERLEAVING_REPLAY": replay]
            let again = try await issues(source, in: Kiosk.app(.staleAfterAwait), environment: environment)
            #expect(again.count == 1)
            #expect(again.first?.contains("the fact points is 1, expected 2") == true, "\(again)")
            // The same order is right once the code is.
            #expect(
                try await issues(source, in: Kiosk.app(nil), environment: environment).allSatisfy {
                    $0.hasPrefix("warning")
                }
            )
        }
    }

    @Test("as many orders are repeated as the environment says", arguments: [("0", 20), ("4", 24), ("20", 40)])
    func determinismChecks(_ checks: String, _ expected: Int) async throws {
        let made = Guarded(0)
        let app = RaceApp(
            manifestFile: "Scenarios/kiosk.yaml",
            code: {
                made.withLock { $0 += 1 }
                return Kiosk(mistake: nil).code
            }()
        )
        func runs(_ environment: [String: String]) async throws -> Int {
            made.withLock { $0 = 0 }
            let found = try await issues(.text(Self.visits), in: app, iterations: 20, environment: environment)
            #expect(found.isEmpty, "\(found)")
            return made.withLock { $0 }
        }
        let none = try await runs(["INTERLEAVING_CHECK_DETERMINISM": "0"])
        let some = try await runs(["INTERLEAVING_CHECK_DETERMINISM": checks])
        // The app is also made to read the scenario.
        #expect(some - none == expected - 20)
    }

    /// Where the code's tasks go on from: each leaves the simulation.
    private static let foreign: [(String, @Sendable (CheckedContinuation<Void, Never>) -> Void)] = [
        ("a queue", { continuation in DispatchQueue.global().async { continuation.resume() } }),
        ("a thread", { continuation in Thread.detachNewThread { continuation.resume() } }),
    ]

    private static let visits = """
        name: two-visits
        description: Two visits at the same time, whatever comes of them.
        windows: { A: {}, B: {} }
        actors:
          one: [{ intent: visit, scene: A }]
          other: [{ intent: visit, scene: B }]
        """

    @Test("code that leaves the simulation is named", arguments: foreign)
    func escapes(_ what: String, _ resume: @escaping @Sendable (CheckedContinuation<Void, Never>) -> Void) async throws
    {
        let app = Kiosk.app(nil, server: .resumes(resume))
        let found = try await issues(.text(Self.visits), in: app, iterations: 20)
        #expect(found.count == 1)
        // The thread may come while others still go on, or later, or never: it is named all the same.
        let word = what == "a queue" ? "DispatchQueue.async" : "the start of a thread"
        let named = "\(word) at RaceTestTests.swift:"
        #expect(found.first?.contains(named) == true, "\(found)")
        #expect(found.first?.contains("hands work to another thread") == true, "\(found)")
    }

    @Test("code that does not return is named, with its window and its event")
    func blocks() async throws {
        let told = DispatchSemaphore(value: 0)
        let isFirst = Guarded(true)
        let app = Kiosk.app(
            nil,
            server: .blocks {
                let waits = isFirst.withLock { isFirst in
                    defer { isFirst = false }
                    return isFirst
                }
                // It goes on only because somebody was told. A limit would be one of virtual time.
                if waits { told.wait() }
            }
        )
        let found = try await issues(
            .file("Scenarios/both-visits-count.yaml"),
            in: app,
            iterations: 5,
            patience: .milliseconds(200)
        ) { text in
            if text.contains("the app's code blocks its thread"), text.contains(", event ") { told.signal() }
        }
        #expect(found.contains { $0.contains("window ") && $0.contains(", event ") }, "\(found)")
        #expect(found.allSatisfy { $0.contains("the app's code blocks its thread") }, "\(found)")
    }

    private static let scenario = """
        name: two-links
        description: Two links at the same time.
        windows: { A: {}, B: {} }
        actors:
          one: [{ openurl: "kiosk://voucher", scene: A }]
          other: [{ openurl: "kiosk://home", scene: B }]
        """

    @Test("a scenario stands in the test as well")
    func text() async throws {
        #expect(try await issues(.text(Self.scenario), in: Kiosk.app(nil)).isEmpty)
    }

    @Test("a scenario that names an app happens in it, with the code of the test")
    func namedApp() async throws {
        let text = Self.scenario.replacing("windows:", with: "app: shop\nwindows:").replacing(
            "kiosk://",
            with: "qcommerce://"
        )
        .replacing("qcommerce://voucher", with: "qcommerce://cart")
        let app = RaceApp(manifestFile: "Scenarios/kiosk.yaml", code: ShopInSwift.code)
        #expect(try await issues(.text(text), in: app).isEmpty)
    }

    private static let inShop = scenario.replacing("kiosk://voucher", with: "qcommerce://cart")
        .replacing("kiosk://home", with: "qcommerce://home")

    /// The shop in Swift, with a manifest in which a text is replaced.
    private static func shop(_ old: String, _ new: String) -> RaceApp {
        RaceApp(
            manifest: ExampleApp.shop.text.replacing(old, with: new),
            name: "variant.yaml",
            code: ShopInSwift.code
        )
    }

    private static let mistakes: [(RaceTestSettings.Source, RaceApp, [String: String], [String])] = [
        (
            .file("Scenarios/none.yaml"), Kiosk.app(nil), [:],
            ["there is no scenario 'Scenarios/none.yaml' in /", "SceneRacesTestingTests"]
        ),
        (.file("Scenarios"), Kiosk.app(nil), [:], ["/Scenarios: ", "directory"]),
        (
            .text(scenario.replacing("kiosk://home", with: "kiosk://nowhere")), Kiosk.app(nil), [:],
            ["RaceTestTests.swift:6:", "actors.other[0]"]
        ),
        (
            .text(scenario), RaceApp(manifestFile: "Scenarios/none.yaml"), [:],
            ["Scenarios/none.yaml: No such file"]
        ),
        (
            .text(scenario), RaceApp(manifest: "name: 7", name: "seven.yaml"), [:],
            ["seven.yaml"]
        ),
        (
            .text(scenario),
            RaceApp(
                manifestFile: "Scenarios/kiosk.yaml",
                code: AppCode(coordinators: ["checkout": { KioskCoordinator(mistake: nil, news: News()) }])
            ),
            [:],
            [
                "Scenarios/kiosk.yaml: error: flows: the code at SceneRacesTestingTests/RaceTestTests.swift:",
                "has a coordinator for the flow 'checkout', which is not declared",
            ]
        ),
        (
            .text(inShop), shop("\nfacts:\n", "\nfacts:\n  wishes: { type: strings, default: [] }\n"), [:],
            [
                "variant.yaml: error: facts: the fact 'wishes' is declared, and the types 'Shop' in ShopInSwift/ShopRoutes.swift lack it",
                "run 'scenectl app swift shop.yaml --as Shop --output …/ShopRoutes.swift'",
            ]
        ),
        (
            .text(inShop), shop("accountTapped", "accountTouched"), [:],
            [
                "variant.yaml: error: intents: the types 'Shop' in ShopInSwift/ShopRoutes.swift have the intent 'accountTapped', which is not declared",
                "the intent 'accountTouched' is declared, and the types 'Shop' in ShopInSwift/ShopRoutes.swift lack it",
            ]
        ),
        (
            .text(scenario + "\n  third: [{ reload: { without: [voucher] } }]"), Kiosk.app(nil), [:],
            ["actors.third[0]", "the code at SceneRacesTestingTests/Kiosk.swift:", "names the destination 'voucher'"]
        ),
        (
            .text(scenario), Kiosk.app(nil), ["INTERLEAVING_REPLAY": "nonsense"],
            ["INTERLEAVING_REPLAY=nonsense: 'nonsense' is not a replay code", "Expected"]
        ),
        (
            .text(scenario), Kiosk.app(nil), ["INTERLEAVING_REPLAY": "/none/race.json"],
            ["/none/race.json: No such file"]
        ),
        (
            .text(scenario), Kiosk.app(nil), ["INTERLEAVING_ITERATIONS": "0"],
            ["INTERLEAVING_ITERATIONS=0: expected a number of at least 1"]
        ),
    ]

    @Test("what makes a search impossible says what is wrong, and where", arguments: mistakes.indices)
    func saysWhatIsWrong(index: Int) async throws {
        let (source, app, environment, parts) = Self.mistakes[index]
        let found = try await issues(source, in: app, environment: environment)
        #expect(found.count == 1)
        for part in parts { #expect(found.first?.contains(part) == true, "\(part) is not in \(found)") }
    }
}

/// An app in Swift that is the same as its manifest passes what its manifest does.
@Suite("The shop in Swift")
struct ShopInSwiftRaceTests {
    static let scenarios = ShippedScenarios.names.filter { name in
        (try? ShippedScenarios.scenario(name))??.app.name == "Shop"
    }

    @Test("there are scenarios")
    func areThere() { #expect(Self.scenarios.count > 20) }

    @Test("passes every scenario that ships for the shop", arguments: scenarios)
    func passes(name: String) async throws {
        let text = try #require(ShippedScenarios.text(of: name))
        // Some of them reload a manifest that lacks a destination, which types in Swift would not fit.
        let app = RaceApp(
            manifest: ExampleApp.shop.text,
            name: "shop.yaml",
            code: AppCode(coordinators: ShopInSwift.coordinators)
        )
        let race = try app.race(text, file: "\(name).yaml") { _ in "" }
        let report = try await race.search(Race.Options(iterations: 40, seed: 8))
        let findings = report.found?.findings
        #expect(findings == nil, "\(name)")
        #expect(report.exploration.hadChoices)
    }
}
