import Foundation
import StrictJSON
import Subprocess
import TestFixtures
import Testing

/// `scenectl app new`. The package that it writes is compiled with this one, and its Swift tests run with these: `NewAppTests`.
@Suite("A new app", .timeLimit(.minutes(15)))
struct AppNewTests {
    static let root = URL(filePath: ProtocolFilesTests.folder).deletingLastPathComponent().path
    private static let template = "\(root)/Sources/AppTemplate/NewApp"

    /// A folder with scened's sources in it, as if they had been cloned there.
    static func workspace() throws -> TemporaryDirectory {
        let directory = try TemporaryDirectory()
        try FileManager.default.createSymbolicLink(
            atPath: "\(directory.path)/scened",
            withDestinationPath: root
        )
        return directory
    }

    /// Writes a new app into a folder, and returns the files' texts by their paths.
    static func new(
        _ words: String...,
        in directory: TemporaryDirectory,
        name: String = "MyApp"
    ) async throws -> [String: String] {
        let command = ["app", "new", name, "--swift", "--directory", directory.path, "--json"] + words
        let new = try await Program.run(Command.built("scenectl"), command)
        try #require(new.status == .exited(0), "\(new.output)\(new.errors)")
        let files = try texts(in: "\(directory.path)/\(name)")
        let told = try JSONValue(parsing: new.output)["files"]?.arrayValue?.compactMap(\.stringValue) ?? []
        #expect(told.sorted() == files.keys.map { "\(directory.path)/\(name)/\($0)" }.sorted())
        return files
    }

    /// The texts of all files in a folder, by their paths.
    private static func texts(in folder: String) throws -> [String: String] {
        let paths = try FileManager.default.subpathsOfDirectory(atPath: folder)
        var texts: [String: String] = [:]
        for path in paths {
            var isFolder: ObjCBool = false
            guard FileManager.default.fileExists(atPath: "\(folder)/\(path)", isDirectory: &isFolder),
                !isFolder.boolValue
            else { continue }
            texts[path] = try String(contentsOfFile: "\(folder)/\(path)", encoding: .utf8)
        }
        return texts
    }

