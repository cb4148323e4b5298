import Foundation
import Testing

/// Modules import only those above them in the page's table, and what an app team links needs no sockets or systemd.
@Suite("Imports follow the table of modules")
struct ArrowTests {
    /// A row of the table on the page Modules.
    struct Row {
        let module: String
        /// The modules that it may import, ours and others.
        let imports: Set<String>
        /// What an app team uses it for: its `app`, its `tests`, its `build`; empty if for nothing of these.
        let use: String
    }

    static let root = URL(filePath: #filePath)
        .deletingLastPathComponent().deletingLastPathComponent().deletingLastPathComponent()
    static let sources = root.appending(path: "Sources")

    /// The table, in its order.
    static let plan: [Row] = {
        let page = sources.appending(path: "scened/scened.docc/Modules.md")
        guard let text = try? String(contentsOf: page, encoding: .utf8) else { return [] }
        let lines = text.split(separator: "\n").drop { !$0.hasPrefix("| target |") }.dropFirst(2).prefix {
            $0.hasPrefix("|")
        }
        return lines.map { line in
            let cells = line.split(separator: "|", omittingEmptySubsequences: false).map(String.init)
            let names = cells.map { $0.split(separator: "`", omittingEmptySubsequences: false).enumerated() }
                .map { parts in parts.filter { $0.offset % 2 == 1 }.map { String($0.element) } }
            return Row(
                module: names[1].first ?? "",
                imports: Set(names[3]),
                use: cells[4].trimmingCharacters(in: .whitespaces)
            )
        }
    }()

    static let modules = Set(plan.map(\.module))
    static let core = plan.filter { $0.use == "app" }.map(\.module)

    @Test("every folder of Sources has exactly one row, and every row a folder")
    func everyModuleIsPlanned() throws {
        let folders = try FileManager.default.contentsOfDirectory(atPath: Self.sources.path).filter {
            !$0.hasPrefix(".")
        }
        #expect(folders.sorted() == Self.plan.map(\.module).sorted(), "a module needs its row on the page Modules")
        #expect(Self.core.contains("SceneRuntime"))
    }

    @Test("a row names only modules above it", arguments: plan.indices)
    func planPointsDown(index: Int) {
        let above = Set(Self.plan[..<index].map(\.module))
        let row = Self.plan[index]
        for imported in row.imports.intersection(Self.modules) {
            #expect(above.contains(imported), "\(row.module) imports \(imported), which is not above it")
        }
    }

    @Test("a module imports exactly what its row names", arguments: plan.indices)
    func importsAreThoseOfTheTable(index: Int) throws {
        let row = Self.plan[index]
        let imports = try Self.imports(of: row.module).filter { !Self.broughtBySwift.contains($0.imported) }
        for (file, imported) in imports {
            #expect(row.imports.contains(imported), "\(file) imports \(imported)")
        }
        #expect(
            row.imports.subtracting(imports.map(\.imported)).isEmpty,
            "in the row of \(row.module), and imported by none"
        )
    }

    @Test("the core imports nothing with sockets, systemd, queues or Foundation", arguments: core)
    func coreIsPure(module: String) throws {
        let allowed = Set(Self.core).union(["DequeModule", "Glibc", "Musl", "Swift", "Synchronization"])
        for (file, imported) in try Self.imports(of: module) where !(Self.systems[module] ?? []).contains(imported) {
            #expect(allowed.contains(imported), "\(file) imports \(imported)")
        }
    }

    /// What a module of the core is there to join to it.
    private static let systems: [String: Set<String>] = ["SceneUIKit": ["UIKit", "UserNotifications"]]

    /// Modules of the toolchain, which are not in the table.
    private static let broughtBySwift: Set<String> = [
        "Glibc", "Musl", "Swift", "Synchronization", "Testing", "_Concurrency",
    ]

    /// All imports in the files of a module, or those of one access.
    static func imports(of module: String, withAccess access: String? = nil, on platform: Platform = .linux) throws
        -> [(
            file: String, imported: String
        )]
    {
        try lines(of: module, on: platform).compactMap { file, line in
            let words = line.split(separator: " ").map(String.init)
            guard let index = words.firstIndex(of: "import"), index + 1 < words.count,
                words[..<index].allSatisfy({ modifiers.contains($0) || $0.hasPrefix("@") }),
                access.map(words[..<index].contains) ?? true
            else { return nil }
            // Such as `import struct Synchronization.WordPair`.
            let isOne = index + 2 < words.count && kinds.contains(words[index + 1])
            return (file, String(words[isOne ? index + 2 : index + 1].prefix { $0 != "." }))
        }
    }

    /// Whether the module declares anything for users outside of the package.
    static func declaresPublicly(_ module: String) throws -> Bool {
        try lines(of: module).contains { _, line in
            let words = line.split(separator: " ")
            return words.contains("public") && !words.contains("import") && !line.contains("//")
        }
    }

    /// The lines of a module's files that are code. What stands in literals of several lines goes into files that the command line
    /// writes, as does a package among its resources.
    static func lines(
        of module: String,
        in suffixes: [String] = [".swift"],
        on platform: Platform = .linux
    ) throws -> [(file: String, line: String)] {
        let folder = sources.appending(path: module)
        guard let files = FileManager.default.enumerator(atPath: folder.path) else { return [] }
        var lines: [(String, String)] = []
        for case let file as String in files {
            if FileManager.default.fileExists(atPath: folder.appending(path: "\(file)/Package.swift").path) {
                files.skipDescendants()
            }
            guard suffixes.contains(where: file.hasSuffix) else { continue }
            let text = try String(contentsOf: folder.appending(path: file), encoding: .utf8)
            var isText = false
            for line in platform.lines(of: text) {
                if line.contains("\"\"\"") { isText.toggle() }
                if !isText { lines.append(("\(module)/\(file)", String(line))) }
            }
        }
        return lines
    }

    private static let kinds: Set<String> = ["class", "enum", "func", "let", "protocol", "struct", "typealias", "var"]
    private static let modifiers: Set<String> = ["public", "package", "internal", "fileprivate", "private"]
}
