import Foundation
import Testing

/// Who depends on a product can name every type that its API shows.
@Suite("Products bring along what their API shows")
struct ProductTests {
    /// A library of the package, as Package.swift names it.
    struct Product: CustomTestStringConvertible {
        let name: String
        let modules: Set<String>

        var testDescription: String { name }
    }

    static let products: [Product] = {
        guard let text = try? String(contentsOf: ArrowTests.root.appending(path: "Package.swift"), encoding: .utf8)
        else { return [] }
        return text.matches(of: #/\.library\(\s*name: "(\w+)",\s*targets: \[([^\]]*)\]/#).map { match in
            let modules = match.output.2.split { !$0.isLetter && !$0.isNumber }.map(String.init)
            return Product(name: String(match.output.1), modules: Set(modules))
        }
    }()

    @Test("the modules whose types are in a module's API come with it", arguments: products)
    func isComplete(product: Product) throws {
        #expect(product.modules.contains(product.name))
        for module in product.modules {
            for (file, imported) in try ArrowTests.imports(of: module, withAccess: "public")
            where ArrowTests.modules.contains(imported) {
                // Public for what the compiler copies into who imports the module; a module in C shows no types of Swift.
                guard try ArrowTests.declaresPublicly(imported) else { continue }
                #expect(product.modules.contains(imported), "\(file) shows types of \(imported)")
            }
        }
    }

    @Test("a module with a public declaration is in a product", arguments: ArrowTests.plan.map(\.module))
    func publicModulesAreProducts(module: String) throws {
        let products = Self.products.filter { $0.modules.contains(module) }.map(\.name)
        let isPublic = try ArrowTests.declaresPublicly(module)
        #expect(isPublic == !products.isEmpty, "public: \(isPublic), in \(products)")
    }

    @Test(
        "what the daemon needs is behind one trait, what the libraries for scenes need behind another, and nothing before both"
    )
    func traits() throws {
        let text = try SourceText("Package.swift").text
        func names(_ pattern: Regex<(Substring, Substring)>) -> Set<String> {
            Set(text.matches(of: pattern).map { String($0.output.1) })
        }
        #expect(names(#/(?:= |, |\[)(?:Target\.Dependency)?\.product\(name: "(\w+)"/#).isEmpty)
        #expect(names(#/= onlyWithScenes\("(\w+)"/#) == ["DequeModule", "SystemPackage", "Yams"])
        #expect(names(#/= onlyWithDaemon\("(\w+)"/#).isSuperset(of: ["ArgumentParser", "NIOCore", "NIOPosix"]))
    }

    /// What a product links of other packages, through all targets that it needs.
    @Test(
        "the explorer needs no other package",
        arguments: [
            "SimulatedExecutors", "ExploredSynchronization", "Interleaving", "InterleavingTesting",
            "InterleavingXCTest",
        ]
    )
    func explorerAlone(product: String) throws {
        var waiting = [product]
        var seen: Set<String> = []
        while let name = waiting.popLast() {
            guard seen.insert(name).inserted else { continue }
            let row = try #require(ArrowTests.plan.first { $0.module == name })
            // That one comes with Swift.
            let imports = row.imports.subtracting(["XCTest"])
            for imported in imports {
                #expect(ArrowTests.modules.contains(imported), "\(name) imports \(imported)")
            }
            waiting += imports
        }
        #expect(seen.contains("Basics"))
    }

    @Test("a module of a library has a page to begin with", arguments: Set(products.flatMap(\.modules)).sorted())
    func hasPage(name: String) throws {
        let page = try SourceText("Sources/\(name)/\(name).docc/\(name).md")
        #expect(page.text.hasPrefix("# ``\(name)``\n"))
        #expect(page.text.contains("\n## Overview\n") && page.text.contains("\n## Topics\n"))
    }

    @Test("there are products")
    func isRead() {
        #expect(Self.products.map(\.name).contains("SceneRuntime"))
        #expect(Self.products.count > 5)
    }
}
