/// What a match needs of each route, by rank. With 10,000 routes most of the time goes into waiting for memory. So a match
/// touches only a few neighbouring bytes of its route, and values that routes have in common are stored once.
struct LeafTable: Sendable {
    /// A route, by rank.
    struct Leaf: Sendable {
        /// The destination's position; -1 if the URL names the destination.
        var destination: Int32
        var firstSource: Int32
        var sourceCount: UInt16
        var flags: UInt8

        /// The route exists only in some markets or locales.
        static let hasVariants: UInt8 = 1
        /// The query may matter, although the path has all required parameters.
        static let mayReadQuery: UInt8 = 2
        /// The route has to be tried part by part, because the path alone does not decide.
        static let isByDefinition: UInt8 = 4

        @inline(__always)
        func has(_ flag: UInt8) -> Bool { flags & flag != 0 }
    }

    /// Where one parameter of a match comes from.
    struct Source: Sendable {
        /// The segment, counted from 0 at the beginning of the path, or from -1 backwards at its end.
        var segment: Int16
        /// The position of a fixed value; -1 for a segment's text.
        var fixed: Int32
        /// The position of the parameter's name.
        var name: Int32
        /// The position of the type that makes the text canonical; -1 if every text of the type is.
        var check: Int32
    }

    private(set) var leaves: [Leaf] = []
    private var sources: [Source] = []
    private var names = UniqueList<String>()
    private var fixed = UniqueList<String>()
    private var checks = UniqueList<ParameterCheck>()

    /// - Parameter routes: the routes in the order of specificity.
    init(_ routes: [CompiledRoute], destinationIndex: [String: Int]) {
        for route in routes { add(route, destinationIndex) }
    }

    private mutating func add(_ route: CompiledRoute, _ destinationIndex: [String: Int]) {
        var leaf = Leaf(destination: -1, firstSource: Int32(sources.count), sourceCount: 0, flags: 0)
        if route.hasVariants { leaf.flags |= Leaf.hasVariants }
        if route.mayReadQuery { leaf.flags |= Leaf.mayReadQuery }
        // Only with the whole destination at hand a secret becomes its placeholder.
        if let destination = route.destination, let routeSources = route.sources,
            destination.parameters.allSatisfy({ $0.secretKey == nil }),
            let index = destinationIndex[destination.id]
        {
            leaf.destination = Int32(index)
            for (parameter, source) in zip(destination.parameters, routeSources) {
                let name = names.position(of: parameter.declaration.name)
                switch source {
                case .absent: continue
                case .fixed(let value):
                    sources.append(Source(segment: 0, fixed: fixed.position(of: value), name: name, check: -1))
                case .segment(let segment):
                    let check = parameter.check.isCanonicalAsWritten ? -1 : checks.position(of: parameter.check)
                    sources.append(Source(segment: Int16(segment), fixed: -1, name: name, check: check))
                }
            }
            leaf.sourceCount = UInt16(sources.count - Int(leaf.firstSource))
        } else {
            leaf.flags |= Leaf.isByDefinition
        }
        leaves.append(leaf)
    }

    /// The parameters of a route whose path fits.
    @inline(__always)
    func parameters(_ leaf: Leaf, _ bytes: borrowing Span<UInt8>, _ scan: borrowing URLScan) -> [String: String] {
        guard leaf.sourceCount > 0 else { return [:] }
        var parameters = [String: String](minimumCapacity: Int(leaf.sourceCount))
        for index in Int(leaf.firstSource)..<Int(leaf.firstSource) + Int(leaf.sourceCount) {
            let source = sources[index]
            var text: String
            if source.fixed >= 0 {
                text = fixed[source.fixed]
            } else {
                let segment = Int(source.segment)
                text = bytes.text(scan.segment(segment < 0 ? scan.count + segment : segment))
                if source.check >= 0, let canonical = checks[source.check].canonical(text) { text = canonical }
            }
            parameters[names[source.name]] = text
        }
        return parameters
    }
}
