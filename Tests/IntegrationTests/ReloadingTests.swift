import Foundation
import Glibc
import SceneClient
import StrictJSON
import Subprocess
import TestFixtures
import Testing
import Varlink

@Suite("Reloading the manifest of a live daemon", .timeLimit(.minutes(15)))
struct ReloadingTests {
    /// Two destinations; the second version lacks the second one.
    static func manifest(version: Int, withNews: Bool) -> String {
        let news = """
              news:
                ancestry: [home]
                routes: ["tiny://news"]
            """
        return """
            version: "\(version)"
            name: Tiny
            appIDs: [ABCDE12345.com.example.tiny]
            schemes: [tiny]
            tabs: {home: home}
            destinations:
              home:
                tab: home
                routes: ["tiny://home"]
              about:
                ancestry: [home]
                routes: ["tiny://about"]
            \(withNews ? news : "")
            """
    }

    @Test("what is ignored in an association file is in the log, at the start and at each reload that finds it")
    func warns() async throws {
        let directory = try TemporaryDirectory()
        let (file, association) = ("\(directory.path)/tiny.yaml", "\(directory.path)/aasa.json")
        let components = #"[{"/": "/a", "?": {"mode": 5}}]"#
        let wrong =
            #"{"applinks": {"details": [{"appIDs": ["ABCDE12345.com.example.tiny"], "components": \#(components)}]}}"#
        try wrong.write(toFile: association, atomically: true, encoding: .utf8)
        try (Self.manifest(version: 1, withNews: true) + "\nassociatedDomains: { tiny.example: aasa.json }\n")
            .write(toFile: file, atomically: true, encoding: .utf8)
        func said(_ log: String) -> Int {
            log.split(separator: "\n").count { line in
                line.contains("the manifest is used, and probably does not say what was meant")
                    && line.contains("aasa.json:1:") && line.contains("[query-not-text]")
            }
        }
        let ending = try await LiveDaemon.ending(["--app", file]) { daemon in
            let client = try await daemon.client()
            // It logs beside its work.
            try await until("it is said at the start") { said(daemon.readLog()) == 1 }
            _ = try await client.call("io.scened.Manager.Reload")
            try wrong.replacing("5}", with: #""5"}"#).write(toFile: association, atomically: true, encoding: .utf8)
            _ = try await client.call("io.scened.Manager.Reload")
            daemon.stop()
        }
        #expect(said(ending.log) == 2, "\(ending.log)")
    }

    @Test("Reload and SIGHUP put a new version in force and sweep what it lacks; the records say which version")
    func reloads() async throws {
        let directory = try TemporaryDirectory()
        let file = "\(directory.path)/tiny.yaml"
        try Self.manifest(version: 1, withNews: true).write(toFile: file, atomically: true, encoding: .utf8)
        try await LiveDaemon.run(["--app", file]) { daemon in
            let client = try await daemon.client()
            _ = try await client.connect(scene: "A")
            #expect(try await client.openURL("tiny://news", .init(scene: "A")).outcome == .applied)

            try Self.manifest(version: 2, withNews: false).write(toFile: file, atomically: true, encoding: .utf8)
            #expect(try await client.call("io.scened.Manager.Reload")["manifestVersion"] == "2")
            let swept = try await daemon.record("scene.swept", scene: "A")
            #expect(swept["removed"]?[0]?["destination"]?["id"] == "news")
            #expect(try await client.scene("A").window?.tabs.first?.stack.map(\.id) == ["home"])
            await #expect(throws: SceneClientError.self) { try await client.openURL("tiny://news", .init(scene: "A")) }

            try Self.manifest(version: 3, withNews: true).write(toFile: file, atomically: true, encoding: .utf8)
            daemon.signal(SIGHUP)
            try await daemon.record { record in
                record["kind"] == "manifest.loaded" && record["manifestVersion"] == "3"
            }
            #expect(try await client.openURL("tiny://news", .init(scene: "A")).outcome == .applied)

            // Each of them is given by its digest, and together they judge the history.
            try await client.quiesce(timeout: .seconds(120))
            let records = try await daemon.records()
            let digests = records.compactMap { $0["manifest"]?.stringValue }
            #expect(Set(digests).count == 3 && digests.count == 3)
            var files: [String] = []
            for digest in digests {
                let shown = try await Program.run(
                    Command.built("scenectl"),
                    ["app", "show", digest, "--socket", daemon.socket]
                )
                #expect(shown.status == .exited(0), "\(shown)")
                files += ["--app", "\(directory.path)/\(digest).json"]
                try shown.output.write(toFile: "\(directory.path)/\(digest).json", atomically: true, encoding: .utf8)
            }
            let history = "\(directory.path)/history"
            try records.map { JSONValue.object($0).text() + "\n" }.joined()
                .write(toFile: history, atomically: true, encoding: .utf8)
            let check = try await Program.run(Command.built("scenectl"), ["check", history] + files)
            #expect(check.status == .exited(0), "\(check)")
            #expect(try await client.call("io.scened.Manager.GetManifest")["digest"]?.stringValue == digests.last)
        }
    }

    /// Why what waits at a gate may go on by another manifest, as an edit of ``gated``.
    static let openings: [(what: String, from: String, to: String)] = [
        ("the precondition holds", "holds: signedIn", "holds: { not: signedIn }"),
        ("the destination needs it no longer", "preconditions: [signedIn]", "conditions: []"),
        ("there is no such root any more", "roots: [{ flow: login, when: { not: signedIn } }]", "roots: []"),
    ]

    /// Parks `about` at a gate of its own, and anything at the root.
    private static let gated =
        manifest(version: 1, withNews: true).replacing(
            #"routes: ["tiny://about"]"#,
            with: #"""
                preconditions: [signedIn]
                    routes: ["tiny://about"]
                """#
        ) + """

            preconditions: { signedIn: { holds: signedIn, flow: login } }
            flows: { login: { completionNeedsUser: true, screens: [name], intents: { gaveUp: { effects: [cancel] } } } }

            """

    @Test(
        "a reload that opens a gate resumes what waits there, once, in every window, whoever asks for the reload",
        arguments: openings,
        [false, true]
    )
    func opens(_ opening: (what: String, from: String, to: String), bySignal: Bool) async throws {
        let directory = try TemporaryDirectory()
        let file = "\(directory.path)/tiny.yaml"
        let isRoot = opening.from.hasPrefix("roots")
        let before =
            isRoot
            ? Self.gated.replacing("preconditions: [signedIn]", with: "conditions: []") + opening.from : Self.gated
        try before.write(toFile: file, atomically: true, encoding: .utf8)
        try await LiveDaemon.run(["--app", file]) { daemon in
            let client = try await daemon.client()
            for scene in ["A", "B", "C"] {
                _ = try await client.connect(scene: scene)
                let waits = try await client.openURL("tiny://about", .init(scene: scene, event: scene))
                #expect(waits.outcome == .gated && waits.precondition == (isRoot ? "login" : "signedIn"))
            }
            // One comes back later, and finds its gate open.
            _ = try await client.disconnect(scene: "C")
            // A reload that opens nothing resumes nothing.
            let same = before.replacing(#"version: "1""#, with: #"version: "2""#)
            try same.write(toFile: file, atomically: true, encoding: .utf8)
            #expect(try await client.call("io.scened.Manager.Reload")["manifestVersion"] == "2")
            try await client.quiesce()
            #expect(try await client.scenes().allSatisfy { $0.parked.count == 1 })

            let after = same.replacing(opening.from, with: opening.to).replacing(
                #"version: "2""#,
                with: #"version: "3""#
            )
            #expect(after != same.replacing(#"version: "2""#, with: #"version: "3""#))
            try after.write(toFile: file, atomically: true, encoding: .utf8)
            if bySignal { daemon.signal(SIGHUP) } else { _ = try await client.call("io.scened.Manager.Reload") }
            for scene in ["A", "B"] {
                let ended = try await daemon.record(event: scene) { record in
                    record["kind"] == "dispatch.ended" && record["outcome"] != "gated"
                }
                #expect(ended["outcome"] == "applied" && ended["attempt"] == 2, "\(ended)")
            }
            try await client.quiesce()
            _ = try await client.connect(scene: "C")
            try await client.quiesce()
            for scene in ["A", "B", "C"] {
                #expect(try await client.receipt(of: scene).outcome == .applied, "\(scene)")
                let shown = try await client.scene(scene)
                #expect(shown.window?.trail == ["home", "about"] && shown.parked.isEmpty, "\(scene)")
                let records = try await daemon.records(event: scene)
                #expect(records.count { $0["kind"] == "gate.resumed" } == 1, "\(scene)")
            }
            #expect(try await daemon.records().allSatisfy { $0["kind"] != "violation" })
        }
    }

    @Test("an invalid manifest changes nothing, and every problem has a place")
    func invalid() async throws {
        let directory = try TemporaryDirectory()
        let file = "\(directory.path)/tiny.yaml"
        let good = Self.manifest(version: 1, withNews: true)
        try good.write(toFile: file, atomically: true, encoding: .utf8)
        try await LiveDaemon.run(["--app", file, "--log-level", "critical"]) { daemon in
            let client = try await daemon.client()
            try good.replacing("ancestry: [home]", with: "ancestry: [hoem]")
                .write(toFile: file, atomically: true, encoding: .utf8)
            let error = await #expect(throws: SceneClientError.self) {
                try await client.call("io.scened.Manager.Reload")
            }
            guard case .invalidManifest(let problems) = error?.refusal else {
                Issue.record("expected InvalidManifest, found \(String(describing: error))")
                return
            }
            #expect(
                problems.contains {
                    $0["line"]?.integerValue == 11 && $0["message"]?.stringValue?.contains("'home'") == true
                }
            )
            #expect(problems.allSatisfy { $0["file"]?.stringValue == file })
            let reload = ["reload", "--socket", daemon.socket]
            let told = try await Program.run(Command.built("scenectl"), reload)
            #expect(told.status == .exited(1) && told.errors.contains("\(file):11:"), "\(told)")
            #expect(told.errors.contains(": error: "), "\(told)")
            let json = try JSONValue(
                parsing: try await Program.run(Command.built("scenectl"), reload + ["--json"]).errors
            )
            #expect(json["error"] == "io.scened.Manager.InvalidManifest", "\(json.text())")
            #expect(json["parameters"]?["problems"]?.arrayValue?.count == problems.count)
            try FileManager.default.removeItem(atPath: file)
            await #expect(throws: SceneClientError.self) { try await client.call("io.scened.Manager.Reload") }
            daemon.signal(SIGHUP)
            _ = try await client.connect(scene: "A")
            #expect(try await client.openURL("tiny://news", .init(scene: "A")).outcome == .applied)
            let status = try await client.call("io.scened.Manager.GetStatus")
            #expect(status["manifestVersion"] == "1")
            #expect(status["manifestFile"]?.stringValue == file)
        }
    }

    @Test("resolutions are counted by kind of event, route, verdict and error")
    func metrics() async throws {
        try await LiveDaemon.run { daemon in
            let client = try await daemon.client()
            _ = try await client.connect(scene: "A")
            for _ in 0..<3 { _ = try await client.openURL("qcommerce://product/p1", .init(scene: "A")) }
            _ = try await client.openURL("https://shop.example/cart", .init(scene: "A"))
            _ = try? await client.openURL("qcommerce://nowhere")
            _ = try? await client.openURL("qcommerce://product/x")
            _ = try await client.continueActivity(
                type: "com.example.shop.view",
                userInfo: ["destination": "category", "parameters": ["slug": "tea"]],
                .init(scene: "A")
            )
            let text = try await client.call("io.scened.Manager.GetMetrics")["openMetrics"]?.stringValue ?? ""
            let lines = text.split(separator: "\n").map(String.init)
            #expect(lines.contains("# TYPE scened_resolutions counter"))
            #expect(lines.contains("scened_incidents_total{kind=\"denied\"} 0"))
            #expect(lines.contains("# TYPE scened_connections gauge"))
            #expect(lines.last == "# EOF")
            for family in lines where family.hasPrefix("# TYPE ") {
                let name = family.split(separator: " ")[2]
                #expect(lines.contains { $0.hasPrefix("# HELP \(name) ") }, "\(name) says what it is")
            }
            func count(_ labels: String...) -> String? {
                lines.first { line in labels.allSatisfy { line.contains($0) } }?.split(separator: " ").last.map(
                    String.init
                )
            }
            #expect(count("door=\"url\"", "verdict=\"proceed\"", "qcommerce://product/{id}") == "3")
            #expect(count("door=\"url\"", "verdict=\"gated\"", "/cart") == "1")
            #expect(count("error=\"unknownRoute\"") == "1")
            #expect(count("error=\"validationFailed\"") == "1")
            #expect(count("door=\"request\"", "verdict=\"proceed\"") == "1")
        }
    }
}
