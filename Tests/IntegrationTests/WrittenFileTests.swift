import Foundation
import SceneManifest
import SceneRaces
import SceneRouting
import StrictJSON
import Subprocess
import TestFixtures
import Testing

/// A file of one kind, given where one of another is expected.
@Suite("What a file is", .timeLimit(.minutes(15)))
struct WrittenFileTests {
    private static let scenectl = Command.built("scenectl")

    /// Files of each kind: with a mistake, cut short, or as one would have them.
    private static let files: [(name: String, kind: WrittenFile, text: String)] = [
        ("manifest.yaml", .manifest, ExampleApp.bank.text),
        ("manifest.json", .manifest, (try? AppManifest.json(of: ExampleApp.bank.text)) ?? ""),
        ("misspelt.yaml", .manifest, ExampleApp.bank.text.replacing("destinations:", with: "destinatons:")),
        ("scenario.yaml", .scenario, ShippedScenarios.text(of: "sign-out-against-push") ?? ""),
        ("tabs.yaml", .scenario, "name: x\nwindows:\n\t- A\nactors: {}\n"),
        ("script.yaml", .script, "- { call: Scenes.Connect, parameters: { scene: A } }\n- { at: 1 }\n"),
        ("script.jsonl", .script, "{\"at\": 0, \"call\": \"Session.Get\"}\n{\"call\": \"Session.Get\"}\n"),
        (
            "records.jsonl", .records,
            #"{"host":"h1","index":1,"kind":"host.quiet","monotonic":0,"revision":0,"epoch":0}"# + "\n{\"ho"
        ),
    ]

    @Test("is seen of each file, of every example and scenario, and of the first half of any")
    func recognized() throws {
        var all = Self.files.map { ($0.kind, $0.text) }
        all += ExampleApp.allCases.map { (.manifest, $0.text) }
        all += ShippedScenarios.names.map { (.scenario, ShippedScenarios.text(of: $0) ?? "") }
        for (kind, text) in all {
            #expect(WrittenFile(text) == kind, "\(text.prefix(200))")
            let half = String(text.prefix(text.count / 2))
            // Half of a line of JSON is nothing yet, and a scenario is one by what comes last.
            guard kind == .manifest, !text.hasPrefix("{") else { continue }
            #expect(WrittenFile(half) == kind, "\(half.prefix(200))")
        }
        for text in ["", "x", "- x", "7", "{}", "a: b", "{\"kind\": \"x\"}", "scenectl openurl x\n"] {
            #expect(WrittenFile(text) == nil, "\(text)")
        }
    }

    @Test("is told in one line where another kind is expected, with what takes it")
    func told() async throws {
        let folder = try TemporaryDirectory()
        for file in Self.files {
            try file.text.write(toFile: "\(folder.path)/\(file.name)", atomically: false, encoding: .utf8)
        }
        let verbs: [(words: [String], kind: WrittenFile, status: Int32)] = [
            (["app", "validate", "FILE"], .manifest, 1),
            (["app", "new", "MyApp", "--swift", "--directory", folder.path, "--from", "FILE"], .manifest, 2),
            (["app", "compare", "shop", "FILE"], .manifest, 2),
            (["check", "--app", "FILE", "\(folder.path)/records.jsonl"], .manifest, 2),
            (["race", "FILE"], .scenario, 2),
            (["play", "FILE", "--export", "simctl"], .script, 2),
            (["app", "compare", "shop", "bank", "--script", "FILE"], .script, 2),
            (["check", "FILE"], .records, 2),
            (["inspect", "FILE", "--out", "\(folder.path)/page.html"], .records, 2),
        ]
        for verb in verbs {
            for file in Self.files where file.kind != verb.kind {
                let path = "\(folder.path)/\(file.name)"
                let outcome = try await Program.run(Self.scenectl, verb.words.map { $0 == "FILE" ? path : $0 })
                let said = "\(outcome.output)\(outcome.errors)"
                #expect(outcome.status == .exited(verb.status), "\(verb.words): \(said)")
                let lines = said.split(separator: "\n")
                #expect(lines.count == 1, "\(verb.words): \(said)")
                let whole = "\(path):1:1: error: \(file.kind.phrase); expected \(verb.kind.expectation)"
                #expect(said.contains(whole), "\(verb.words): \(said)")
            }
        }
    }
}
