import Foundation
import TestFixtures
import Testing

/// The tutorials, and the README's first minute, are followed to the letter.
@Suite("Tutorials", .timeLimit(.minutes(15)))
struct TutorialTests {
    private static let root = URL(filePath: #filePath).deletingLastPathComponent().deletingLastPathComponent()
        .deletingLastPathComponent()
    private static let folder = root.appending(path: "Sources/scened/scened.docc/Tutorials").path

    private static let pages = ((try? FileManager.default.contentsOfDirectory(atPath: folder)) ?? []).sorted()

    private static func text(_ page: String) throws -> String {
        try String(contentsOfFile: "\(folder)/\(page)", encoding: .utf8)
    }

    /// Follows a page with the programs that were built, and with Python's of the environment for tests.
    private static func follow(
        _ page: TutorialPage,
        sources: String? = nil,
        begin: (_ folder: String, _ programs: String) throws -> Void = { _, _ in }
    ) async throws {
        let directory = try TemporaryDirectory()
        let (folder, programs) = (try directory.make("f"), try directory.make("p"))
        let files = FileManager.default
        for program in ["scened", "scenectl"] {
            try files.createSymbolicLink(atPath: "\(programs)/\(program)", withDestinationPath: Command.built(program))
        }
        // It compiles a page's package against what is built beside these tests.
        try files.createSymbolicLink(
            atPath: "\(programs)/swift",
            withDestinationPath: root.appending(path: "Tests/IntegrationTests/Samples/swift.py").path
        )
        let python = URL(filePath: PythonEnvironment.python).deletingLastPathComponent().path
        let inherited = ProcessInfo.processInfo.environment["PATH"] ?? "/usr/bin:/bin"
        try begin(folder, programs)
        try await page.follow(
            in: folder,
            environment: [
                "PATH": "\(programs):\(python):\(inherited)", "TERM": "dumb", "NO_COLOR": "1", "TMPDIR": directory.path,
                "SAMPLE_BUILD": Command.folder, "SAMPLE_SOURCES": root.path, "SCENED_SOURCES": sources ?? root.path,
                "SCENED": nil, "SCENED_SOCKET": nil, "PYTHONDONTWRITEBYTECODE": "1", "PIP_NO_INDEX": "1",
                "PIP_FIND_LINKS": PythonPackage.wheels, "PIP_DISABLE_PIP_VERSION_CHECK": "1",
            ]
        )
    }

    @Test("there are some, and each is on the first page")
    func listed() throws {
        #expect(Self.pages.count >= 7)
        let first = try String(contentsOfFile: "\(Self.folder)/../scened.md", encoding: .utf8)
        for page in Self.pages { #expect(first.contains("- <doc:\(page.dropLast(3))>\n"), "\(page)") }
    }

    @Test("what a page says can be done, and prints what it shows", arguments: pages)
    func followed(page: String) async throws {
        let text = try Self.text(page)
        let tutorial = try TutorialPage(text, named: page)
        if text.contains("python3 ") {
            try #require(PythonPackage.isPossible, "no .build/python-venv; '.ci/setup test' makes it")
        }
        // pip builds in the folder of the sources, so it gets the copy that is made for it.
        let needsPackage = text.contains("$SCENED_SOURCES/protocol/python")
        try await Self.follow(tutorial, sources: needsPackage ? try await PythonPackage.installed.value.folder : nil)
    }

    @Test("the first minute of the README is as it shows")
    func firstMinute() async throws {
        let readme = try String(contentsOf: Self.root.appending(path: "README.md"), encoding: .utf8)
        let page = try TutorialPage(readme, named: "README.md", section: "The first minute")
        try await Self.follow(page) { folder, programs in
            try FileManager.default.createDirectory(atPath: "\(folder)/.build", withIntermediateDirectories: false)
            try FileManager.default.createSymbolicLink(
                atPath: "\(folder)/.build/debug",
                withDestinationPath: programs
            )
        }
    }

    // MARK: - A page that is wrong

    /// A page, and what is said of it.
    private static let wrong: [(page: String, said: String)] = [
        ("```ruby\nputs 1\n```\n", "p.md:2: a block of 'ruby' is no file"),
        ("A file:\n\n```yaml\na: 1\n```\n", "p.md:4: a block of 'yaml' is no file"),
        ("```\nx\n```\n", "p.md:2: a block of '' is no file"),
        ("    $ echo\n", "p.md:1: a block without a fence"),
        ("```text\nx\n```\n", "p.md:2: this is printed by no commands"),
        ("```sh\necho x\n```\n\nIt prints:\n\n```text\nx\n```\n", "p.md:8: this is printed by no commands"),
        ("```sh\necho x\n", "p.md:2: the block does not end"),
        ("Nothing.\n", "p.md:1: there is nothing to follow"),
        ("```sh\nfalse\n```\n", "p.md:2: ended with status 1"),
        ("```sh\necho x\n```\n\n```sh\ncat none\n```\n", "p.md:6: ended with status 1: cat: none"),
        ("```sh\nexit 0\n```\n\n```sh\ntrue\n```\n", "p.md:2: the shell ended here"),
        ("```sh\nprintf 'a\\nb\\n'\n```\n\n```text\na\nc\n```\n", "p.md:7: not printed: c"),
        ("```sh\nprintf 'a\\nb\\n'\n```\n\n```text\na\n```\n", "p.md:7: more is printed:"),
        ("```sh\necho a\n```\n\n```text\na\nb\n```\n", "p.md:7: not printed: b"),
        ("```sh\necho a 1 b 2 d\n```\n\n```text\na … b … c\n```\n", "p.md:6: not printed: a … b … c"),
        ("```sh\nprintf 'a\\nb\\nc\\n'\n```\n\n```text\n…\nb\n```\n", "p.md:8: more is printed:"),
        ("```sh\nscenectl app validate a.yaml\n```\n", "p.md:2: ended with status 2"),
        (
            "It is `a.yaml`:\n\n```yaml\nformat: 5\n```\n\n```sh\nscenectl app validate a.yaml\n```\n",
            "p.md:8: ended with status 1"
        ),
        (
            """
            `Package.swift`:

            ```swift
            // swift-tools-version: 6.2
            import PackageDescription
            let package = Package(name: "P", targets: [.target(name: "P")])
            ```

            `Sources/P/P.swift`:

            ```swift
            let wrong: Int = "text"
            ```

            ```sh
            swift build
            ```

            """,
            "p.md:16: ended with status 1: Sources/P/P.swift:1:18: error: "
        ),
    ]

    @Test("one that is wrong is told, with page and line", arguments: wrong)
    func told(page: String, said: String) async throws {
        let mistake = await #expect(throws: PageMistake.self) {
            try await Self.follow(try TutorialPage(page, named: "p.md"))
        }
        #expect(mistake?.description.hasPrefix(said) == true, "\(mistake?.description ?? "nothing")")
    }

    @Test("anything may stand for …, and a file may be written again, in a folder, where the reader is")
    func right() async throws {
        let page = """
            First `d/e/a.txt`:

            ```text-file
            one
            ```

            ```sh
            cd d
            cat e/a.txt
            ```

            ```text
            one
            ```

            Then `e/a.txt`:

            ```text-file
            two
              three four   
            five
            ```

            ```sh
            cat e/a.txt
            sleep 1000 &
            ```

            ```text
            …
              th… f…r
            …
            five
            …
            ```

            """
        try await Self.follow(try TutorialPage(page, named: "p.md"))
    }
}
