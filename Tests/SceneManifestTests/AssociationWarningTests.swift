import SceneManifest
import SceneRouting
import StrictJSON
import Testing

@Suite("What a manifest's association files say that iOS ignores")
struct AssociationWarningTests {
    private static let right = """
        {"applinks": {"details": [{"appIDs": ["ABCDE12345.com.example.app"], "components": [{"/": "/a/*"}]}]}}
        """

    private static func component(_ text: String) -> String { right.replacing(#"{"/": "/a/*"}"#, with: text) }

    static let files: [String] =
        [
            #"{"?": {"mode": 5}}"#, #"{"/": "/a", "exclude": "yes please"}"#, #"{"/": 5}"#, "5", "{}",
            #"{"/": "/$(none)/a"}"#, #"{"/": "/$(lang"}"#, #"{"pth": "/a"}"#, #"{"/": "/ä"}"#,
            #"{"/": "*"}, {"/": "/b"}"#,
            #"{"?": [1]}"#, #"{"/": "/a", "caseSensitive": 1}"#,
        ].map(component)
        + [
            right.replacing(#"[{"/": "/a/*"}]"#, with: "5"), right.replacing("components", with: "component"),
            right.replacing(#"["ABCDE12345.com.example.app"]"#, with: "{}"),
            right.replacing("ABCDE12345.com.example.app", with: "app"),
            right.replacing("appIDs", with: "appid"), #"{"applinks": {"details": "x"}}"#, #"{"applinks": -1}"#,
            #"{"applinks": {}}"#, "{}", #"{"links": {}}"#, #"{"applinks": {"details": {"app": {"paths": [1]}}}}"#,
            right.replacing(#""details""#, with: #""substitutionVariables": {"a.b": ["$(lang)"], "c": 1}, "details""#),
            right.replacing(#""details""#, with: #""defaults": {"caseSensitive": "no"}, "apps": ["a"], "details""#),
            String(right.dropLast()) + #", "webcredentials": {"apps": ["x"]}}"#,
        ]

    private static func manifest(_ association: String) -> String {
        """
        {"name": "App", "appIDs": ["ABCDE12345.com.example.app"], "associatedDomains":
        {"app.example":
        \(association)},
        "tabs": {"home": "home"}, "destinations": {"home": {"tab": "home", "routes": ["https://app.example/a/home"]}}}
        """
    }

    /// Whether it is said of the file by itself, not of what the app makes of it.
    private static func isOfFile(_ problem: ManifestProblem) -> Bool {
        problem.key == "associatedDomains.app.example" && !problem.message.hasPrefix("the association file ")
    }

    @Test("are all said of a file that it names, with their places there", arguments: files)
    func named(file: String) throws {
        let said = AssociationFile.lint(file)
        #expect(!said.isEmpty)
        let problems = AppManifest.problems(
            in: Self.manifest(#""aasa.json""#),
            file: "app.json",
            readFile: { _ in file }
        )
        #expect(!problems.contains { $0.severity == .error })
        let own = problems.filter(Self.isOfFile).map(\.description)
        #expect(
            own
                == said.map { diagnostic in
                    let path = diagnostic.path.isEmpty ? "" : diagnostic.path + ": "
                    return
                        "app.json:3:1: warning: associatedDomains.app.example: in aasa.json:\(diagnostic.line):\(diagnostic.column): "
                        + "\(path)\(diagnostic.message) [\(diagnostic.code.rawValue)]"
                }
        )
    }

    @Test("are all said of what it has inline, with their places in the manifest", arguments: files)
    func inline(file: String) throws {
        // Each member on its own line, so that a place tells which one is meant.
        let text = try JSONValue(parsing: file).text(.indented)
        let said = AssociationFile.lint(text)
        let problems = AppManifest.problems(in: Self.manifest(text)).filter(Self.isOfFile)
        #expect(problems.count == said.count && problems.allSatisfy { $0.severity == .warning }, "\(problems)")
        for diagnostic in said {
            let problem = problems.first {
                $0.message.contains(diagnostic.message) && $0.message.hasPrefix(diagnostic.path)
            }
            // The text begins in the third line.
            #expect(problem?.line == diagnostic.line + 2, "\(diagnostic): \(problems)")
        }
    }

    @Test("are nothing if it is right, in either way")
    func nothing() {
        for (association, file) in [(Self.right, ""), (#""aasa.json""#, Self.right)] {
            #expect(AppManifest.problems(in: Self.manifest(association), readFile: { _ in file }) == [])
        }
    }
}
