import Foundation
import Testing

/// The model of an app decides by itself what the runtime decides, or it would be wrong together with it.
@Suite("The model shares no deciding code with the runtime")
struct ModelTests {
    /// What SceneRouting declares in its folder of declarations, and what it declares elsewhere.
    private static func types(in folder: String) throws -> Set<String> {
        let routing = ArrowTests.sources.appending(path: "SceneRouting")
        let files = try #require(FileManager.default.enumerator(atPath: routing.path))
        var types: Set<String> = []
        for case let file as String in files where file.hasSuffix(".swift") && file.hasPrefix(folder) {
            let text = try String(contentsOf: routing.appending(path: file), encoding: .utf8)
            for match in text.matches(of: /(?m)^ *[a-z ]*(?:struct|class|enum|typealias|protocol|actor) ([A-Z]\w+)/) {
                types.insert(String(match.1))
            }
        }
        return types
    }

    @Test("of SceneRouting it names only what a manifest consists of")
    func namesDeclarationsOnly() throws {
        let declarations = try Self.types(in: "Manifest/")
        let others = try Self.types(in: "").subtracting(declarations)
        #expect(declarations.contains("FlowDeclaration") && others.contains("RoutingEngine"))
        let model = ArrowTests.sources.appending(path: "SceneModel")
        // A fact's value is what declarations are written with; a date, and what stands for a secret, are texts in one form.
        let allowed: Set = ["FactValue", "Instant", "SecretPlaceholder"]
        for file in try FileManager.default.contentsOfDirectory(atPath: model.path) where file.hasSuffix(".swift") {
            let text = try String(contentsOf: model.appending(path: file), encoding: .utf8).split(separator: "\n")
                .filter { !$0.drop { $0 == " " }.hasPrefix("//") }.joined(separator: "\n")
            let words = Set(text.matches(of: /\b[A-Z]\w+/).map { String($0.0) })
            #expect(words.intersection(others).subtracting(allowed) == [], "\(file)")
            // What the manifest's own types decide for the engine.
            for name in ["usesParameter", "usesTime", "rootPreconditions", "problems()", "exists(market"] {
                #expect(!text.contains(name), "\(file): \(name)")
            }
        }
    }
}
