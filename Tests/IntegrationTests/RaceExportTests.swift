import Foundation
import SceneClient
import SceneManifest
import SceneRaces
import SceneRouting
import SceneRuntime
import StrictJSON
import Subprocess
import TestFixtures
import Testing

/// Races found by `scenectl race`, provoked on a live daemon by an exported script.
@Suite("A race as a script of holds", .timeLimit(.minutes(15)))
struct RaceExportTests {
    /// A scenario that is wrong in one order only, what the script must do, and the daemon's records.
    struct Exported: Sendable, CustomTestStringConvertible {
        let name: String
        let scenario: String
        let daemon: [String]
        let script: [String]
        /// The kinds of records and their subjects, in order.
        let order: [(kind: String, event: String?)]
        let outcome: (event: String, outcome: OutcomeName, reason: String?)

        var testDescription: String { name }
    }

    static let exported = [
        Exported(
            name: "a finger touches while a transition goes on",
            scenario: RaceVerbTests.wrong,
            daemon: ["--transition", "100"],
            script: ["hold h1 transition --scene A --event p1 --kind dispatch", "caught h1", "release h1"],
            order: [
                ("navigation.step", "p1"), ("event.admitted", "tab"), ("dispatch.ended", "tab"),
                ("dispatch.ended", "p1"),
            ],
            outcome: ("tab", .ignored, "inTransition")
        ),
        Exported(
            name: "something is sold out between two commits",
            scenario: """
                name: sold-out
                description: Somebody believes that what is there again was never away.
                windows: { A: {} }
                actors:
                  mail:
                    - { openurl: "qcommerce://product/p1", scene: A, event: buy }
                  stock:
                    - { set: { unavailable: [p1] } }
                    - { set: { unavailable: [] } }
                expect:
                  results: { buy: applied }

                """,
            daemon: [],
            script: ["do_step session set 'unavailable=[\"p1\"]'"],
            order: [("session.committed", nil), ("dispatch.ended", "buy"), ("session.committed", nil)],
            outcome: ("buy", .rejected, "inStock")
        ),
    ]

