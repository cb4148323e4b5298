import Foundation
import Glibc
import SceneClient
import SceneManifest
import SceneRouting
import StrictJSON
import Subprocess
import TestFixtures
import Testing
import Varlink

/// These tests run one after the other, because they measure time.
@Suite("scenectl soak against a live daemon", .serialized)
struct SoakTests {
    private static let scenectl = Command.built("scenectl")

    /// Runs a soak to its end and reads its run.
    private static func soak(
        _ daemon: LiveDaemon?,
        _ arguments: [String]
    ) async throws -> (status: Int32, report: JSONValue, errors: String) {
        let directory = try TemporaryDirectory()
        let place = daemon.map { ["--socket", $0.socket] } ?? ["--private"]
        let out = arguments.firstIndex(of: "--out").map { arguments[$0 + 1] } ?? "\(directory.path)/out"
        let outcome = try await Program.run(scenectl, ["soak", "--out", out] + place + arguments)
        guard case .exited(let status) = outcome.status else {
            throw DaemonFailure(reason: "\(outcome.status): \(outcome.errors)")
        }
        let text = try? String(contentsOfFile: "\(out)/soak.json", encoding: .utf8)
        return (status, try text.map { try JSONValue(parsing: $0) } ?? .null, outcome.errors)
    }

    /// What a browser finds wrong with a page about a violation, which opens at the record with which the first was seen.
    private static func violation(
        shownBy page: String,
        in report: JSONValue,
        _ directory: TemporaryDirectory
    ) async throws -> String {
        let host = try #require(report["hosts"]?.arrayValue?.first)
        let evidence = try #require(host["evidence"]?.arrayValue?.first { $0["page"]?.stringValue == page })
        let verdict = try #require(
            host["report"]?["invariants"]?.arrayValue?.first { $0["name"] == evidence["invariant"] }
        )
        let seen = (verdict["violations"]?.arrayValue ?? []).compactMap {
            $0["records"]?.arrayValue?.last?.integerValue
        }
        let first = try #require(seen.min())
        let driver = PythonEnvironment.scripts.appendingPathComponent("viewer.py").path
        let records = try #require(evidence["records"]?.stringValue)
        let outcome = try await Program.run(
            PythonEnvironment.python,
            [driver, "marked", "\(directory.path)/\(page)", "\(directory.path)/\(records)", "\(first)"]
        )
        return outcome.output + outcome.errors
    }

    /// Over all intervals.
    private static func sum(_ member: String, of report: JSONValue) -> Int {
        (report["intervals"]?.arrayValue ?? []).reduce(0) { $0 + ($1[member]?.integerValue ?? 0) }
    }

    /// Over all intervals.
    private static func outcomes(of report: JSONValue) -> [String: Int] {
        (report["intervals"]?.arrayValue ?? []).reduce(into: [:]) { counts, interval in
            for (name, count) in interval["outcomes"]?.objectValue ?? [:] {
                counts[name, default: 0] += count.integerValue ?? 0
            }
        }
    }

    /// Of the first interval, in seconds.
    private static func percentile(_ rank: String, of report: JSONValue) -> Double {
        (report["intervals"]?.arrayValue?.first?["percentiles"]?[rank]?.doubleValue ?? 0) / 1e9
    }

    @Test("everything due is sent and answered, the invariants hold, and the intervals are written to a file")
    func whole() async throws {
        let directory = try TemporaryDirectory()
        try await LiveDaemon.run { daemon in
            let (status, report, errors) = try await Self.soak(
                daemon,
                ["--rate", "100", "--duration", "2s", "--warm-up", "500ms", "--every", "500ms", "--seed", "5"]
                    + ["--out", "\(directory.path)/out", "--slo", "p50<20s,lost=0"]
            )
            #expect(status == 0, "\(report.text()) \(errors)")
            let due = Self.sum("due", of: report)
            #expect(due > 100)
            #expect(Self.sum("answered", of: report) == due)
            #expect(report["verdict"]?["totals"]?["lost"] == 0)
            #expect(report["plan"]?["seed"] == "5")
            let states = report["verdict"]?["objectives"]?.arrayValue?.compactMap { $0["state"]?.stringValue }
            #expect(states == ["met", "met"])
            #expect(report["hosts"]?.arrayValue?.count == 1)
            let lines = try String(contentsOfFile: "\(directory.path)/out/intervals.jsonl", encoding: .utf8)
                .split(separator: "\n").map { try JSONValue(parsing: String($0)) }
            #expect(lines.count >= 3)
            #expect(lines.compactMap { $0["due"]?.integerValue }.reduce(0, +) == due)
            #expect(lines.first?["warmUp"] == true && lines.last?["warmUp"] == nil)
            for name in ["report.html", "soak.json", "latency.hgrm"] {
                #expect(access("\(directory.path)/out/\(name)", R_OK) == 0, "\(name)")
            }
            let sample = try #require(lines.last?["sample"])
            #expect((sample["resident"]?.integerValue ?? 0) > 1_000_000)
            #expect((sample["descriptors"]?.integerValue ?? 0) > 8)
            #expect((sample["coordinators"]?.integerValue ?? 0) > 0)
        }
    }

    /// Stops the daemon's process for three seconds, like a long pause of the machine.
    private func standStill(_ daemon: LiveDaemon) async throws {
        try await daemon.record("event.admitted")
        daemon.signal(SIGSTOP)
        defer { daemon.signal(SIGCONT) }
        try await Task.sleep(for: .seconds(3))
    }

    @Test("a stall is seen; a client that waits for each reply hardly sees it")
    func coordinatedOmission() async throws {
        try await LiveDaemon.run { daemon in
            async let soaking = Self.soak(
                daemon,
                ["--rate", "100", "--arrival", "uniform", "--duration", "12s", "--warm-up", "0s", "--clients", "4"]
                    + ["--percentiles", "50,90,99", "--no-records", "--every", "20s"]
            )
            async let closed = closedLoop(daemon)
            try await standStill(daemon)
            let (status, report, errors) = try await soaking
            // Without records the invariants are unknown.
            #expect(status == 4, "\(errors)")
            #expect(Self.sum("answered", of: report) == 1_200)
            // A quarter of the events were due during the stall, and waited up to three seconds.
            #expect(Self.percentile("90", of: report) > 1.2)
            #expect(Self.percentile("100", of: report) > 2.7)
            let latencies = try await closed.sorted()
            // One call was slow: the one that the stall hit.
            #expect(latencies[latencies.count - 1] > .milliseconds(400))
            // Half of them were fast, however busy the machine is.
            #expect(latencies[latencies.count / 2] / .seconds(1) < Self.percentile("90", of: report))
        }
    }

    /// The latencies of a client that waits for each answer before it sends the next call, for as long as the load lasts and
    /// until there are enough of them.
    private func closedLoop(_ daemon: LiveDaemon) async throws -> [Duration] {
        let client = try await daemon.connect()
        var latencies: [Duration] = []
        let end = ContinuousClock.now + .seconds(4)
        while ContinuousClock.now < end || latencies.count < 50 {
            let start = ContinuousClock.now
            _ = try await client.call("io.scened.Scenes.List")
            latencies.append(.now - start)
        }
        return latencies
    }

    @Test("with --nocatchup late events are counted as not sent")
    func missed() async throws {
        try await LiveDaemon.run { daemon in
            async let soaking = Self.soak(
                daemon,
                ["--rate", "100", "--duration", "6s", "--warm-up", "0s", "--clients", "2", "--in-flight", "2"]
                    + ["--nocatchup", "--no-records"]
            )
            try await standStill(daemon)
            let (status, report, errors) = try await soaking
            // Without records the invariants are unknown.
            #expect(status == 4, "\(errors)")
            let missed = Self.sum("due", of: report) - Self.sum("sent", of: report)
            #expect(missed > 40, "\(report.text())")
            #expect(Self.sum("answered", of: report) == Self.sum("sent", of: report))
        }
    }

    /// The faults whose page shows the records around them, and is linked from the report.
    private static func shown(in report: JSONValue, _ directory: TemporaryDirectory) throws -> [String] {
        let html = try String(contentsOfFile: "\(directory.path)/report.html", encoding: .utf8)
        return try (report["faults"]?.arrayValue ?? []).compactMap { fault in
            guard let page = fault["page"]?.stringValue, let place = fault["place"]?.integerValue else { return nil }
            let text = try String(contentsOfFile: "\(directory.path)/\(page)", encoding: .utf8)
            let records = text.split(separator: "\n").count { $0.hasPrefix("{\"host\":") }
            #expect(records > 10 && (0..<records).contains(place), "\(page): \(place) of \(records)")
            #expect(html.contains("<a href=\"./\(page)#\(place)\">"))
            return fault["kind"]?.stringValue
        }
    }

    @Test("a daemon killed under load is restarted, and events open then are not a violation; each fault has its page")
    func killed() async throws {
        let directory = try TemporaryDirectory()
        let (status, report, errors) = try await Self.soak(
            nil,
            ["--rate", "50", "--duration", "3s", "--warm-up", "0s", "--out", directory.path]
                + ["--faults", "client@500ms,kill@1s,client@2s,reload@2500ms"]
        )
        #expect(status == 0, "\(report.text()) \(errors)")
        #expect(report["hosts"]?.arrayValue?.compactMap { $0["ending"]?.stringValue } == ["killed", "running"])
        let notes = report["faults"]?.arrayValue?.compactMap { $0["note"]?.stringValue } ?? []
        #expect(notes.count == 4)
        #expect(notes.contains { $0.contains("a new daemon answered") })
        #expect(try Self.shown(in: report, directory) == ["client", "kill", "reload"], "the first of each kind")
        let intervals = report["intervals"]?.arrayValue ?? []
        #expect(intervals.count >= 5, "half a second each, for three seconds")
    }

    @Test("what is doubtful in the manifest is said once, however often its daemon starts")
    func doubtful() async throws {
        let directory = try TemporaryDirectory()
        let app = "\(directory.path)/app.yaml"
        try """
        format: 3
        name: Doubt
        schemes: [doubt]
        tabs: { home: home }
        destinations:
          home: { tab: home, routes: ["doubt://home"] }
          lost: { ancestry: [home] }

        """.write(toFile: app, atomically: true, encoding: .utf8)
        let (_, report, errors) = try await Self.soak(
            nil,
            ["--app", app, "--rate", "20", "--duration", "3s", "--warm-up", "0s", "--faults", "kill@500ms,kill@1500ms"]
        )
        #expect(report["hosts"]?.arrayValue?.count == 3, "\(errors)")
        #expect(
            errors.split(separator: "\n").count { $0.contains("probably does not say what was meant") } == 1,
            "\(errors)"
        )
    }

    @Test("a stalled subscriber and a slow window are noted, and harm no other client")
    func stalledAndSlow() async throws {
        try await LiveDaemon.run { daemon in
            let (status, report, errors) = try await Self.soak(
                daemon,
                ["--rate", "60", "--duration", "2s", "--warm-up", "0s", "--faults", "stall@0s+1s,slow@500ms+500ms"]
            )
            #expect(status == 0, "\(report.text()) \(errors)")
            let kinds = report["faults"]?.arrayValue?.compactMap { $0["kind"]?.stringValue }
            #expect(kinds == ["stall", "slow"])
        }
    }

    @Test("a fault that cannot be caused leaves open how the daemon stands it")
    func unbroken() async throws {
        let directory = try TemporaryDirectory()
        let app = "\(directory.path)/app.yaml"
        try AppManifest.builtInShopText.write(toFile: app, atomically: true, encoding: .utf8)
        try await LiveDaemon.run(["--app", app]) { daemon in
            try Data("app: [".utf8).write(to: URL(filePath: app))
            let (status, report, errors) = try await Self.soak(
                daemon,
                ["--rate", "60", "--duration", "2s", "--warm-up", "0s", "--faults", "reload@500ms"]
            )
            #expect(status == 4, "\(report.text()) \(errors)")
            let reasons = report["verdict"]?["reasons"]?.arrayValue?.compactMap { $0["text"]?.stringValue }
            #expect(reasons?.contains { $0.hasPrefix("the fault reload at 0:0") } == true, "\(reasons ?? [])")
        }
    }

    @Test("a folder that holds a soak is left as it is, unless that one is to be replaced")
    func earlier() async throws {
        let directory = try TemporaryDirectory()
        let out = "\(directory.path)/out"
        let arguments = ["--rate", "40", "--duration", "1s", "--warm-up", "0s", "--out", out]
        try await LiveDaemon.run { daemon in
            let first = try await Self.soak(daemon, arguments + ["--faults", "client@300ms"])
            #expect(first.status == 0, "\(first.errors)")
            try Data("mine".utf8).write(to: URL(filePath: "\(out)/notes.html"))
            let before = try Self.files(in: out)
            #expect(before.keys.contains("fault-client.html") && before.count == 6, "\(before.keys)")
            let second = try await Self.soak(daemon, arguments)
            #expect(second.status == 2)
            #expect(
                second.errors.contains("holds an earlier soak") && second.errors.contains("--replace"),
                "\(second.errors)"
            )
            #expect(try Self.files(in: out) == before)
            let third = try await Self.soak(daemon, arguments + ["--replace"])
            #expect(third.status == 0, "\(third.errors)")
            #expect(
                try Self.files(in: out).keys.sorted()
                    == ["intervals.jsonl", "latency.hgrm", "notes.html", "report.html", "soak.json"]
            )
        }
    }

    /// The files of a folder by their names.
    private static func files(in folder: String) throws -> [String: Data] {
        let names = try FileManager.default.contentsOfDirectory(atPath: folder)
        return try Dictionary(
            uniqueKeysWithValues: names.map { ($0, try Data(contentsOf: URL(filePath: "\(folder)/\($0)"))) }
        )
    }

    @Test(
        "an objective about what will not come is refused before anything is sent",
        arguments: [
            (["--slo", "errors.QueueFul<1%"], "Did you mean 'QueueFull'?"),
            (
                ["--slo", "p99[push]<1s", "--mix", "links=40,push=0"],
                "nobody in this soak sends push; there will be openurl"
            ),
            (["--slo", "p99[others]<1s"], "nobody in this soak sends other"),
        ]
    )
    func emptyObjective(arguments: [String], advice: String) async throws {
        try await LiveDaemon.run { daemon in
            let (status, _, errors) = try await Self.soak(daemon, ["--duration", "1s"] + arguments)
            #expect(status == 2)
            #expect(errors.lowercased().contains(advice.lowercased()), "\(errors)")
            #expect(try await daemon.records().count <= 1)
        }
    }

    @Test("Ctrl-C ends the load, and there is a report all the same, which is not called clean")
    func interrupted() async throws {
        try await LiveDaemon.run { daemon in
            let (status, lines) = try await BlockingCalls.run {
                let words =
                    [Self.scenectl, "soak", "--socket", daemon.socket, "--duration", "5m", "--warm-up", "0s"]
                    + ["--every", "200ms"]
                let command = try Command(words, mergingErrors: true)
                _ = command.awaitLine(with: "answered")
                command.signal(SIGINT)
                var lines: [String] = []
                while let line = command.line() { lines.append(line) }
                return (command.end(), lines)
            }
            #expect(status == 4, "\(lines)")
            #expect(
                lines.contains { $0.hasPrefix("Unknown: ") && $0.contains("the soak was interrupted after") },
                "\(lines)"
            )
            #expect(lines.contains { $0.contains("answered") && $0.contains("planned") }, "\(lines)")
        }
    }

    /// The folder with the programs that contain the mutants, as `.ci/mutants build` prints it.
    private static let mutants = ProcessInfo.processInfo.environment["TEST_MUTANTS"]

    @Test(
        "a mutant of the runtime is found guilty, and shown with its records and a script",
        .enabled(if: mutants != nil, "it takes another build: 'make mutants' runs it"),
        arguments: ["missingSweep", "epochStays"]
    )
    func guilty(mutant: String) async throws {
        let directory = try TemporaryDirectory()
        let program = try #require(Self.mutants) + "/scened"
        try await LiveDaemon.run(program: program, environment: ["MUTANT": mutant]) { daemon in
            let (status, report, errors) = try await Self.soak(
                daemon,
                ["--rate", "80", "--duration", "3s", "--warm-up", "0s", "--seed", "1", "--out", directory.path]
                    + ["--mix", "links=40,gestures=10,flows=20,signins=15,signouts=15"]
            )
            #expect(status == 1, "\(report.text()) \(errors)")
            let files = try FileManager.default.contentsOfDirectory(atPath: directory.path)
            #expect(files.contains { $0.hasSuffix(".records.jsonl") })
            let seen = try #require(report["hosts"]?[0]?["evidence"]?[0]?["page"]?.stringValue)
            let found = try await Self.violation(shownBy: seen, in: report, directory)
            #expect(found == "")
            let script = try #require(files.first { $0.hasSuffix(".script.jsonl") })
            // The script can be played; its outcome does not matter here.
            let played = try await Program.run(
                Self.scenectl,
                ["play", "--reset", "--speed", "100", "--socket", daemon.socket, "\(directory.path)/\(script)"]
            )
            #expect([.exited(0), .exited(1)].contains(played.status), "\(played.errors)")
        }
    }

    @Test("a missed objective makes the exit status 1, and its value is shown")
    func objective() async throws {
        try await LiveDaemon.run { daemon in
            let words = ["soak", "--socket", daemon.socket, "--rate", "50", "--duration", "500ms", "--warm-up", "0s"]
            let outcome = try await Program.run(Self.scenectl, words + ["--slo", "p50<1us"])
            #expect(outcome.status == .exited(1))
            #expect(outcome.output.contains("MISSED"), "\(outcome.output)")
        }
    }

    /// A file of the tests, and the examples that have other users than the shop.
    static let otherApps = [
        (
            URL(filePath: #filePath).deletingLastPathComponent().deletingLastPathComponent()
                .appending(path: "Apps/login-first.yaml").path, ["onboarding", "transfer"]
        ), ("bank", ["login", "secondFactor", "approval", "transfer"]),
        ("club", ["welcome", "keys", "join"]),
        (
            URL(filePath: #filePath).deletingLastPathComponent().deletingLastPathComponent()
                .appending(path: "Apps/secrets.yaml").path, ["login", "unlock"]
        ),
    ]

    @Test(
        "users of another app do what its manifest says: they follow its links, and its flows to their ends",
        arguments: otherApps
    )
    func anotherApp(app: String, flows: [String]) async throws {
        try await LiveDaemon.run(["--app", app]) { daemon in
            let (status, report, errors) = try await Self.soak(
                daemon,
                ["--rate", "100", "--duration", "4s", "--warm-up", "0s", "--seed", "3"]
                    + ["--mix", "links=30,intents=50,flows=5,pushes=5,gestures=5,signouts=2,others=3"]
            )
            #expect(status == 0, "\(report.text()) \(errors)")
            let outcomes = Self.outcomes(of: report)
            #expect(outcomes["applied", default: 0] > 50 && outcomes["gated", default: 0] > 5, "\(outcomes)")
            // The daemon gives the manifest by which its records are judged.
            #expect(report.text().contains(#""name":"agreement","verdict":"holds""#), "\(report.text())")
            let shown = try await daemon.records().compactMap { record in
                record["kind"] == "coordinator.attached" ? record["flow"]?.stringValue : nil
            }
            #expect(Set(shown).isSuperset(of: flows), "\(Set(shown))")
            // What the report says was reached is what the records show.
            let declared = report["coverage"]?["flows"]?.arrayValue ?? []
            let names = { (flows: [JSONValue]) in Set(flows.compactMap { $0["name"]?.stringValue }) }
            let begun = names(declared.filter { $0["count"]?.integerValue ?? 0 > 0 })
            #expect(begun == names(declared).intersection(shown), "\(report["coverage"]?.text() ?? "")")
        }
    }

    @Test("a window that the app has closed is opened again by its user")
    func closedByTheApp() async throws {
        let directory = try TemporaryDirectory()
        let app = "\(directory.path)/notes.yaml"
        try """
        version: "1"
        name: Notes
        schemes: [notes]
        tabs: { home: home }
        intents: { doneTapped: { effects: [closeWindow] } }
        destinations:
          home: { tab: home, routes: ["notes://home"] }
          note: { ancestry: [home], routes: ["notes://note"] }
        """.write(toFile: app, atomically: true, encoding: .utf8)
        let words = ["--rate", "50", "--duration", "2s", "--warm-up", "0s", "--scenes", "2", "--seed", "4"]
        let (status, report, errors) = try await Self.soak(
            nil,
            words + ["--app", app, "--mix", "links=8,intents=2"]
        )
        #expect(status == 0, "\(report.text()) \(errors)")
        let refused = (report["intervals"]?.arrayValue ?? []).reduce(0) { sum, interval in
            sum + (interval["errors"]?["UnknownScene"]?.integerValue ?? 0)
        }
        let outcomes = Self.outcomes(of: report)
        // Ten windows were closed, and each time an event or two came too late.
        #expect(refused > 0 && refused < outcomes.values.reduce(0, +), "\(refused) \(outcomes)")
        #expect(outcomes["applied", default: 0] > 20, "\(outcomes)")
    }

    @Test("users close what the app has opened where theirs would not come back, and no windows of others")
    func openedByTheApp() async throws {
        let directory = try TemporaryDirectory()
        let app = "\(directory.path)/notes.yaml"
        try """
        version: "1"
        name: Notes
        schemes: [notes]
        tabs: { home: home }
        policies: { maximumScenes: 5 }
        intents:
          doneTapped: { effects: [closeWindow] }
          asideTapped: { effects: [{ openWindow: note }] }
        destinations:
          home: { tab: home, routes: ["notes://home"] }
          note: { ancestry: [home], routes: ["notes://note"] }
        """.write(toFile: app, atomically: true, encoding: .utf8)
        try await LiveDaemon.run(["--app", app]) { daemon in
            _ = try await daemon.client().connect(scene: "other")
            let words = ["--rate", "100", "--duration", "3s", "--warm-up", "0s", "--scenes", "3", "--clients", "3"]
            let (status, report, errors) = try await Self.soak(
                daemon,
                words + ["--seed", "4", "--mix", "links=5,intents=5"]
            )
            #expect(status == 0, "\(report.text()) \(errors)")
            // Each user was without a window again and again, and had it back.
            let closed = try await daemon.records().compactMap { record in
                record["kind"] == "scene.discarded" ? record["scene"]?.stringValue : nil
            }
            let own = Set((1...3).map { "soak-\($0)" })
            #expect(closed.count { own.contains($0) } > 9, "\(closed)")
            #expect(closed.contains { !own.contains($0) } && !closed.contains("other"), "\(closed)")
            let outcomes = Self.outcomes(of: report)
            let refused = Self.sum("answered", of: report) - outcomes.values.reduce(0, +)
            #expect(refused * 4 < Self.sum("answered", of: report), "\(refused) \(outcomes)")
        }
    }

    @Test("users of a script send its calls, each to its own window")
    func script() async throws {
        let directory = try TemporaryDirectory()
        let file = "\(directory.path)/script.jsonl"
        try """
        {"at": 0, "call": "Events.OpenURL", "parameters": {"url": "qcommerce://orders", "scene": "A", "event": "e1"}}
        {"at": 9, "call": "Events.OpenURL", "parameters": {"url": "qcommerce://account", "scene": "A"}}

        """.write(toFile: file, atomically: true, encoding: .utf8)
        try await LiveDaemon.run { daemon in
            let words = ["--rate", "60", "--duration", "1s", "--warm-up", "0s", "--scenes", "2", "--events", file]
            let (status, report, errors) = try await Self.soak(daemon, words)
            #expect(status == 0, "\(report.text()) \(errors)")
            let outcomes = Set(Self.outcomes(of: report).keys)
            #expect(outcomes.isSubset(of: ["applied", "unchanged"]) && !outcomes.isEmpty)
            #expect(Set(try await daemon.client().scenes().map(\.id)) == ["soak-1", "soak-2"])
            let other = try await Self.soak(daemon, words + ["--mix", "gestures=1"])
            #expect(other.status == 2)
            #expect(other.errors.contains("they send links"))
        }
    }

    @Test("a daemon that disappears for good ends the soak, with the data until then")
    func gone() async throws {
        let ending = try await LiveDaemon.ending { daemon in
            async let soaking = Self.soak(
                daemon,
                ["--rate", "60", "--duration", "1h", "--warm-up", "0s", "--patience", "300ms"]
            )
            try await daemon.record("event.admitted")
            daemon.signal(SIGKILL)
            let (status, report, errors) = try await soaking
            #expect(status == 3, "\(report.text()) \(errors)")
            #expect(Self.sum("due", of: report) > 0)
            #expect(report["failure"]?.stringValue?.contains("not back within 300ms") ?? false)
        }
        #expect(ending.status == .signaled(SIGKILL))
    }

    @Test("an app that a private daemon could not run is reported before one is started")
    func noSuchApp() async throws {
        let (status, _, errors) = try await Self.soak(nil, ["--duration", "1s", "--app", "bnak"])
        #expect(status == 2)
        #expect(errors.split(separator: "\n").count == 1 && errors.contains("Did you mean 'bank'?"), "\(errors)")
    }

    @Test("a folder that cannot be written is reported before anything is sent")
    func notWritable() async throws {
        try await LiveDaemon.run { daemon in
            let (status, _, errors) = try await Self.soak(daemon, ["--duration", "1s", "--out", "/proc/nowhere"])
            #expect(status == 2)
            #expect(errors.contains("/proc/nowhere"))
            #expect(try await daemon.records().count <= 1)
        }
    }

    @Test("a full disk does not end a run: it is reported once, and the summary is still printed")
    func diskFull() async throws {
        let directory = try TemporaryDirectory()
        try await LiveDaemon.run { daemon in
            // A limit on file size has the same effect as a full disk.
            let line =
                "ulimit -f 0; exec \(Self.scenectl) soak --json --socket \(daemon.socket) --rate 50 --duration 1s --warm-up 0s --every 200ms --out \(directory.path)/out"
            let (status, lines) = try await BlockingCalls.run {
                let command = try Command(["bash", "-c", line], mergingErrors: true)
                var lines: [String] = []
                while let line = command.line() { lines.append(line) }
                return (command.end(), lines)
            }
            // The run is fine, but its files could not be written.
            #expect(status == 1, "\(lines)")
            #expect(lines.count { $0.contains("The run goes on") } == 1, "\(lines)")
            #expect(lines.contains { $0.contains("\"answered\"") })
        }
    }

    @Test("a run whose folder is gone at the end is written elsewhere, and the place is printed")
    func refuge() async throws {
        let directory = try TemporaryDirectory()
        let (out, temporary) = ("\(directory.path)/out", "\(directory.path)/tmp")
        try FileManager.default.createDirectory(atPath: temporary, withIntermediateDirectories: false)
        try await LiveDaemon.run { daemon in
            let words =
                [Self.scenectl, "soak", "--socket", daemon.socket, "--rate", "50", "--duration", "1s"]
                + ["--warm-up", "0s", "--every", "200ms", "--out", out]
            let (status, lines) = try await BlockingCalls.run {
                let command = try Command(words, environment: ["TMPDIR": temporary], mergingErrors: true)
                var lines: [String] = []
                while let line = command.line() {
                    // By now it runs and has created its folder.
                    if lines.isEmpty {
                        try FileManager.default.removeItem(atPath: out)
                        try Data().write(to: URL(filePath: out))
                    }
                    lines.append(line)
                }
                return (command.end(), lines)
            }
            #expect(status == 1, "\(lines)")
            let refuges = try FileManager.default.contentsOfDirectory(atPath: temporary)
            let run = "\(temporary)/\(refuges.first ?? "")/soak.json"
            #expect(lines.contains { $0.contains(run) }, "\(lines)")
            let report = try await Program.run(Self.scenectl, ["soak", "report", run])
            #expect(report.status == .exited(0) && report.output.contains("nothing was lost"), "\(report)")
        }
    }

    @Test("without a daemon it says what to do")
    func noDaemon() async throws {
        let outcome = try await Program.run(
            Self.scenectl,
            ["soak", "--socket", "/tmp/there-is-none/socket", "--duration", "1s"]
        )
        #expect(outcome.status == .exited(3))
        #expect(outcome.errors.contains("--private"))
    }

    @Test(
        "wrong options are refused with what was expected",
        arguments: [
            (["--rate", "0"], "--rate"), (["--duration", "soon"], "30s, 5m"), (["--mix", "link=1"], "links, pushes"),
            (["--faults", "kil@5m"], "character 1"), (["--percentiles", "p99"], "50,90"), (["--clients", "0"], "1 to"),
            (["--every", "1ms"], "100ms"), (["--slo", "p99<fast"], "column"), (["--events", "/nowhere"], "/nowhere"),
            (["--private", "--socket", "x"], "Leave one"),
        ]
    )
    func usage(arguments: [String], advice: String) async throws {
        let outcome = try await Program.run(Self.scenectl, ["soak"] + arguments)
        #expect(outcome.status == .exited(2), "\(outcome.errors)")
        #expect(outcome.errors.contains(advice), "\(outcome.errors)")
    }
}
