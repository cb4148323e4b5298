import Foundation
import TestFixtures

/// A block of Swift on a page. Many are compiled at once, each in a type of its own, so that what one declares is no other's.
struct SwiftSample {
    /// What a block is a piece of.
    enum Kind { case declarations, statements, commands, package }

    let page: String
    /// The number of its first line on the page.
    let line: Int
    let code: [Substring]
    /// The imports of the page so far.
    let imports: [Substring]

    /// All blocks of a page.
    static func all(in text: String, of page: String) -> [SwiftSample] {
        var samples: [SwiftSample] = []
        var imports: [Substring] = []
        var begun: Int?
        var code: [Substring] = []
        for (index, line) in text.split(separator: "\n", omittingEmptySubsequences: false).enumerated() {
            if line == "```swift" {
                (begun, code) = (index + 2, [])
            } else if let first = begun, line == "```" {
                imports += code.filter { $0.hasPrefix("import ") }
                samples.append(SwiftSample(page: page, line: first, code: code, imports: imports))
                begun = nil
            } else if begun != nil {
                code.append(line)
            }
        }
        return samples
    }

    var kind: Kind {
        let lines = code.filter { !$0.isEmpty && !$0.hasPrefix("import ") && !$0.hasPrefix(" ") }
        if code.contains("import PackageDescription") || lines.first?.hasPrefix("dependencies: ") == true
            || lines.first?.hasPrefix(".testTarget(") == true
        {
            return .package
        }
        if lines.first?.hasPrefix(".") == true { return .commands }
        let isStatement = lines.contains { $0.hasPrefix("try ") || $0.hasPrefix("for ") || $0.contains(" = try ") }
        return isStatement ? .statements : .declarations
    }

    /// The file in which it is compiled. A mistake has the page's name and line.
    func file(number: Int) -> String {
        // The module of a package that is nobody's, and what an executable would begin with.
        let taken: Set<Substring> = ["import MyApp", "import PackageDescription", "@main"]
        let text = code.map { taken.contains($0) || $0.hasPrefix("import ") ? "" : $0 }.joined(separator: "\n")
        var header = Set(imports).subtracting(taken).map(String.init) + ["import Testing"]
        if !code.contains(where: { $0.hasPrefix("import ") }) {
            // What tests of a daemon import has types by the names of the runtime's.
            let isOfDaemon = code.contains { $0.contains("TestApp") }
            header += (isOfDaemon ? ["SceneClientTesting"] : Self.everything).map { "import \($0)" }
        }
        let (before, after) = surroundings(number: number)
        // What is before it is on as many lines, and a directive stands before a declaration.
        let place = "#sourceLocation(file: \"\(page)\", line: \(line - before.count))"
        let lines = (kind == .package ? ["import PackageDescription"] : header) + [place] + before + [text] + after
        return lines.joined(separator: "\n") + "\n"
    }

    /// What stands around the block so that it can be compiled.
    private func surroundings(number: Int) -> (before: [String], after: [String]) {
        switch kind {
        case .declarations where code.contains { $0.hasPrefix("extension ") }: ([], [])
        case .declarations: (["struct Sample\(number) {"], ["}"])
        case .statements: (["func sample\(number)() async throws {"], ["}"])
        case .commands: (["func sample\(number)(context: FlowContext) -> [FlowCommand] { ["], ["] }"])
        case .package where code.contains("import PackageDescription"): ([], [])
        case .package where code.first?.hasPrefix(".") == true:
            (["let package = Package(name: \"Sample\", targets: ["], ["])"])
        case .package: (["let package = Package(name: \"Sample\","], [")"])
        }
    }

    /// What a block may use that imports nothing itself.
    private static let everything = [
        "Foundation", "Interleaving", "InterleavingTesting", "InterleavingXCTest", "SceneDaemon", "SceneEntryPoints",
        "SceneManifest", "SceneNavigation", "SceneRaces", "SceneRacesTesting", "SceneRouting", "SceneRuntime",
        "SceneTesting", "SimulatedExecutors", "StrictJSON", "Varlink",
    ]

    /// Checks the types of all of them, in one run of the compiler but for manifests of packages, which are programs.
    /// - Returns: What the compiler says.
    static func check(_ samples: [SwiftSample]) async throws -> Program.Outcome {
        let directory = try TemporaryDirectory()
        var files: [String] = []
        var packages: [String] = []
        for (number, sample) in samples.enumerated() {
            let path = "\(directory.path)/Sample\(number).swift"
            try sample.file(number: number).write(toFile: path, atomically: true, encoding: .utf8)
            if sample.kind == .package { packages.append(path) } else { files.append(path) }
        }
        let script = #"""
            cd "$1" && build=$2 && packages=$3 && shift 3
            for file in $packages; do
                swiftc -typecheck -swift-version 6 -package-description-version 6.2 \
                    -I "$(dirname "$(readlink -f "$(command -v swiftc)")")/../lib/swift/pm/ManifestAPI" "$file" || exit
            done
            [ "$#" -gt 0 ] || exit 0
            maps=$(find .build/checkouts \( -path "*/include/module.modulemap" -o -path "*/GRDBSQLite/module.modulemap" \) \
                    -not -path "*/Benchmarks/*" -not -path "*/GRDBSQLCipher/*"
                find -L "$build/" -maxdepth 2 -name module.modulemap)
            swiftc -typecheck -wmo -swift-version 6 -parse-as-library -module-name Samples -I "$build/Modules" -I Sources/CSystemd \
                $(echo "$maps" | sed "s/^/-Xcc -fmodule-map-file=/") Tests/IntegrationTests/Samples/StandIns.swift \
                Tests/ShopInSwift/ShopRoutes.swift "$@"
            """#
        let root = URL(fileURLWithPath: ProtocolFilesTests.folder).deletingLastPathComponent().path
        let words = ["-c", script, "sh", root, Command.folder, packages.joined(separator: " ")]
        return try await Program.run("/bin/sh", words + files)
    }
}
