import CountingMalloc
import Figures
@_spi(Internal) import Hummingbird
import SceneRouting

/// Compares matching and resolving with Hummingbird's router trie over the same tables, in one run.
///
///     make bench ARGS=bench-routing
@main
struct RoutingBenchmark {
    static func main() throws {
        let tables = try [100, 200, 1_000, 10_000].map(Table.init)
        for _ in 0..<15 {
            for table in tables { table.measure() }
        }
        for table in tables {
            let routes = "\(table.count) routes"
            let times =
                "nanoseconds a link: trie \(table.best.trie), match \(table.best.match), resolve \(table.best.resolve)"
            try FigureLog.add(
                Figure(
                    "routing",
                    "match, \(routes)",
                    to: "Hummingbird's router trie",
                    zip(table.match, table.trie).map { $0 / $1 },
                    goal: .atMost(1),
                    detail: times
                )
            )
            try FigureLog.add(
                Figure(
                    "routing",
                    "resolve, \(routes)",
                    to: "match",
                    zip(table.resolve, table.match).map { $0 / $1 },
                    goal: .atMost(2.5)
                )
            )
            try FigureLog.add(
                Figure(
                    "routing",
                    "allocations of resolve, \(routes)",
                    in: "a link",
                    [table.allocations.resolve],
                    detail: "of match \(Int(table.allocations.match.rounded()))"
                )
            )
        }
        let (few, many) = (tables[0], tables[tables.count - 1])
        for (name, before, after) in [("match", few.match, many.match), ("resolve", few.resolve, many.resolve)] {
            try FigureLog.add(
                Figure(
                    "routing",
                    "\(name), \(many.count) routes against \(few.count)",
                    to: "\(few.count) routes",
                    zip(after, before).map { $0 / $1 },
                    goal: .atMost(1.3)
                )
            )
        }
    }
}

/// A table of routes, and how long 4,096 links of it took, one in ten unknown, in nanoseconds a link, a figure for each round.
final class Table {
    let count: Int
    private let engine: RoutingEngine
    private let other: RouterTrie<Int>
    private let paths: [String]
    private let links: [String]
    private(set) var trie: [Double] = []
    private(set) var match: [Double] = []
    private(set) var resolve: [Double] = []
    private(set) var allocations = (match: 0.0, resolve: 0.0)

    var best: (trie: Int, match: Int, resolve: Int) {
        (Int(trie.min() ?? .nan), Int(match.min() ?? .nan), Int(resolve.min() ?? .nan))
    }

    private static let context = RoutingContext(user: "ada", facts: ["stock": .strings(["p1"])])

    init(_ count: Int) throws {
        self.count = count
        let shape = RouteTableShape(count: count, seed: 7)
        engine = try RoutingEngine(manifest: Self.manifest(shape))
        other = Self.trie(shape)
        paths = shape.paths
        // One link in four has the query of a mailing; the trie gets only the path, as from a server.
        links = shape.paths.enumerated().map { index, path in
            "https://shop.example" + path + (index % 4 == 0 ? "?utm_source=mail&utm_campaign=c\(index % 50)" : "")
        }
        // Both must find the same routes before they are compared.
        var found = 0
        for (path, link) in zip(shape.paths, links) {
            let match = try? engine.match(url: link, context: Self.context)
            guard (match == nil) == (other.resolve(path) == nil) else {
                throw Failure(reason: "\(path) is decided differently")
            }
            if match != nil { found += 1 }
        }
        guard found > shape.paths.count * 8 / 10 else { throw Failure(reason: "only \(found) links were found") }

    }

    /// One round of each.
    func measure() {
        let context = Self.context
        trie.append(Self.time(paths) { other.resolve($0)?.value ?? -1 }.nanoseconds)
        let match = Self.time(links) { (try? engine.match(url: $0, context: context)) == nil ? 0 : 1 }
        let resolve = Self.time(links) { (try? engine.resolve(url: $0, context: context)) == nil ? 0 : 1 }
        self.match.append(match.nanoseconds)
        self.resolve.append(resolve.nanoseconds)
        allocations = (match.allocations, resolve.allocations)
    }

    struct Failure: Error {
        let reason: String
    }

    private static func time(_ inputs: [String], _ body: (String) -> Int) -> (nanoseconds: Double, allocations: Double)
    {
        var sum = 0
        // Once to warm the caches, which the measurement before has filled.
        for input in inputs { sum &+= body(input) }
        let allocations = counting_malloc_allocations()
        let start = processorNanoseconds()
        for input in inputs { sum &+= body(input) }
        let nanoseconds = processorNanoseconds() - start
        let asked = counting_malloc_allocations() - allocations
        precondition(sum != .min)
        return (nanoseconds / Double(inputs.count), Double(asked) / Double(inputs.count))
    }

    private static func trie(_ shape: RouteTableShape) -> RouterTrie<Int> {
        let builder = RouterPathTrieBuilder<Int>()
        for (index, route) in shape.routes.enumerated() {
            builder.addEntry(RouterPath(stringLiteral: "/" + route.segments.joined(separator: "/")), value: index)
        }
        return builder.build()
    }

    private static func manifest(_ shape: RouteTableShape) -> AppManifest {
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
