import CountingMalloc
@_spi(Internal) import Hummingbird
import SceneRouting

/// Compares matching and resolving with Hummingbird's router trie over the same tables, in one run.
///
///     SCENED_BENCH=1 swift run -c release RoutingBenchmark
@main
struct RoutingBenchmark {
    static let context = RoutingContext(user: "ada", facts: ["stock": .strings(["p1"])])

    static func main() throws {
        print("nanoseconds per link, the best of 15 rounds taken in turn; 4,096 links, one in ten unknown")
        print(
            "| routes | hummingbird trie | match | match ÷ trie | resolve | resolve ÷ match | allocations match, resolve |"
        )
        print("|---|---|---|---|---|---|---|")
        var results: [Int: (match: Double, resolve: Double)] = [:]
        for count in [100, 200, 1000, 10_000] {
            results[count] = try measure(count)
        }
        if let few = results[100], let many = results[10_000] {
            print("10,000 routes against 100: match × \(round2(many.match / few.match)), ", terminator: "")
            print("resolve × \(round2(many.resolve / few.resolve))")
        }
    }

    static func measure(_ count: Int) throws -> (match: Double, resolve: Double) {
        let shape = RouteTableShape(count: count, seed: 7)
        let engine = try RoutingEngine(manifest: manifest(shape))
        let trie = trie(shape)
        // One link in four comes from a mailing; the trie is given the path alone, as a server would.
        let links = shape.paths.enumerated().map { index, path in
            "https://shop.example" + path + (index % 4 == 0 ? "?utm_source=mail&utm_campaign=c\(index % 50)" : "")
        }
        // Both must find the same before they are compared.
        var found = 0
        for (path, link) in zip(shape.paths, links) {
            let match = try? engine.match(url: link, context: context)
            let other = trie.resolve(path)
            guard (match == nil) == (other == nil) else { throw Failure(reason: "\(path) is decided differently") }
            if match != nil { found += 1 }
        }
        guard found > shape.paths.count * 8 / 10 else { throw Failure(reason: "only \(found) links were found") }

        var best = (trie: Double.infinity, match: Double.infinity, resolve: Double.infinity)
        var allocations = (match: 0.0, resolve: 0.0)
        for _ in 0..<15 {
            best.trie = min(best.trie, time(shape.paths) { trie.resolve($0)?.value ?? -1 }.nanoseconds)
            let match = time(links) { (try? engine.match(url: $0, context: context)) == nil ? 0 : 1 }
            let resolve = time(links) { (try? engine.resolve(url: $0, context: context)) == nil ? 0 : 1 }
            best.match = min(best.match, match.nanoseconds)
            best.resolve = min(best.resolve, resolve.nanoseconds)
            allocations = (match.allocations, resolve.allocations)
        }
        print(
            "| \(count) | \(Int(best.trie)) | \(Int(best.match)) | \(round2(best.match / best.trie)) | "
                + "\(Int(best.resolve)) | \(round2(best.resolve / best.match)) | "
                + "\(round2(allocations.match)), \(round2(allocations.resolve)) |"
        )
        return (best.match, best.resolve)
    }

    struct Failure: Error {
        let reason: String
    }

    static func time(_ inputs: [String], _ body: (String) -> Int) -> (nanoseconds: Double, allocations: Double) {
        let clock = ContinuousClock()
        var sum = 0
        // Once for the caches, which what was measured before has left to itself.
        for input in inputs { sum &+= body(input) }
        let allocations = counting_malloc_allocations()
        let duration = clock.measure {
            for input in inputs { sum &+= body(input) }
        }
        let asked = counting_malloc_allocations() - allocations
        precondition(sum != .min)
        let nanoseconds = Double(duration.components.attoseconds) / 1e9 + Double(duration.components.seconds) * 1e9
        return (nanoseconds / Double(inputs.count), Double(asked) / Double(inputs.count))
    }

    static func round2(_ value: Double) -> Double { (value * 100).rounded() / 100 }

    static func trie(_ shape: RouteTableShape) -> RouterTrie<Int> {
        let builder = RouterPathTrieBuilder<Int>()
        for (index, route) in shape.routes.enumerated() {
            builder.addEntry(RouterPath(stringLiteral: "/" + route.segments.joined(separator: "/")), value: index)
        }
        return builder.build()
    }

    static func manifest(_ shape: RouteTableShape) -> AppManifest {
        var manifest = AppManifest(name: "Large", tabs: [TabDeclaration(id: "home", root: "home")])
        manifest.associatedDomains = [AssociatedDomain(domain: "shop.example", association: "{}")]
        manifest.facts = [FactDeclaration(name: "stock", type: .strings)]
        manifest.flows = [FlowDeclaration(name: "auth", screens: [FlowScreen(id: "login")])]
        manifest.preconditions = [PreconditionDeclaration(name: "signedIn", holds: .signedIn, flow: "auth")]
        manifest.conditions = [
            ConditionDeclaration(name: "inStock", holds: .present(fact: "stock"), reason: "nothing is in stock")
        ]
        manifest.destinations = [DestinationDeclaration(id: "home", presentation: .tab("home"))]
        for (index, route) in shape.routes.enumerated() {
            let parameters = route.types.sorted { $0.key < $1.key }.map { name, pattern in
                ParameterDeclaration(name: name, type: pattern.map { .pattern($0) } ?? .string)
            }
            manifest.destinations.append(
                DestinationDeclaration(
                    id: "destination\(index)",
                    parameters: parameters,
                    ancestry: ["home"],
                    preconditions: index % 2 == 0 ? ["signedIn"] : [],
                    conditions: index % 3 == 0 ? ["inStock"] : []
                )
            )
            let pattern = route.segments.map { $0.hasPrefix(":") ? "{\($0.dropFirst())}" : $0 }
            manifest.routes.append(
                RouteDeclaration(destination: "destination\(index)", pattern: "/" + pattern.joined(separator: "/"))
            )
        }
        return manifest
    }
}