    @Test("provokes the race on a live daemon, with the same order and outcome", arguments: exported)
    func same(exported: Exported) async throws {
        let directory = try TemporaryDirectory()
        let script = "\(directory.path)/race.sh"
        let found = try await Program.run(
            Command.built("scenectl"),
            ["race", "-", "--iterations", "2000", "--seed", "7", "--shrink", "--export", script],
            input: exported.scenario
        )
        #expect(found.status == .exited(1), "\(found.output)\(found.errors)")
        #expect(found.errors == "")
        let text = try String(contentsOfFile: script, encoding: .utf8)
        for line in exported.script { #expect(text.contains(line), "\(text)") }
        try await LiveDaemon.run(exported.daemon) { daemon in
            // Twice: the script resets the daemon each time.
            for _ in 1...2 {
                try await daemon.comesOut(asExportedIn: script)
                let records = try await daemon.records()
                var rest = records[...]
                for step in exported.order {
                    let index = rest.firstIndex {
                        $0["kind"]?.stringValue == step.kind
                            && (step.event == nil || $0["event"]?.stringValue == step.event)
                    }
                    guard let index else {
                        Issue.record("\(step) does not come next in \(records)")
                        return
                    }
                    rest = records[(index + 1)...]
                }
                let receipt = try await daemon.client().receipt(of: exported.outcome.event)
                #expect(receipt.outcome == exported.outcome.outcome)
                if let reason = exported.outcome.reason { #expect(receipt.reason == reason) }
            }
        }
    }

    /// What goes wrong when somebody leaves an app that nobody sees without a sign-in, by what else happens.
    static let signOuts = [
        "a link": "actors: { mail: [LINK], account: [sign-out] }",
        "a link whose sender leaves": "actors: { mail: [UNTIL, sign-out], other: [HOME] }",
        "links to two windows": "actors: { mail: [LINK], other: [OTHER], account: [sign-out] }",
        "a link over another": "setup: [HOME]\nactors: { mail: [LINK], account: [sign-out] }",
        "a window that is connected": """
        actors: { mail: [{ connect: C }, { openurl: "bank://account/a1", scene: C, event: l1 }], account: [sign-out] }
        """,
        "a window that is discarded and connected again": """
        actors:
          mail: [{ discard: B }, { connect: B }, { openurl: "bank://account/a1", scene: B, event: l1 }]
          account: [sign-out]
        """,
    ]

    @Test(
        "provokes a sign-out in an app that begins with a login, whatever else happens",
        arguments: signOuts.keys.sorted(),
        [1, 2] as [UInt64]
    )
    func signOut(name: String, seed: UInt64) async throws {
        let link = #"{ openurl: "bank://account/a1", scene: A, event: l1 }"#
        let actors = try #require(Self.signOuts[name])
            .replacing("LINK", with: link)
            .replacing("UNTIL", with: link.replacing(" }", with: ", until: admitted }"))
            .replacing("OTHER", with: link.replacing("A,", with: "B,").replacing("l1", with: "l2"))
            .replacing("HOME", with: #"{ openurl: "bank://home", scene: A, event: l0 }"#)
        let directory = try TemporaryDirectory()
        let script = "\(directory.path)/race.sh"
        let scenario = """
            name: leaves
            description: Somebody believes that a link is always shown.
            app: bank
            windows: { A: {}, B: {} }
            session: { user: anna }
            \(actors)
            expect: { results: { l1: applied } }

            """
        let found = try await Program.run(
            Command.built("scenectl"),
            ["race", "-", "--iterations", "2000", "--seed", "\(seed)", "--export", script],
            input: scenario
        )
        #expect(found.status == .exited(1), "\(found.output)\(found.errors)")
        #expect(found.errors == "")
        try await LiveDaemon.run(["--app", "bank"]) { daemon in
            try await daemon.comesOut(asExportedIn: script)
        }
    }

    @Test("reports different outcomes on a daemon with other settings")
    func otherwise() async throws {
        let directory = try TemporaryDirectory()
        let script = "\(directory.path)/race.sh"
        _ = try await Program.run(
            Command.built("scenectl"),
            ["race", "-", "--iterations", "2000", "--seed", "7", "--shrink", "--export", script],
            input: Self.exported[1].scenario
        )
        let text = try String(contentsOfFile: script, encoding: .utf8)
            .replacing(#"do_step session set 'unavailable=["p1"]'"#, with: "true")
        try text.write(toFile: script, atomically: true, encoding: .utf8)
        try await LiveDaemon.run { daemon in
            let run = try await Program.run(
                "bash",
                [script],
                environment: ["SCENED_SOCKET": daemon.socket, "SCENECTL": Command.built("scenectl")]
            )
            #expect(run.status == .exited(0), "\(run.output)\(run.errors)")
            #expect(run.output.contains("buy did not come out as rejected"), "\(run.output)")
        }
    }

    // MARK: - How scripts begin

    /// Every scenario that ships or is in `Tests/Apps/Races`, by the daemon that its script asks for.
    private static func scenarios() throws -> [[Scenario]] {
        let folder = URL(filePath: #filePath).deletingLastPathComponent().appending(path: "../Apps/Races").standardized
        let files = try FileManager.default.contentsOfDirectory(atPath: folder.path).filter { $0.hasSuffix(".yaml") }
        let own = try files.sorted().map { name in
            try Scenario.read(
                try String(contentsOf: folder.appending(path: name), encoding: .utf8),
                file: name,
                readFile: { try String(contentsOf: folder.appending(path: $0), encoding: .utf8) }
            )
        }
        let all = own + (try ShippedScenarios.names.compactMap { try ShippedScenarios.scenario($0) })
        #expect(own.count > 5 && all.count > 60)
        let groups = Dictionary(grouping: all) { "\(RaceScript.daemon(of: $0)) \($0.app.digest)" }
        return groups.sorted { $0.key < $1.key }.map(\.value)
    }

    /// Records by window, without what differs between two hosts that do the same: their IDs, times and connections.
    private static func comparable(_ records: [JSONObject]) -> [String: [JSONObject]] {
        let same = records.filter { $0["kind"] != "host.started" }.map { record in
            var record = record
            for key in ["index", "host", "time", "monotonic", "connection", "call"] { record[key] = nil }
            if var origin = record["origin"]?.objectValue {
                origin["connection"] = nil
                record["origin"] = .object(origin)
            }
            return record
        }
        return Dictionary(grouping: same) { $0["scene"]?.stringValue ?? "" }
    }

    @Test("begins like the search: session, windows, locks and setup, for every scenario there is")
    func beginnings() async throws {
        let directory = try TemporaryDirectory()
        var refused: [String] = []
        for (number, scenarios) in try Self.scenarios().enumerated() {
            let manifest = "\(directory.path)/\(number).json"
            let app = JSONValue.object(scenarios[0].app.json).text()
            try app.write(toFile: manifest, atomically: true, encoding: .utf8)
            try await LiveDaemon.run(RaceScript.daemon(of: scenarios[0]) + ["--app", manifest]) { daemon in
                for scenario in scenarios {
                    let script: String
                    do throws(RaceScriptError) {
                        script = try RaceScript.beginning(of: scenario)
                    } catch {
                        refused.append("\(scenario.name): \(error)")
                        continue
                    }
                    let run = ScenarioRun(
                        scenario,
                        app: try LoadedApp(manifest: scenario.app, adapters: []),
                        models: [],
                        secrets: ShownSecrets([]),
                        clock: SystemClock(),
                        executors: .pooled()
                    )
                    let searched = try await run.beginning().compactMap { try JSONValue(parsing: $0).objectValue }
                    let outcome = try await Program.run(
                        "bash",
                        ["-c", script],
                        environment: ["SCENED_SOCKET": daemon.socket, "SCENECTL": Command.built("scenectl")]
                    )
                    #expect(outcome.status == .exited(0), "\(scenario.name): \(outcome.errors)\(script)")
                    let scripted = try await daemon.records()
                    let (wanted, found) = (Self.comparable(searched), Self.comparable(scripted))
                    for scene in Set(wanted.keys).union(found.keys).sorted() {
                        let (wanted, found) = (wanted[scene] ?? [], found[scene] ?? [])
                        #expect(wanted.count == found.count, "\(scenario.name), window '\(scene)'")
                        if let index = zip(wanted, found).enumerated().first(where: { $1.0 != $1.1 })?.offset {
                            let (searched, scripted) = (JSONValue.object(wanted[index]), JSONValue.object(found[index]))
                            Issue.record(
                                "\(scenario.name), window '\(scene)': the search has \(searched.text()), the script \(scripted.text())"
                            )
                        }
                    }
                }
            }
        }
        // Only the clock decides when such a setup is over.
        #expect(
            refused.count == 1 && refused[0].hasPrefix("expired-sign-in: setup.1 signs in for a time"),
            "\(refused)"
        )
    }
}
