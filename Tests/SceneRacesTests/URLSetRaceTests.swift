import Basics
import Interleaving
import SceneManifest
import SceneRouting
import Testing

@testable import SceneRaces
@testable import SceneRuntime

/// Sets of URLs: the order in which they come is one of the choices of a search.
@Suite("Races of URLs that are opened at once", .serialized)
struct URLSetRaceTests {
    private static let urls = ["qcommerce://product/p1", "qcommerce://promo/SPRING", "qcommerce://category/fruit"]
    private static let ends = ["home › product(id: p1)", "home › promo(code: SPRING)", "home › category(slug: fruit)"]

    /// An app that believes that its window shows one of these in the end.
    private static func scenario(_ urls: [String], ends: [String]) throws -> Scenario {
        func list(_ texts: [String]) -> String { texts.map { "\"\($0)\"" }.joined(separator: ", ") }
        return try Scenario.read(
            """
            name: belief
            description: Somebody believes that the URLs of a set come in a certain order.
            windows: { A: {} }
            actors:
              mail: [ { openurl: [\(list(urls))], scene: A, event: mail } ]
            expect:
              windows: { A: [\(list(ends))] }
            """,
            file: "belief.yaml"
        )
    }

    @Test("an app that reads only the last as given, or only the first, is found wrong", arguments: [0, 1, 2])
    func belief(last: Int) async throws {
        let race = try Race(Self.scenario(Self.urls, ends: [Self.ends[last]]))
        let report = try await race.search(Race.Options(iterations: 200, seed: 3, shrinks: true))
        let found = try #require(report.found, "\(report.exploration.runs) orders")
        #expect(found.kind == "end")
        #expect(found.findings.first?.hasPrefix("window A is 'home › ") ?? false, "\(found.findings)")
        // The order is part of the replay.
        let again = try await race.replay(found.code)
        #expect(again.found?.findings == found.findings)
    }

    @Test("an app that is right in each order is found right in all of them, and that is all there is")
    func complete() async throws {
        let race = try Race(Self.scenario(Array(Self.urls.prefix(2)), ends: Array(Self.ends.prefix(2))))
        let report = try await race.search(
            Race.Options(iterations: 20_000, seed: 3, strategy: .exhaustive(preemptions: nil))
        )
        #expect(report.found == nil, "\(report.found?.findings ?? [])")
        #expect(report.exploration.isComplete, "\(report.exploration.runs)")
    }

    @Test("every order of three is tried")
    func orders() async throws {
        let scenario = try Self.scenario(Self.urls, ends: Self.ends)
        let app = try LoadedApp(manifest: scenario.app, adapters: [])
        let seen = Guarded<Set<[Int]>>([])
        let exploration = try await explore(ExplorationOptions(iterations: 200, seed: 5, strategy: .random)) { _ in
            let run = ScenarioRun(
                scenario,
                app: app,
                models: [],
                secrets: ShownSecrets([]),
                clock: SystemClock(),
                executors: HostExecutors(
                    session: SimulatedExecutor(name: "session"),
                    scene: { SimulatedExecutor(name: "window \($0)") }
                )
            )
            try await run.prepare()
            try await run.race()
            let order = run.host.records.read(after: 0).records.compactMap { record -> Int? in
                if case .eventAdmitted(let arrival) = record.body { arrival.place?.given } else { nil }
            }
            seen.withLock { _ = $0.insert(order) }
        }
        #expect(exploration.failure == nil)
        #expect(seen.withLock { $0 }.count == 6, "\(seen.withLock { $0 })")
    }

    @Test("is a problem where a set cannot be one, or one of its URLs leads nowhere")
    func problems() throws {
        for (urls, problem) in [
            ([Self.urls[0]], "urls: found 1; expected 2 to 32 URLs"),
            ([Self.urls[0], "https://shop.example/cart"], "urls[1]: found \"https://shop.example/cart\""),
            ([Self.urls[0], Self.urls[0]], "urls[1]: found the same as urls[0]"),
            (
                [Self.urls[0], "qcommerce://nowhere"],
                "is refused in every order: no route takes"
            ),
        ] {
            do {
                _ = try Self.scenario(urls, ends: Self.ends)
                Issue.record("taken: \(urls)")
            } catch {
                let text = "\(error)"
                #expect(text.contains("belief.yaml:5:") && text.contains(problem), "\(text)")
            }
        }
    }
}
