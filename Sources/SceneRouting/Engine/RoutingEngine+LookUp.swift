internal import Basics

/// The state of one look-up.
struct RouteLookup {
    let url: String
    let context: RoutingContext
    var scan: URLScan
    /// The URL in decoded form, made when a route needs its query.
    var parsed: RoutingURL?
    /// Whether only routes of other markets and locales are tried.
    var isElsewhere = false
    /// Whether values of the wrong type fit too. Once no route has taken a URL, a second walk finds the value to blame.
    var isLenient = false
    /// Whether the walk is below a `**`, where it tries everything, because the first route found need not be the most specific.
    var isInRun = false
    /// The rank of the best route found.
    var rank = Int.max
    var destination = -1
    var parameters: [String: String] = [:]
    var invalid: RouteError?

    init(url: String, context: RoutingContext, scan: URLScan, parsed: RoutingURL? = nil) {
        self.url = url
        self.context = context
        self.scan = scan
        self.parsed = parsed
    }

    var found: FoundRoute { FoundRoute(rank: rank, destination: destination, parameters: parameters) }
}

/// The route that takes a URL, with the destination and its parameters.
struct FoundRoute {
    /// The route's position in the order of specificity.
    var rank: Int
    /// The destination's position in the manifest.
    var destination: Int
    /// The parameters in canonical form, with defaults.
    var parameters: [String: String]
}

extension RoutingEngine {
    /// Finds the route that takes a URL.
    /// - Throws: any ``RouteError``.
    func lookUp(_ url: String, _ context: RoutingContext) throws(RouteError) -> FoundRoute {
        #if canImport(Darwin)
            // A string's own bytes come with a newer system than the oldest that the package is declared for.
            let copy = Array(url.utf8)
            let bytes = copy.elements
        #else
            let bytes = url.utf8Span.span
        #endif
        if let scan = URLScan(bytes) {
            var lookup = RouteLookup(url: url, context: context, scan: scan)
            let isSecure = scan.schemeEnd == 5
            let origin = scan.isWeb ? scan.hostStart..<scan.hostEnd : 0..<scan.schemeEnd
            return try lookUp(&lookup, bytes, origins: bytes, origin, isSecure: isSecure)
        }
        let parsed = try RoutingURL(url)
        var buffer: [UInt8] = []
        var scan = URLScan(decoded: parsed.segments, into: &buffer)
        scan.isWeb = parsed.scheme == "https" || parsed.scheme == "http"
        var lookup = RouteLookup(url: url, context: context, scan: scan, parsed: parsed)
        let origin = Array((scan.isWeb ? parsed.host : parsed.scheme).utf8)
        let isSecure = parsed.scheme == "https"
        return try lookUp(&lookup, buffer.elements, origins: origin.elements, 0..<origin.count, isSecure: isSecure)
    }

    private func lookUp(
        _ lookup: inout RouteLookup,
        _ bytes: borrowing Span<UInt8>,
        origins: borrowing Span<UInt8>,
        _ origin: Range<Int>,
        isSecure: Bool
    ) throws(RouteError) -> FoundRoute {
        if walkOrigins(&lookup, bytes, origins: origins, origin, isSecure: isSecure) { return lookup.found }
        if hasRoutesElsewhere {
            lookup.isElsewhere = true
            if walkOrigins(&lookup, bytes, origins: origins, origin, isSecure: isSecure) { return lookup.found }
        }
        lookup.isLenient = true
        for isElsewhere in hasRoutesElsewhere ? [false, true] : [false] where lookup.invalid == nil {
            lookup.isElsewhere = isElsewhere
            _ = walkOrigins(&lookup, bytes, origins: origins, origin, isSecure: isSecure)
        }
        throw lookup.invalid ?? .unknownRoute(url: concealed(url: lookup.url))
    }

    /// Walks the trees for the URL's scheme and host, the narrowest first; returns whether a route was found.
    private func walkOrigins(
        _ lookup: inout RouteLookup,
        _ bytes: borrowing Span<UInt8>,
        origins: borrowing Span<UInt8>,
        _ origin: Range<Int>,
        isSecure: Bool
    ) -> Bool {
        guard lookup.scan.isWeb else {
            guard let root = table.root(scheme: origins, origin) else { return false }
            return walk(root, 0, bytes, &lookup)
        }
        if let root = table.root(host: origins, origin, isSecure: isSecure), walk(root, 0, bytes, &lookup) {
            return true
        }
        for index in origin.dropFirst() where origins[index] == UInt8(ascii: ".") {
            let suffix = index..<origin.upperBound
            if let root = table.root(suffix: origins, suffix, isSecure: isSecure), walk(root, 0, bytes, &lookup) {
                return true
            }
        }
        guard let root = table.everyDomainRoot(host: origins, origin, isSecure: isSecure) else { return false }
        return walk(root, 0, bytes, &lookup)
    }

