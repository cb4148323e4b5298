import Foundation
import StrictJSON
import Subprocess
import TestFixtures
import Testing

/// What `scenectl app new` writes, as it is on a Mac: its Package.swift is evaluated with the condition on the system reversed, and
/// compared with what scened offers there. `make dependent` builds and tests it so.
@Suite("A new app on a Mac", .timeLimit(.minutes(15)))
struct AppNewMacTests {
    /// A package as SwiftPM understands it.
    private struct Package: Sendable {
        let json: JSONValue

        /// - Parameter folder: The folder that has `Package.swift`.
        init(_ folder: String, environment: [String: String?] = [:]) async throws {
            let scratch = try TemporaryDirectory()
            let dump = try await Program.run(
                "/usr/bin/env",
                ["swift", "package", "--package-path", folder, "--scratch-path", scratch.path, "dump-package"],
                environment: environment
            )
            try #require(dump.status == .exited(0), "\(dump.errors)")
            json = try JSONValue(parsing: dump.output)
        }

        func list(_ name: String, of value: JSONValue? = nil) -> [JSONValue] { (value ?? json)[name]?.arrayValue ?? [] }

        /// The modules of each library.
        var products: [String: Set<String>] {
            let products = list("products").map { product in
                (product["name"]?.stringValue ?? "", Set(list("targets", of: product).compactMap(\.stringValue)))
            }
            return Dictionary(products) { $1 }
        }

        /// By the name of each target: the targets and the products of others that it depends on.
        var targets: [String: [String]] {
            let targets = list("targets").map { target in
                let dependencies = list("dependencies", of: target).compactMap { dependency in
                    (dependency["byName"] ?? dependency["product"])?.arrayValue?.first?.stringValue
                }
                return (target["name"]?.stringValue ?? "", dependencies)
            }
            return Dictionary(targets) { $1 }
        }
    }

    /// What scened offers on a Mac, evaluated once for all cases.
    private static let scened = Task { try await Package(AppNewTests.root, environment: ["SCENED_AS_ON_A_MAC": "1"]) }

    /// What there is without a dependency.
    private static let broughtBySwift: Set<String> = ["Swift", "Synchronization", "Testing"]

    @Test("is the app and its tests, of what scened offers there alone", arguments: [nil, "shop", "club"])
    func package(from manifest: String?) async throws {
        let directory = try AppNewTests.workspace()
        let files =
            if let manifest {
                try await AppNewTests.new("--from", manifest, in: directory)
            } else {
                try await AppNewTests.new(in: directory)
            }
        let folder = "\(directory.path)/MyApp"
        let here = try await Package(folder).targets
        #expect(here.keys.sorted() == ["MyApp", "MyAppTests", "myapp-scened"])

        let text = try #require(files["Package.swift"])
        let reversed = text.replacing("#if os(Linux)", with: "#if os(macOS)")
        #expect(reversed != text)
        try reversed.write(toFile: "\(folder)/Package.swift", atomically: true, encoding: .utf8)
        let package = try await Package(folder)
        let scened = try await Self.scened.value
        #expect(!scened.list("platforms").isEmpty)
        #expect(package.list("platforms") == scened.list("platforms"))
        #expect(package.products == ["MyApp": ["MyApp"]])
        let targets = package.targets
        #expect(targets.keys.sorted() == ["MyApp", "MyAppTests"])
        for (target, dependencies) in targets {
            #expect(dependencies == here[target])
            var importable = Self.broughtBySwift
            for dependency in dependencies where targets[dependency] != nil { importable.insert(dependency) }
            for dependency in dependencies where targets[dependency] == nil {
                let modules = try #require(scened.products[dependency], "scened does not offer \(dependency) on a Mac")
                importable.formUnion(modules)
                #expect(
                    files.contains { path, text in
                        path.contains("/\(target)/") && Self.imports(text).contains(where: modules.contains)
                    },
                    "\(target) imports nothing of \(dependency)"
                )
            }
            let sources = files.filter { $0.key.contains("s/\(target)/") && $0.key.hasSuffix(".swift") }
            #expect(sources.count >= 3)
            for (path, text) in sources {
                let others = Self.imports(text).subtracting(importable)
                #expect(others.isEmpty, "\(path) imports \(others)")
            }
        }
    }

    private static func imports(_ text: String) -> Set<String> {
        Set(text.matches(of: /(?m)^(?:@testable |public |internal )?import (\w+)$/).map { String($0.output.1) })
    }
}
