import Foundation
import Subprocess
import TestFixtures
import Testing

/// Code on the pages of the documentation and in the README compiles. Tutorials are followed instead (`TutorialTests`), and
/// `EmbeddingPageTests` compiles what is about UIKit.
@Suite("Samples on pages", .timeLimit(.minutes(15)))
struct SampleTests {
    private static let root = URL(filePath: #filePath).deletingLastPathComponent().deletingLastPathComponent()
        .deletingLastPathComponent().path

    /// The pages by their paths, and their texts.
    private static func pages() throws -> [(path: String, text: String)] {
        let all = try #require(FileManager.default.enumerator(atPath: "\(root)/Sources"))
        var paths = ["README.md"]
        for case let path as String in all where path.contains(".docc/") && path.hasSuffix(".md") {
            if !path.contains("/Tutorials/") && !path.hasPrefix("SceneUIKit/") { paths.append("Sources/\(path)") }
        }
        return try paths.sorted().map { ($0, try String(contentsOfFile: "\(root)/\($0)", encoding: .utf8)) }
    }

    @Test("every sample in Swift has the types that it says")
    func swift() async throws {
        let samples = try Self.pages().flatMap { SwiftSample.all(in: $0.text, of: $0.path) }
        #expect(samples.count > 30)
        let checked = try await SwiftSample.check(samples)
        #expect(checked.status == .exited(0), "\(checked.errors)\(checked.output)")
    }

    /// A block, and the place and the beginning of what the compiler says.
    private static let wrong: [(code: String, said: String)] = [
        ("import SceneTesting\n\ntry await withApp(.builtInShop()) { app in\n    app.conect()\n}", "p.md:6:9: error: "),
        ("struct Wrong: EntryPointAdapter {\n    let name = 7\n}", "p.md:3:8: error: "),
        (".session(.add(fact: \"taken\", \"one\")),", "p.md:3:"),
        (".testTarget(\n    name: \"Tests\",\n    dependancies: []\n)", "p.md:"),
    ]

    @Test("one that is wrong is told, with page and line", arguments: wrong)
    func told(code: String, said: String) async throws {
        let samples = SwiftSample.all(in: "#\n```swift\n\(code)\n```\n", of: "p.md")
        #expect(samples.count == 1)
        let checked = try await SwiftSample.check(samples)
        #expect(checked.status == .exited(1))
        #expect((checked.errors + checked.output).contains(said), "\(checked.errors)\(checked.output)")
    }

    @Test("every sample in Python can be read")
    func python() async throws {
        var count = 0
        for (page, text) in try Self.pages() {
            for block in text.components(separatedBy: "```python\n").dropFirst() {
                let code = block.components(separatedBy: "\n```").first ?? ""
                let read = try await Program.run(
                    "/usr/bin/env",
                    ["python3", "-c", "import ast, sys; ast.parse(sys.stdin.read(), sys.argv[1])", page],
                    input: code
                )
                #expect(read.status == .exited(0), "\(read.errors)")
                count += 1
            }
        }
        #expect(count >= 3)
    }
}
