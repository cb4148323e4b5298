import Foundation
import SceneManifest
import SceneRouting
import TestFixtures
import Testing

@testable import TypedRoutes

@Suite("SwiftRoutes", .timeLimit(.minutes(15)))
struct SwiftRoutesTests {
    /// Names, words and patterns that mean something else in Swift, or are the same identifier.
    private static let odd = """
        format: 2
        version: "1"
        name: Type
        schemes: [odd]
        facts:
          default: { type: string }
          a-b: { type: integer, default: 0 }
          aB: { type: number }
          seen: { type: strings, scope: app }
          until: { type: date }
          on: { type: boolean }
        preconditions:
          self: { holds: signedIn, flow: Intent }
        tabs: { init: home }
        destinations:
          home: { tab: init, routes: ["odd://home"] }
          default:
            ancestry: [home]
            parameters:
              in: { type: integer, minimum: 1, default: 7 }
              inout: { type: string, optional: true }
              value0: { oneOf: ["in", "a b", "ü", "\\"quoted\\"", "10"], default: "a b" }
              all: { oneOf: [allCases, rawValue, hashValue], default: rawValue }
              tags: { oneOf: [x, y], list: true, default: "x,y" }
              parameters: { pattern: '[a-z\\\\"]+' }
            preconditions: [self]
            routes: ["odd://default/{parameters}"]
          destination: { ancestry: [home] }
          hashValue: { ancestry: [home] }
          a_b: { ancestry: [home], parameters: { pin: { type: string, secret: true } } }
          a-b: { ancestry: [home], parameters: { size: { type: integer, list: true, optional: true } } }
        flows:
          Intent:
            completionNeedsUser: true
            result: { values: { type: string }, value0: { type: integer, default: 3 }, let: { type: date, optional: true } }
            screens: [{ id: switch, parameters: { self: { type: uuid, optional: true } } }, default]
            intents:
              init:
                screens: [switch]
                parameters: { user: { type: string } }
                effects: [{ complete: { user: user, result: { values: { parameter: user } } } }]
        intents:
          destination: { effects: [{ route: home }] }
          intent: { effects: [{ route: home }] }
        """

    /// Every manifest of the tests, the examples, and one that nobody would write.
    private static func apps() throws -> [(name: String, app: AppManifest)] {
        var apps = try ExampleApp.allCases.map { (name: $0.rawValue, app: try $0.manifest()) }
        apps.append(("odd", try AppManifest.read(odd).manifest))
        let folder = URL(filePath: #filePath).deletingLastPathComponent().deletingLastPathComponent().appending(
            path: "Apps"
        )
        for file in try FileManager.default.contentsOfDirectory(atPath: folder.path).sorted()
        where file.hasSuffix(".yaml") {
            let named = NamedManifest(folder.appending(path: file).path) {
                try String(contentsOfFile: $0, encoding: .utf8)
            }
            apps.append((String(file.dropLast(5)), try named.read().manifest))
        }
        return apps
    }

    @Test("are compiled without a warning for every app, whoever may see them")
    func compile() async throws {
        let directory = try TemporaryDirectory()
        var files: [String] = []
        func write(_ source: String, _ name: String) throws {
            files.append("\(directory.path)/\(name).swift")
            try source.write(toFile: files[files.count - 1], atomically: true, encoding: .utf8)
        }
        for (name, app) in try Self.apps() {
            for access in SwiftRoutes.Access.allCases {
                let type = SwiftNames.upperCamel("\(name) \(access.rawValue)")
                try write(SwiftRoutes(app, from: "\(name).yaml", as: type, access: access).written().text, type)
            }
        }
        #expect(files.count >= 40)
        let names = HostileNames.all(
            and: SwiftRoutes(try AppManifest.read(Self.odd).manifest, from: "odd.yaml").written().text
        )
        #expect(names.count >= 200)
        // In parts, because the compiler takes a time that grows with the square of an enumeration's cases.
        for start in stride(from: 0, to: names.count, by: 40) {
            let part = Array(names[start..<min(start + 40, names.count)])
            let hostile = SwiftRoutes(HostileNames.app(part), from: "hostile.yaml", as: "Hostile\(start)").written()
                .text
            try write(hostile, "Hostile\(start)")
            // Where a value may be absent, each word is still one of its own.
            let words = hostile.split(separator: "\n").drop { !$0.contains("enum Every:") }.dropFirst()
                .prefix { $0.contains("case ") }.compactMap { $0.split(separator: " ").dropFirst().first }
            #expect(words.count == part.count)
            let uses = words.map { "word = .\($0)" }.joined(separator: "; ")
            try write("func use(_ word: inout Hostile\(start).Every?) { \(uses) }", "Use\(start)")
        }
        let options = ["-typecheck", "-swift-version", "6", "-warnings-as-errors", "-package-name", "apps"]
        let features = ["ExistentialAny", "InternalImportsByDefault", "MemberImportVisibility"]
            .flatMap { ["-enable-upcoming-feature", $0] }
        // The package manager gives this to whoever depends on the module.
        let access = ["-Xcc", "-fmodule-map-file=\(Command.folder)/CAccess.build/module.modulemap"]
        try await expectCompiled(options + features + access + ["-I", "\(Command.folder)/Modules"] + files)
    }

