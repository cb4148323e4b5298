/// What a match needs of each route, side by side: with 10,000 routes the time goes into waiting for memory, so what a
/// link touches of its route is a few neighbouring bytes, and everything many routes share stands once.
struct LeafTable: Sendable {
    /// A route, by rank.
    struct Leaf: Sendable {
        /// The destination's position; -1 where the URL names it.
        var destination: Int32
        var firstSource: Int32
        var sourceCount: UInt16
        var flags: UInt8

        /// Market or locale matter.
        static let hasVariants: UInt8 = 1
        /// The query may matter although the path says all that is required.
        static let mayReadQuery: UInt8 = 2
        /// Query, fragment or several captures in a segment are required: tried part by part.
        static let isByDefinition: UInt8 = 4

        @inline(__always)
        func has(_ flag: UInt8) -> Bool { flags & flag != 0 }
    }

    /// Where one parameter of a match comes from.
    struct Source: Sendable {
        /// The segment, counted from the path's beginning, or for a negative one from its end (-1 is the last).
        var segment: Int16
        /// The position of a fixed value; -1 for a segment's text.
        var fixed: Int32
        /// The position of the parameter's name.
        var name: Int32
        /// The position of the type whose canonical form differs from the text; -1 where text and form are the same.
        var check: Int32
    }

    private(set) var leaves: [Leaf] = []
    private(set) var sources: [Source] = []
    private(set) var names: [String] = []
    private(set) var fixed: [String] = []
    private(set) var checks: [ParameterCheck] = []
    private var nameIndex: [String: Int32] = [:]
    private var fixedIndex: [String: Int32] = [:]
    private var checkIndex: [ParameterCheck: Int32] = [:]

    /// - Parameter routes: ordered by specificity.
    init(_ routes: [CompiledRoute], destinationIndex: [String: Int]) {
        for route in routes { add(route, destinationIndex) }
    }

    private mutating func add(_ route: CompiledRoute, _ destinationIndex: [String: Int]) {
        var leaf = Leaf(destination: -1, firstSource: Int32(sources.count), sourceCount: 0, flags: 0)
        if route.hasVariants { leaf.flags |= Leaf.hasVariants }
        if route.mayReadQuery { leaf.flags |= Leaf.mayReadQuery }
        if let destination = route.destination, let routeSources = route.sources,
            let index = destinationIndex[destination.id]
        {
            leaf.destination = Int32(index)
            for (parameter, source) in zip(destination.parameters, routeSources) {
                let name = Self.intern(parameter.declaration.name, &names, &nameIndex)
                switch source {
                case .absent: continue
                case .fixed(let value):
                    let value = Self.intern(value, &fixed, &fixedIndex)
                    sources.append(Source(segment: 0, fixed: value, name: name, check: -1))
                case .segment(let segment):
                    let check =
                        parameter.check.isCanonicalAsWritten ? -1 : Self.intern(parameter.check, &checks, &checkIndex)
                    sources.append(Source(segment: Int16(segment), fixed: -1, name: name, check: check))
                }
            }
            leaf.sourceCount = UInt16(sources.count - Int(leaf.firstSource))
        } else {
            leaf.flags |= Leaf.isByDefinition
        }
        leaves.append(leaf)
    }

    private static func intern<Value: Hashable>(
        _ value: Value,
        _ values: inout [Value],
        _ index: inout [Value: Int32]
    ) -> Int32 {
        if let known = index[value] { return known }
        let new = Int32(values.count)
        index[value] = new
        values.append(value)
        return new
    }

    /// The parameters of a route whose path has been found to fit.
    @inline(__always)
    func parameters(_ leaf: Leaf, _ bytes: borrowing Span<UInt8>, _ scan: borrowing URLScan) -> [String: String] {
        guard leaf.sourceCount > 0 else { return [:] }
        var parameters = [String: String](minimumCapacity: Int(leaf.sourceCount))
        for index in Int(leaf.firstSource)..<Int(leaf.firstSource) + Int(leaf.sourceCount) {
            let source = sources[index]
            var text: String
            if source.fixed >= 0 {
                text = fixed[Int(source.fixed)]
            } else {
                let segment = Int(source.segment)
                text = bytes.text(scan.segment(segment < 0 ? scan.count + segment : segment))
                if source.check >= 0, let canonical = checks[Int(source.check)].canonical(text) { text = canonical }
            }
            parameters[names[Int(source.name)]] = text
        }
        return parameters
    }
}
