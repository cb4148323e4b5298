/// All routes as one tree of segments per scheme and domain, laid flat so that a look-up allocates nothing.
///
/// A node's children are asked in the order of ``Specificity``, and the first route that takes the URL wins, so the
/// walk goes back where a promising beginning comes to nothing. What bounds it: a node stands at one depth, so without
/// `**` each is visited at most once; a pattern has at most one `**`, so below it each is visited at most once per
/// position.
struct RouteTable: Sendable {
    struct Node: Sendable {
        /// The routes that end here, as positions in ``RouteTable/leaves``.
        var firstLeaf: Int32 = 0
        var leafCount: Int32 = 0
        /// Children that are neither constants nor wildcards, in order.
        var firstOther: Int32 = 0
        var otherCount: Int32 = 0
        var hasConstants = false
        var hasFolded = false
        /// The child for `*`; -1 for none.
        var anyOne: Int32 = -1
        /// The child for `**`; -1 for none.
        var anyRun: Int32 = -1
    }

    struct Other: Sendable {
        /// The position in ``RouteTable/kinds``.
        var kind: Int32
        var child: Int32
    }

    /// What a segment must be that is no constant; the same kind stands once.
    enum Kind: Hashable, Sendable {
        case check(ParameterCheck)
        case mixed(SegmentMatcher)
    }

    private(set) var kinds: [Kind] = []
    private var kindIndex: [Kind: Int32] = [:]
    private(set) var nodes: [Node] = []
    private(set) var others: [Other] = []
    /// Ranks of routes: positions in the list ordered by specificity.
    private(set) var leaves: [Int] = []
    private var edges = ByteTable()
    private var origins = ByteTable()
    private var everyDomainRoots: [Int?] = [nil, nil]

    /// The kinds of key in ``origins``.
    private enum Origin: Int {
        case scheme, web, webWildcard, domain, domainWildcard
    }

    /// Builds the table of routes that are ordered by specificity already.
    init(_ routes: [CompiledRoute], domains: [String]) {
        for domain in domains {
            let isWild = domain.hasPrefix("*.")
            let key = Array(domain.utf8.dropFirst(isWild ? 1 : 0))
            let owner = (isWild ? Origin.domainWildcard : .domain).rawValue
            guard origins.value(owner: owner, key.span, 0..<key.count, folds: false) == nil else { continue }
            origins.insert(0, owner: owner, key: key)
        }
        let builder = RouteTreeBuilder()
        for (rank, route) in routes.enumerated() { builder.add(route, rank: rank) }
        for (origin, root) in builder.roots {
            let index = flatten(root)
            switch origin {
            case .scheme(let scheme): origins.insert(index, owner: Origin.scheme.rawValue, key: Array(scheme.utf8))
            case .web(let scheme, nil): everyDomainRoots[scheme == "https" ? 1 : 0] = index
            case .web(let scheme, let domain?):
                let isWild = domain.hasPrefix("*.")
                let kind = isWild ? Origin.webWildcard : .web
                origins.insert(
                    index,
                    owner: kind.rawValue + (scheme == "https" ? 0 : 100),
                    key: Array(domain.utf8.dropFirst(isWild ? 1 : 0))
                )
            }
        }
    }

    private mutating func flatten(_ node: RouteTreeNode) -> Int {
        let index = nodes.count
        nodes.append(Node())
        nodes[index].firstLeaf = Int32(leaves.count)
        nodes[index].leafCount = Int32(node.leaves.count)
        leaves += node.leaves
        for (key, child) in node.constants {
            let next = flatten(child)
            edges.insert(next, owner: index * 2 + (key.folds ? 1 : 0), key: Array(key.text.utf8))
            if key.folds { nodes[index].hasFolded = true } else { nodes[index].hasConstants = true }
        }
        let sorted = node.others.sorted { $0.part < $1.part }
        var children: [Other] = []
        for other in sorted { children.append(Other(kind: intern(other.kind), child: Int32(flatten(other.node)))) }
        nodes[index].firstOther = Int32(others.count)
        nodes[index].otherCount = Int32(children.count)
        others += children
        if let child = node.anyOne { nodes[index].anyOne = Int32(flatten(child)) }
        if let child = node.anyRun { nodes[index].anyRun = Int32(flatten(child)) }
        return index
    }

    private mutating func intern(_ kind: Kind) -> Int32 {
        if let known = kindIndex[kind] { return known }
        let new = Int32(kinds.count)
        kindIndex[kind] = new
        kinds.append(kind)
        return new
    }

    // MARK: - Look-ups

    /// The child for a constant segment.
    @inline(__always)
    func child(of node: Int, _ bytes: borrowing Span<UInt8>, _ range: Range<Int>, folds: Bool) -> Int? {
        edges.value(owner: node * 2 + (folds ? 1 : 0), bytes, range, folds: folds)
    }

    /// The root of a custom scheme.
    func root(scheme bytes: borrowing Span<UInt8>, _ range: Range<Int>) -> Int? {
        origins.value(owner: Origin.scheme.rawValue, bytes, range, folds: true)
    }

    /// The root for exactly this domain.
    func root(host bytes: borrowing Span<UInt8>, _ range: Range<Int>, isSecure: Bool) -> Int? {
        origins.value(owner: Origin.web.rawValue + (isSecure ? 0 : 100), bytes, range, folds: true)
    }

    /// The root for the subdomains of what follows a dot of the host; `range` begins at the dot.
    func root(suffix bytes: borrowing Span<UInt8>, _ range: Range<Int>, isSecure: Bool) -> Int? {
        origins.value(owner: Origin.webWildcard.rawValue + (isSecure ? 0 : 100), bytes, range, folds: true)
    }

    /// The root for every associated domain, if the host is one.
    func everyDomainRoot(host bytes: borrowing Span<UInt8>, _ range: Range<Int>, isSecure: Bool) -> Int? {
        guard let root = everyDomainRoots[isSecure ? 1 : 0] else { return nil }
        if origins.value(owner: Origin.domain.rawValue, bytes, range, folds: true) != nil { return root }
        for index in range.dropFirst() where bytes[index] == UInt8(ascii: ".") {
            let suffix = index..<range.upperBound
            if origins.value(owner: Origin.domainWildcard.rawValue, bytes, suffix, folds: true) != nil { return root }
        }
        return nil
    }
}
