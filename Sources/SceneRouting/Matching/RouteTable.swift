internal import Basics

/// All routes as one tree of segments for each scheme and domain, stored in flat arrays so that a look-up allocates nothing.
///
/// A node's children are tried in the order of ``Specificity``, and the first route that takes the URL wins; the walk
/// goes back when a beginning leads nowhere. It is bounded: a node has one depth, so without `**` each is visited at most
/// once. A pattern has at most one `**`, so each node below that is visited at most once for every position.
struct RouteTable: Sendable {
    struct Node: Sendable {
        /// The routes that end here, as positions in ``RouteTable/leaves``.
        var firstLeaf: Int32 = 0
        var leafCount: Int32 = 0
        /// The children that are neither constants nor wildcards, in the order of specificity.
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

    private(set) var kinds = UniqueList<RouteTreeNode.Kind>()
    private(set) var nodes: [Node] = []
    private(set) var others: [Other] = []
    /// The ranks of routes, which are their positions in the order of specificity.
    private(set) var leaves: [Int] = []
    private var edges = ByteTable()
    private var origins = ByteTable()
    private var everyDomainRoots: [Int?] = [nil, nil]

    /// The kinds of key in ``origins``.
    private enum Origin: Int {
        case scheme, web, webWildcard, domain, domainWildcard
    }

    /// Builds the table of routes, which must be in the order of specificity.
    init(_ routes: [CompiledRoute], domains: [String]) {
        for domain in domains {
            let isWild = domain.hasPrefix("*.")
            let key = Array(domain.utf8.dropFirst(isWild ? 1 : 0))
            let owner = (isWild ? Origin.domainWildcard : .domain).rawValue
            guard origins.value(owner: owner, key.elements, 0..<key.count, folds: false) == nil else { continue }
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
        for other in sorted {
            children.append(Other(kind: kinds.position(of: other.kind), child: Int32(flatten(other.node))))
        }
        nodes[index].firstOther = Int32(others.count)
        nodes[index].otherCount = Int32(children.count)
        others += children
        if let child = node.anyOne { nodes[index].anyOne = Int32(flatten(child)) }
        if let child = node.anyRun { nodes[index].anyRun = Int32(flatten(child)) }
        return index
    }

    // MARK: - Look-ups

    /// The child for a constant segment.
    @inline(__always)
    func child(of node: Int, _ bytes: borrowing Span<UInt8>, _ range: Range<Int>, folds: Bool) -> Int? {
        edges.value(owner: node * 2 + (folds ? 1 : 0), bytes, range, folds: folds)
    }

    /// The root for a custom scheme.
    func root(scheme bytes: borrowing Span<UInt8>, _ range: Range<Int>) -> Int? {
        origins.value(owner: Origin.scheme.rawValue, bytes, range, folds: true)
    }

    /// The root for exactly this domain.
    func root(host bytes: borrowing Span<UInt8>, _ range: Range<Int>, isSecure: Bool) -> Int? {
        origins.value(owner: Origin.web.rawValue + (isSecure ? 0 : 100), bytes, range, folds: true)
    }

    /// The root for all subdomains of a suffix of the host; `range` begins at the dot before the suffix.
    func root(suffix bytes: borrowing Span<UInt8>, _ range: Range<Int>, isSecure: Bool) -> Int? {
        origins.value(owner: Origin.webWildcard.rawValue + (isSecure ? 0 : 100), bytes, range, folds: true)
    }

    /// The root for all associated domains, if the host belongs to one.
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