    /// Walks the tree from a node; returns whether the search is over.
    private func walk(
        _ index: Int,
        _ position: Int,
        _ bytes: borrowing Span<UInt8>,
        _ lookup: inout RouteLookup
    ) -> Bool {
        let node = table.nodes[index]
        guard position < lookup.scan.count else {
            for leaf in Int(node.firstLeaf)..<Int(node.firstLeaf + node.leafCount)
            where accept(table.leaves[leaf], bytes, &lookup) { return true }
            return node.anyRun >= 0 && walkRun(Int(node.anyRun), position, bytes, &lookup)
        }
        let segment = lookup.scan.segment(position)
        if node.hasConstants, let child = table.child(of: index, bytes, segment, folds: false),
            walk(child, position + 1, bytes, &lookup)
        {
            return true
        }
        if node.hasFolded, let child = foldedChild(index, bytes, segment), walk(child, position + 1, bytes, &lookup) {
            return true
        }
        for index in Int(node.firstOther)..<Int(node.firstOther + node.otherCount) {
            let other = table.others[index]
            guard fits(other.kind, bytes, segment, isLenient: lookup.isLenient) else { continue }
            if walk(Int(other.child), position + 1, bytes, &lookup) { return true }
        }
        if node.anyOne >= 0, !segment.isEmpty, walk(Int(node.anyOne), position + 1, bytes, &lookup) { return true }
        return node.anyRun >= 0 && walkRun(Int(node.anyRun), position, bytes, &lookup)
    }

    /// Tries every length of a `**` and keeps the most specific route, because the segments after it decide.
    private func walkRun(
        _ index: Int,
        _ position: Int,
        _ bytes: borrowing Span<UInt8>,
        _ lookup: inout RouteLookup
    ) -> Bool {
        lookup.isInRun = true
        for end in position...lookup.scan.count { _ = walk(index, end, bytes, &lookup) }
        lookup.isInRun = false
        return lookup.rank < .max
    }

    private func foldedChild(_ node: Int, _ bytes: borrowing Span<UInt8>, _ segment: Range<Int>) -> Int? {
        for index in segment where bytes[index] >= 0x80 {
            let lowered = Array(bytes.text(segment).lowercased().utf8)
            return table.child(of: node, lowered.elements, 0..<lowered.count, folds: true)
        }
        return table.child(of: node, bytes, segment, folds: true)
    }

    private func fits(_ kind: Int32, _ bytes: borrowing Span<UInt8>, _ segment: Range<Int>, isLenient: Bool) -> Bool {
        switch table.kinds[kind] {
        case .check(let check): isLenient ? !segment.isEmpty : check.accepts(bytes, segment)
        case .mixed(let matcher): matcher.match(bytes.text(segment)) != nil
        }
    }

    // MARK: - Leaves

    /// Tries a route whose path fits; returns whether the search is over.
    private func accept(_ rank: Int, _ bytes: borrowing Span<UInt8>, _ lookup: inout RouteLookup) -> Bool {
        guard !lookup.isInRun || rank < lookup.rank else { return false }
        let leaf = leaves.leaves[rank]
        if leaf.has(LeafTable.Leaf.hasVariants) || lookup.isElsewhere {
            let declaration = routes[rank].declaration
            let market = policy.text("market", lookup.context)
            let locale = policy.text("locale", lookup.context)
            let exists = declaration.exists(market: market, locale: locale)
            guard lookup.isElsewhere ? declaration.resolvesElsewhere && !exists : exists else { return false }
        }
        if lookup.isLenient || leaf.has(LeafTable.Leaf.isByDefinition)
            || leaf.has(LeafTable.Leaf.mayReadQuery) && (lookup.parsed != nil || !lookup.scan.query.isEmpty)
        {
            return acceptByDefinition(routes[rank], rank, &lookup)
        }
        lookup.destination = Int(leaf.destination)
        lookup.parameters = leaves.parameters(leaf, bytes, lookup.scan)
        lookup.rank = rank
        return !lookup.isInRun
    }

    /// Tries a route part by part: one with a query, a fragment, a segment of several pieces, or its destination in the URL.
    private func acceptByDefinition(_ route: CompiledRoute, _ rank: Int, _ lookup: inout RouteLookup) -> Bool {
        do throws(RouteError) {
            let url: RoutingURL
            if let parsed = lookup.parsed {
                url = parsed
            } else {
                url = try RoutingURL(lookup.url)
                lookup.parsed = url
            }
            guard let found = try attempt(route, url, lookup.context) else { return false }
            lookup.destination = found.destination
            lookup.parameters = found.parameters
            lookup.rank = rank
            return !lookup.isInRun
        } catch {
            guard lookup.isLenient, lookup.invalid == nil || lookup.isInRun else { return false }
            lookup.invalid = error
            lookup.rank = rank
            return !lookup.isInRun
        }
    }
}