    @Test("is the package in the sources, file by file, with another name")
    func isTheTemplate() async throws {
        let directory = try Self.workspace()
        let files = try await Self.new("--scened", "\(directory.path)/scened", in: directory)
        func named(_ text: String) -> String {
            text.replacing("NewApp", with: "MyApp").replacing("newapp", with: "myapp")
        }
        var expected: [String: String] = [:]
        for (path, text) in try Self.texts(in: Self.template) {
            let path = path.hasPrefix("github/") || path == "gitignore" ? ".\(path)" : path
            expected[named(path)] = named(text)
        }
        #expect(files.keys.sorted() == expected.keys.sorted())
        for (path, text) in expected { #expect(files[path] == text, "\(path)") }
    }

    @Test("has a name that contains the template's, and sources whose path does", arguments: ["Mynewapp", "NewAppTwo"])
    func contains(name: String) async throws {
        let directory = try Self.workspace()
        let url = "https://git.example/newapp-team/NewApp.git"
        let files = try await Self.new("--scened", url, "--scened-branch", "main", in: directory, name: name)
        let manifest = try #require(files["Sources/\(name)/\(name).yaml"])
        #expect(manifest.contains("\(name.lowercased())://") && !manifest.contains("Mymy"))
        #expect(files["Package.swift"]?.contains(".package(url: \"\(url)\", branch: \"main\")") == true)
    }

    @Test("is checked in CI by the commands that its README gives, and by no others")
    func commands() async throws {
        let directory = try Self.workspace()
        let files = try await Self.new("--scened", "\(directory.path)/scened", in: directory)
        let readme = try #require(files["README.md"])
        let shown = readme.replacing("\\\n", with: " ").split(separator: "\n").filter { $0.hasPrefix("    $ ") }
            .map { Self.words($0.dropFirst(6)) }
        let script = try #require(files["check.sh"]).split(separator: "\n").filter { !$0.hasPrefix("#") }
        #expect(script.prefix(2) == ["set -eu", #"cd "$(dirname "$0")""#])
        #expect(script.dropFirst(2).map(Self.words) == Array(shown.prefix(6)))
        // The workflow has scened elsewhere, and writes its longest command in several lines.
        let workflow = try #require(files[".github/workflows/check.yml"])
            .replacing("$GITHUB_WORKSPACE/scened:", with: "$PWD/../scened:")
        let runs = workflow.components(separatedBy: "- run: ").dropFirst().map { run in
            Self.words(run.components(separatedBy: "\n\n")[0]).drop { $0 == ">" }
        }
        #expect(runs.map(Array.init) == Array(shown[6..<8]) + shown.suffix(1))
        #expect(shown.last == ["swift", "test", "--skip", "RaceTests"])
    }

    private static func words(_ text: some StringProtocol) -> [String] {
        text.split { $0.isWhitespace }.map { String($0) }
    }

    @Test("begins with what the daemon takes without a warning")
    func manifestIsClean() async throws {
        let directory = try Self.workspace()
        _ = try await Self.new(in: directory)
        let manifest = "\(directory.path)/MyApp/Sources/MyApp/MyApp.yaml"
        let checked = try await Program.run(Command.built("scenectl"), ["app", "validate", "--strict", manifest])
        #expect(checked.status == .exited(0), "\(checked.output)")
    }

    @Test("depends on the sources that scenectl was built from, by a path that leads there from its folder")
    func findsItsSources() async throws {
        let directory = try TemporaryDirectory()
        let files = try await Self.new(in: directory)
        let path = try #require(files["Package.swift"]?.firstMatch(of: /\?\? "([^"]*)"/)?.output.1)
        let found = URL(filePath: "\(directory.path)/MyApp/\(path)").resolvingSymlinksInPath().path
        #expect(found == URL(filePath: Self.root).resolvingSymlinksInPath().path)
        for file in ["check.sh", "README.md"] { #expect(files[file]?.contains("${SCENED_SOURCES:-\(path)}") == true) }
    }

    @Test("asks for scened's sources where scenectl is not among them, and writes nothing")
    func hasNoSources() async throws {
        let directory = try TemporaryDirectory()
        let (built, moved) = (Command.built("scenectl"), "\(directory.path)/moved/bin/scenectl")
        try FileManager.default.createDirectory(
            atPath: "\(directory.path)/moved/bin",
            withIntermediateDirectories: true
        )
        try await Program.copy(built, to: moved)
        // What it loads, where it was installed.
        let libraries = URL(filePath: built).deletingLastPathComponent().appending(path: "../lib").standardized.path
        try FileManager.default.createSymbolicLink(
            atPath: "\(directory.path)/moved/lib",
            withDestinationPath: libraries
        )
        let new = try await Program.run(moved, ["app", "new", "MyApp", "--swift", "--directory", directory.path])
        #expect(new.status == .exited(2))
        #expect(
            new.errors == """
                scenectl: This scenectl is not where it was built, and scened has no published address yet: name the folder of its \
                sources, or the URL of a repository of them, with --scened.

                """
        )
        #expect(try FileManager.default.contentsOfDirectory(atPath: directory.path) == ["moved"])
    }

    @Test(
        "depends on a repository, of which SwiftPM takes a version or a branch, and says nothing of a folder",
        arguments: [
            (["--scened", "https://git.example/a/scened.git", "--scened-version", "1.2.0"], "scened", "1.2.0"),
            (["--scened", "https://git.example/a/our-scened", "--scened-branch", "next/2"], "our-scened", "next/2"),
        ]
    )
    func repository(options: [String], identity: String, requirement: String) async throws {
        let directory = try TemporaryDirectory()
        let files = try await Self.new(options[0], options[1], options[2], options[3], in: directory)
        for (path, text) in files {
            for word in ["../scened", "SCENED_SOURCES", "SCENED_REPOSITORY", "scened:/scened", "published"] {
                let isThere = text.contains(word)
                #expect(!isThere, "\(path) still has '\(word)'")
            }
        }
        #expect(files["check.sh"]?.contains(#"".build/checkouts/\#(identity)/protocol/python[pytest]""#) == true)
        let dump = try await Program.run(
            "/usr/bin/env",
            ["swift", "package", "--package-path", "\(directory.path)/MyApp", "dump-package"]
        )
        try #require(dump.status == .exited(0), "\(dump.errors)")
        let package = try JSONValue(parsing: dump.output)
        let source = package["dependencies"]?.arrayValue?.first?["sourceControl"]?.arrayValue?.first
        #expect(source?["identity"]?.stringValue == identity)
        #expect(source?.text().contains(JSONValue.string(requirement).text()) == true)
        #expect(source?.text().contains(JSONValue.string(options[1]).text()) == true)
        #expect(package.text().contains(#"["SceneRuntime","\#(identity)""#))
    }

    /// The apps that are there to test with, and the examples.
    private static let manifests: [String] = {
        let folder = "\(root)/Tests/Apps"
        let names = (try? FileManager.default.contentsOfDirectory(atPath: folder)) ?? []
        return names.filter { $0.hasSuffix(".yaml") }.sorted().map { "\(folder)/\($0)" } + ["shop", "bank", "club"]
    }()

    @Test("begins with any manifest, as it is, and with code for what that declares", arguments: manifests)
    func fromManifest(manifest: String) async throws {
        let directory = try Self.workspace()
        let files = try await Self.new("--from", manifest, in: directory)
        if let text = try? String(contentsOfFile: manifest, encoding: .utf8) {
            #expect(files["Sources/MyApp/MyApp.yaml"] == text)
        }
        try await Self.checkCode(files, in: directory)
    }

    @Test("begins with a manifest that names another file, and whose names need escapes in every language")
    func fromOddManifest() async throws {
        let directory = try Self.workspace()
        let association =
            #"{"applinks":{"details":[{"appIDs":["ABCDE12345.com.example.odd"],"components":[{"/":"/x"}]}]}}"#
        try association.write(toFile: "\(directory.path)/association", atomically: true, encoding: .utf8)
        let manifest = #"""
            format: 2
            version: "1"
            name: 'NewApp "newapp" \('
            appIDs: [ABCDE12345.com.example.odd]
            schemes: [odd]
            associatedDomains: { odd.example: association }
            tabs: { "2nd\"tab": "a\\b" }
            destinations:
              "a\\b": { tab: "2nd\"tab", routes: ["odd://ab"] }
              "it's\"#": { ancestry: ["a\\b"], parameters: { "p\"\\(q)": { type: string, optional: true } }, routes: ["odd://it"] }
            flows:
              "2fa\"\\(x)": { screens: ["s\"1"], intents: { "go\"\\(y)": { effects: [cancel] } } }
            intents:
              "odd\\(z)\"": { effects: [{ route: "a\\b" }] }
            """#
        let file = "\(directory.path)/odd.yaml"
        try manifest.write(toFile: file, atomically: true, encoding: .utf8)
        let files = try await Self.new("--from", file, in: directory)
        #expect(files["Sources/MyApp/Own2faXFlow.swift"]?.contains(#"ManifestCoordinator(flow: "2fa\"\\(x)")"#) == true)
        #expect(files["Sources/MyApp/MyApp.yaml"]?.contains(#"'NewApp \"newapp\""#) == false)
        try await Self.checkCode(files, in: directory)
    }

    /// Expects that the package's code is Swift and Python, and that its manifest can be read where it is now.
    private static func checkCode(_ files: [String: String], in directory: TemporaryDirectory) async throws {
        let folder = "\(directory.path)/MyApp"
        let manifest = "\(folder)/Sources/MyApp/MyApp.yaml"
        let checked = try await Program.run(Command.built("scenectl"), ["app", "validate", manifest])
        #expect(checked.status == .exited(0), "\(checked.output)")
        let swift = files.keys.filter { $0.hasSuffix(".swift") }.sorted()
        #expect(swift.count == 11)
        // Of several files none may be a script, which Package.swift is.
        for files in [["Package.swift"], swift.filter { $0 != "Package.swift" }] {
            let parsed = try await Program.run(
                "/usr/bin/env",
                ["swiftc", "-frontend", "-parse"] + files.map { "\(folder)/\($0)" }
            )
            #expect(parsed.status == .exited(0), "\(parsed.errors)")
        }
        let python = "import ast, sys; ast.parse(open(sys.argv[1]).read())"
        let read = try await Program.run(
            "/usr/bin/env",
            ["python3", "-c", python, "\(folder)/Tests/Python/test_myapp.py"]
        )
        #expect(read.status == .exited(0), "\(read.errors)")
        // Apps of these tests may speak of offers themselves.
        for path in ["README.md", "Package.swift", "check.sh"] {
            #expect(
                files[path]?.firstMatch(of: /(?i)offer|login|two windows/) == nil,
                "\(path) speaks of the template's code"
            )
        }
        // The manifest says what it likes, and what is written from it the same.
        let given = ["Sources/MyApp/MyApp.yaml", "Sources/MyApp/Routes.swift"]
        for (path, text) in files where !given.contains(path) {
            let isNamed = !text.contains("NewApp") && !text.contains("newapp")
            #expect(isNamed, "\(path) still has the template's name")
            let isIts = !text.contains("offerTaken") && !text.contains("named user=")
            #expect(isIts, "\(path) speaks of the template's manifest")
        }
    }

    /// Writes a new app that begins with a manifest.
    /// - Returns: The text of its scenario, which `RaceTests` names.
    private static func scenario(of manifest: String, in directory: TemporaryDirectory) async throws -> String {
        let files = try await new("--from", manifest, in: directory)
        let scenarios = files.keys.filter { $0.hasPrefix("Tests/Scenarios/") }
        let path = try #require(scenarios.first)
        #expect(scenarios.count == 1)
        #expect(
            files["Tests/MyAppTests/RaceTests.swift"]?.contains(".race(\"../\(path.dropFirst(6))\", in: app") == true
        )
        return try #require(files[path])
    }

    /// Searches a scenario in an app, with a seed that is not the one by which it was written.
    private static func race(_ scenario: String, _ manifest: String, in directory: TemporaryDirectory) async throws
        -> Program.Outcome
    {
        let file = "\(directory.path)/scenario.yaml"
        try scenario.write(toFile: file, atomically: true, encoding: .utf8)
        return try await Program.run(
            Command.built("scenectl"),
            ["race", file, "--app", manifest, "--iterations", "100", "--seed", "2"]
        )
    }

    @Test("begins with a race of two links of its manifest, which says where each ends", arguments: manifests)
    func race(manifest: String) async throws {
        let directory = try TemporaryDirectory()
        let scenario = try await Self.scenario(of: manifest, in: directory)
        #expect(scenario.matches(of: /openurl: ".+:\/\/.+", scene: [AB]/).count == 2, "\(scenario)")
        let race = try await Self.race(scenario, manifest, in: directory)
        #expect(race.status == .exited(0), "\(race.output)\(race.errors)")
        // It fails where a window ends elsewhere.
        let end = try #require(scenario.firstMatch(of: /windows: \{ A: (".+"), B: (".+") \}\n$/))
        for shown in [end.output.1, end.output.2] {
            let other = scenario.replacingCharacters(in: shown.startIndex..<shown.endIndex, with: "gone")
            let race = try await Self.race(other, manifest, in: directory)
            #expect(race.status == .exited(1), "\(other)\(race.output)\(race.errors)")
        }
    }

    @Test(
        "leaves out of its race whatever makes the end depend on the order",
        arguments: [
            // The link is refused while nobody is signed in.
            (
                "conditions: { known: { holds: signedIn, reason: nobody } }",
                "destinations: { home: { tab: home }, news: { ancestry: [home], routes: [\"few://news\"], conditions: [known] } }",
                "two-links"
            ),
            ("", "destinations: { home: { tab: home } }", "window-against-sign-in"),
        ]
    )
    func smallerRace(conditions: String, destinations: String, name: String) async throws {
        let directory = try TemporaryDirectory()
        let manifest = "\(directory.path)/few.yaml"
        let text = """
            format: 2
            version: "1"
            name: Few
            schemes: [few]
            tabs: { home: home }
            \(conditions)
            \(destinations)

            """
        try text.write(toFile: manifest, atomically: true, encoding: .utf8)
        let scenario = try await Self.scenario(of: manifest, in: directory)
        #expect(scenario.contains("name: \(name)\n"))
        #expect(scenario.contains("sign-in") == (name != "two-links"))
        let race = try await Self.race(scenario, manifest, in: directory)
        #expect(race.status == .exited(0), "\(race.output)\(race.errors)")
    }

    @Test("may have no name that another target of a build has")
    func names() throws {
        let package = try String(contentsOfFile: "\(Self.root)/Package.swift", encoding: .utf8)
        let source = try String(
            contentsOfFile: "\(Self.root)/Sources/scenectl/App/New/PackageName.swift",
            encoding: .utf8
        )
        let refused = Set(source.matches(of: /"(\w+)"/).map { String($0.output.1) })
        // What follows is there for benchmarks and fuzzing alone.
        let usual = package.components(separatedBy: "swiftLanguageModes")[0]
        let targets = usual.matches(of: /\.(?:target|executableTarget|plugin|systemLibrary|product)\(\s*name: "(\w+)"/)
        #expect(targets.count > 40)
        // What only the daemon needs is linked by the daemon of the app's package.
        let linked = usual.matches(of: /onlyWithDaemon\("(\w+)"/)
        #expect(linked.count > 10)
        for name in targets.map(\.output.1) + linked.map(\.output.1) {
            let isRefused = refused.contains(String(name))
            #expect(isRefused, "\(name)")
        }
    }

    @Test(
        "has tests in Python, which pass on its daemon as its own settings say",
        .enabled(if: PythonPackage.isPossible, "no .build/python-venv; '.ci/setup test' makes it")
    )
    func pytest() async throws {
        let package = try await PythonPackage.installed.value
        let directory = try Self.workspace()
        _ = try await Self.new(in: directory)
        // Where 'swift build' would put it, with the template's name.
        let programs = "\(directory.path)/MyApp/.build/debug"
        try FileManager.default.createDirectory(atPath: programs, withIntermediateDirectories: true)
        try FileManager.default.createSymbolicLink(
            atPath: "\(programs)/myapp-scened",
            withDestinationPath: Command.built("newapp-scened")
        )
        let run = try await package.shell(
            "cd '\(directory.path)/MyApp' && '\(package.folder)/.venv/bin/pytest' -p no:cacheprovider"
        )
        #expect(run.status == .exited(0), "\(run.output)\(run.errors)")
        #expect(run.output.contains("3 passed"), "\(run.output)")
        let ruff = try await package.shell(
            "'\(PythonEnvironment.python)' -m ruff format --check --no-cache --line-length 120 '\(directory.path)/MyApp/Tests/Python'"
        )
        #expect(ruff.status == .exited(0), "\(ruff.output)\(ruff.errors)")
    }
}
