import Foundation
import Testing

/// The house's rule: arrows between modules point down, and what an app team links stays free of sockets and systemd.
@Suite("Imports follow the plan of the house")
struct ArrowTests {
    /// For each module of ours, which others of ours it may import.
    static let arrows: [String: Set<String>] = [
        "Locking": [],
        "Markup": [],
        "SeededRandom": [],
        "SocketPlace": [],
        "StrictJSON": [],
        "SceneRouting": ["StrictJSON"],
        "SceneManifest": ["SceneRouting", "StrictJSON"],
        "SceneEntryPoints": ["SceneRouting", "StrictJSON"],
        "SceneNavigation": ["SceneRouting", "StrictJSON"],
        "SceneRuntime": ["Locking", "SceneEntryPoints", "SceneNavigation", "SceneRouting", "StrictJSON"],
        "SceneTesting": [
            "Locking", "SceneEntryPoints", "SceneManifest", "SceneNavigation", "SceneRouting", "SceneRuntime",
        ],
        "SceneHistory": ["StrictJSON"],
        "SceneRaces": [
            "Interleaving", "Locking", "SceneEntryPoints", "SceneHistory", "SceneManifest", "SceneNavigation",
            "SceneRouting", "SceneRuntime", "StrictJSON",
        ],
        "CInterleaving": [],
        "Interleaving": ["CInterleaving", "Markup", "StrictJSON"],
        "InterleavingTesting": ["CInterleaving", "Interleaving"],
        "Varlink": ["StrictJSON"],
        "CSystemd": [],
        "Systemd": ["CSystemd", "StrictJSON"],
        "SceneJournal": ["SceneHistory", "StrictJSON", "Systemd"],
        "SceneService": [
            "Locking", "SceneEntryPoints", "SceneNavigation", "SceneRouting", "SceneRuntime", "StrictJSON", "Varlink",
        ],
        "SceneClient": ["Locking", "StrictJSON", "Varlink"],
        "SceneSoak": [
            "Locking", "Markup", "SceneClient", "SceneHistory", "SceneJournal", "SceneRouting", "SeededRandom",
            "StrictJSON", "Systemd",
        ],
        "scened": [
            "Locking", "SceneManifest", "SceneNavigation", "SceneRouting", "SceneRuntime", "SceneService",
            "SeededRandom",
            "SocketPlace", "StrictJSON", "Systemd", "Varlink",
        ],
        "scenectl": [
            "Interleaving", "Locking", "SceneClient", "SceneEntryPoints", "SceneHistory", "SceneJournal",
            "SceneManifest", "SceneRaces", "SceneRouting", "SceneSoak", "SocketPlace", "StrictJSON",
        ],
    ]

    /// What an app team links into its own app and tests.
    static let core = [
        "Locking", "StrictJSON", "SceneRouting", "SceneEntryPoints", "SceneNavigation", "SceneRuntime", "SceneHistory",
    ]

    static let sources = URL(filePath: #filePath)
        .deletingLastPathComponent().deletingLastPathComponent().deletingLastPathComponent().appending(path: "Sources")

    @Test("every folder of Sources has its place in the plan, and every place that exists its folder")
    func everyModuleIsPlanned() throws {
        let folders = try FileManager.default.contentsOfDirectory(atPath: Self.sources.path)
        #expect(Set(folders).isSubset(of: Self.arrows.keys), "a new module needs its arrows here")
        #expect(folders.count > 10)
    }

    @Test("a module imports only what is below it", arguments: arrows.keys.sorted())
    func importsPointDown(module: String) throws {
        let allowed = try #require(Self.arrows[module])
        for (file, imported) in try Self.imports(of: module) where Self.arrows[imported] != nil {
            #expect(allowed.contains(imported), "\(file) imports \(imported)")
        }
    }

    @Test("the plan has no way round in circles")
    func planIsAcyclic() {
        var finished: Set<String> = []
        func visit(_ module: String, _ path: [String]) {
            #expect(!path.contains(module), "\((path + [module]).joined(separator: " → "))")
            guard !path.contains(module), !finished.contains(module) else { return }
            for below in Self.arrows[module] ?? [] { visit(below, path + [module]) }
            finished.insert(module)
        }
        for module in Self.arrows.keys { visit(module, []) }
    }

    @Test("the core knows no sockets, no systemd, no queues and no Foundation", arguments: core)
    func coreIsPure(module: String) throws {
        let forbidden: Set<String> = [
            "CSystemd", "Dispatch", "Foundation", "FoundationEssentials", "NIO", "NIOCore", "NIOPosix", "Systemd",
            "Varlink",
        ]
        for (file, imported) in try Self.imports(of: module) {
            #expect(!forbidden.contains(imported), "\(file) imports \(imported)")
        }
    }

    /// Every import of a module's files, with the file.
    private static func imports(of module: String) throws -> [(file: String, imported: String)] {
        let folder = sources.appending(path: module)
        guard let files = FileManager.default.enumerator(atPath: folder.path) else { return [] }
        var imports: [(String, String)] = []
        for case let file as String in files where file.hasSuffix(".swift") {
            let text = try String(contentsOf: folder.appending(path: file), encoding: .utf8)
            for line in text.split(separator: "\n") {
                let words = line.split(separator: " ").map(String.init)
                guard let index = words.firstIndex(of: "import"), index + 1 < words.count,
                    words[..<index].allSatisfy({ modifiers.contains($0) || $0.hasPrefix("@") })
                else { continue }
                imports.append(("\(module)/\(file)", String(words[index + 1].prefix { $0 != "." })))
            }
        }
        return imports
    }

    private static let modifiers: Set<String> = ["public", "package", "internal", "fileprivate", "private"]
}
