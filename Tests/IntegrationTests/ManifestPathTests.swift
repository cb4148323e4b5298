import Foundation
import StrictJSON
import Subprocess
import TestFixtures
import Testing

/// Everything that reads a manifest, given one whose association file is a path: each finds it beside the manifest, whatever folder
/// it runs in.
@Suite("A manifest that names an association file", .timeLimit(.minutes(15)))
struct ManifestPathTests {
    private let directory: TemporaryDirectory

    init() throws {
        directory = try TemporaryDirectory()
        let files = FileManager.default
        try files.createDirectory(atPath: "\(directory.path)/apps/web", withIntermediateDirectories: true)
        try files.createDirectory(atPath: "\(directory.path)/races", withIntermediateDirectories: true)
        try files.createDirectory(atPath: "\(directory.path)/fixtures", withIntermediateDirectories: true)
        try write(
            "apps/web/apple-app-site-association",
            #"{ "applinks": { "details": [{ "appIDs": ["TEAM.com.example.tiny"], "components": [{ "/": "/item/*" }] }] } }"#
        )
        try write(
            "apps/tiny.yaml",
            """
            name: tiny
            appIDs: [TEAM.com.example.tiny]
            schemes: [tiny]
            associatedDomains:
              tiny.example: web/apple-app-site-association
            tabs: { home: home }
            destinations:
              home: { tab: home, routes: ["tiny://home"] }
              item:
                ancestry: [home]
                parameters: { id: string }
                routes: ["https://tiny.example/item/{id}", "tiny://item/{id}"]
            """
        )
        try write(
            "races/links.yaml",
            """
            name: links
            description: Somebody believes that the first of two links wins.
            app: ../apps/tiny.yaml
            windows: { A: {} }
            actors:
              one: [{ openurl: "https://tiny.example/item/i1", scene: A }]
              two: [{ openurl: "https://tiny.example/item/i2", scene: A }]
            expect: { windows: { A: "home › item(id: i1)" } }
            """
        )
        try write(
            "fixtures/link.yaml",
            """
            event: { url: "https://tiny.example/item/i1" }
            kind: url
            expect: { decision: proceed }
            """
        )
    }

    private func write(_ name: String, _ text: String) throws {
        try text.write(toFile: "\(directory.path)/\(name)", atomically: true, encoding: .utf8)
    }

    private func scenectl(_ arguments: [String], input: String = "") async throws -> Program.Outcome {
        try await Program.run(Command.built("scenectl"), arguments, input: input)
    }

    /// With `@` for the folder of the files; a race is found, and an empty history is not judged.
    @Test(
        "is read by everything that reads a manifest",
        arguments: [
            (["app", "validate", "@/apps/tiny.yaml"], 0, "valid, 0 warnings"),
            (["adapter", "test", "@/fixtures", "--app", "@/apps/tiny.yaml"], 0, "1 as expected"),
            (["race", "@/races/links.yaml", "--seed", "1"], 1, "window A is 'home › item(id: i2)'"),
            (["check", "--app", "@/apps/tiny.yaml", "-"], 2, "no records"),
        ]
    )
    func read(arguments: [String], status: Int, says: String) async throws {
        let outcome = try await scenectl(arguments.map { $0.replacing("@", with: directory.path) })
        #expect(outcome.status == .exited(Int32(status)), "\(outcome.output)\(outcome.errors)")
        #expect((outcome.output + outcome.errors).contains(says), "\(outcome.output)\(outcome.errors)")
    }

    @Test(
        "is found again by a race that was saved, by the line that repeats it, and by the script that it was exported to"
    )
    func again() async throws {
        let file = "\(directory.path)/races/links.yaml"
        let saved = "\(directory.path)/race.json"
        let script = "\(directory.path)/race.sh"
        let found = try await scenectl(["race", file, "--seed", "1", "--save", saved, "--export", script])
        #expect(found.status == .exited(1), "\(found.output)\(found.errors)")
        let again = try await scenectl(["race", file, "--replay", saved])
        #expect(again.status == .exited(1) && again.errors.isEmpty, "\(again.output)\(again.errors)")
        let written = try String(contentsOfFile: script, encoding: .utf8)
        #expect(written.contains("scened --app \(directory.path)/races/../apps/tiny.yaml"), "\(written.prefix(600))")
    }

    @Test("can be given to a race on its command line, and is in the line that repeats it")
    func given() async throws {
        let app = "\(directory.path)/apps/tiny.yaml"
        let text = try String(contentsOfFile: "\(directory.path)/races/links.yaml", encoding: .utf8)
            .replacing("app: ../apps/tiny.yaml\n", with: "")
        let outcome = try await scenectl(["race", "-", "--app", app, "--seed", "1"], input: text)
        #expect(outcome.status == .exited(1), "\(outcome.output)\(outcome.errors)")
        #expect(outcome.output.contains("scenectl race - --app \(app) --replay"))
    }

    @Test("is refused with the path that was looked for if the file is not there")
    func missing() async throws {
        try FileManager.default.removeItem(atPath: "\(directory.path)/apps/web/apple-app-site-association")
        let outcome = try await scenectl(["race", "\(directory.path)/races/links.yaml"])
        #expect(outcome.status == .exited(2))
        #expect(outcome.errors.contains("apps/web/apple-app-site-association"), "\(outcome.errors)")
    }
}