    @Test("say what is declared and nothing else")
    func text() throws {
        let app = try AppManifest.read(
            """
            format: 2
            version: "1"
            name: My app
            schemes: [my]
            facts: { cart: { type: strings } }
            tabs: { home: home }
            destinations:
              home: { tab: home, routes: ["my://home"] }
              item:
                ancestry: [home]
                parameters: { id: { pattern: "i[0-9]+" }, page: { type: integer, minimum: 1, default: 1 } }
                routes: ["my://item/{id}"]
            """
        ).manifest
        let written = SwiftRoutes(app, from: "my.yaml", access: .public).written().text
        #expect(
            written == #"""
                // Written from my.yaml by 'scenectl app swift': what is changed here is lost when it is written again.
                // swift-format-ignore-file

                public import SceneRouting

                /// What the manifest of My app declares, as types.
                public enum MyApp {
                    /// What these types were written from: with `AppCode(…, routes: MyApp.written)` a manifest that they do not fit is refused.
                    public static let written = SceneRouting.WrittenRoutes(
                        "MyApp", from: "my.yaml",
                        [
                            ("destination home", ""),
                            ("destination item", "id: String, page: Int = 1"),
                            ("tab home", ""),
                            ("fact cart", "[String]"),
                        ]
                    )

                    /// The destinations of the app.
                    public enum Destination: TypedDestination {
                        case home
                        /// - `id`: matches "i[0-9]+".
                        /// - `page`: at least 1.
                        case item(id: String, page: Int = 1)

                        /// - Throws: `TypedValueError` for what is not among the cases, and for a parameter that is missing or not of its type.
                        public init(of destination: SceneRouting.Destination) throws(TypedValueError) {
                            let parameters = TypedParameters(of: destination)
                            switch destination.id {
                            case "home": self = .home
                            case "item": self = try .item(id: parameters.value("id"), page: parameters.value("page", or: 1))
                            default: throw .unknown(destination.id)
                            }
                        }

                        public var destination: SceneRouting.Destination {
                            switch self {
                            case .home:
                                SceneRouting.Destination(id: "home")
                            case .item(let value0, let value1):
                                SceneRouting.Destination(id: "item", parameters: TypedParameters.texts(["id": value0, "page": value1]))
                            }
                        }
                    }

                    /// The flows, the tabs and the root: what has a coordinator, by the names under which one is asked for.
                    public enum Flow: String, CaseIterable, Sendable {
                        case root
                        case home
                    }

                    /// The facts of the session.
                    public enum Fact {
                        public static let cart = TypedFact<[String]>("cart")
                    }
                }

                """#
        )
        #expect(SwiftRoutes.isWritten(written) && !SwiftRoutes.isWritten("// My own file.\n"))
    }

    @Test("have a name that is a type's", arguments: ["MyApp", "Shop2", "É", "Müsli"])
    func names(name: String) { #expect(SwiftRoutes.isName(name)) }

    @Test(
        "do not have a name that Swift or they themselves use",
        arguments: [
            "", "my", "My App", "1st", "String", "Type", "Destination", "SceneRouting", "Screen", "É-p", "Ma-p",
        ]
    )
    func badNames(name: String) { #expect(!SwiftRoutes.isName(name)) }
}

/// Runs the compiler and expects that it says nothing.
func expectCompiled(_ words: [String], sourceLocation: SourceLocation = #_sourceLocation) async throws {
    let (status, output) = try await BlockingCalls.run {
        let compiler = try Command(["swiftc"] + words, mergingErrors: true)
        var lines: [String] = []
        while let line = compiler.line() { lines.append(line) }
        return (compiler.end(), lines.joined(separator: "\n"))
    }
    #expect(status == 0 && output.isEmpty, "\(output.prefix(20_000))", sourceLocation: sourceLocation)
}
