import Foundation
import Testing

/// A proof of a scenario rests on what the runtime's tasks share being reported.
@Suite("What tasks of the runtime share reports its accesses")
struct AccessTests {
    /// The modules whose code runs in the steps of a scenario.
    private static let modules = ["SceneRouting", "SceneEntryPoints", "SceneNavigation", "SceneRuntime"]

    private static func sources(of module: String) throws -> [(name: String, text: String)] {
        let folder = ArrowTests.root.appending(path: "Sources/\(module)")
        let files = FileManager.default.enumerator(at: folder, includingPropertiesForKeys: nil)
        return try (files?.allObjects ?? []).compactMap { $0 as? URL }.filter { $0.pathExtension == "swift" }.map {
            ($0.lastPathComponent, try String(contentsOf: $0, encoding: .utf8))
        }
    }

    @Test("nothing is shared but behind locks and in atomic values", arguments: modules)
    func nothingElse(module: String) throws {
        let sources = try Self.sources(of: module)
        #expect(!sources.isEmpty)
        for (file, text) in sources {
            let others = text.matches(
                of: #/nonisolated\(unsafe\)|@unchecked Sendable|AsyncStream|\bMutex[<(]|pthread_|UnsafeMutablePointer/#
            )
            #expect(others.map { String($0.output) } == [], "\(file)")
        }
    }

    @Test("each atomic value has a name under which it is reported", arguments: modules)
    func atomics(module: String) throws {
        for (file, text) in try Self.sources(of: module) {
            let atomics = text.matches(of: #/= Atomic</#).count
            #expect(text.matches(of: #/= SharedName\(\)/#).count >= atomics, "\(file)")
        }
    }
}
