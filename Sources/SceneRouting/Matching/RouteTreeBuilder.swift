/// A node of the tree that becomes a ``RouteTable``.
final class RouteTreeNode {
    struct Constant: Hashable {
        var text: String
        var folds: Bool
    }

    /// What a segment other than a constant or a wildcard must be.
    enum Kind: Hashable, Sendable {
        case check(ParameterCheck)
        case mixed(SegmentMatcher)
    }

    /// In the order added, so that a manifest always gives the same table.
    private(set) var constants: [(key: Constant, node: RouteTreeNode)] = []
    private var constantIndex: [Constant: Int] = [:]
    private(set) var others: [(part: Specificity.Part, kind: Kind, node: RouteTreeNode)] = []
    private var otherIndex: [Specificity.Part: Int] = [:]
    var anyOne: RouteTreeNode?
    var anyRun: RouteTreeNode?
    var leaves: [Int] = []

    func child(_ constant: Constant) -> RouteTreeNode {
        if let index = constantIndex[constant] { return constants[index].node }
        constantIndex[constant] = constants.count
        let node = RouteTreeNode()
        constants.append((constant, node))
        return node
    }

    func child(_ part: Specificity.Part, _ kind: @autoclosure () -> Kind) -> RouteTreeNode {
        if let index = otherIndex[part] { return others[index].node }
        otherIndex[part] = others.count
        let node = RouteTreeNode()
        others.append((part, kind(), node))
        return node
    }
}

/// Builds one tree of routes for each origin; segments that fit exactly the same text share a node.
final class RouteTreeBuilder {
    private(set) var roots: [(origin: RoutePattern.Origin, node: RouteTreeNode)] = []
    private var rootIndex: [RoutePattern.Origin: Int] = [:]

    /// Adds a route, whose rank must be higher than those before.
    func add(_ route: CompiledRoute, rank: Int) {
        var node = root(route.pattern.origin)
        for (index, segment) in route.pattern.segments.enumerated() {
            let isHost = index == 0 && route.pattern.isCustomScheme
            node = child(of: node, segment, route, folds: route.declaration.ignoresCase || isHost)
        }
        node.leaves.append(rank)
    }

    private func root(_ origin: RoutePattern.Origin) -> RouteTreeNode {
        if let index = rootIndex[origin] { return roots[index].node }
        rootIndex[origin] = roots.count
        let node = RouteTreeNode()
        roots.append((origin, node))
        return node
    }

    private func child(
        of node: RouteTreeNode,
        _ segment: RoutePattern.Segment,
        _ route: CompiledRoute,
        folds: Bool
    ) -> RouteTreeNode {
        switch segment {
        case .constant(let text): return node.child(.init(text: folds ? text.lowercased() : text, folds: folds))
        case .capture(let name):
            let part = Specificity.part(segment, ignoresCase: folds, checks: route.checks)
            return node.child(part, .check(route.check(name)))
        case .mixed(let pieces):
            let part = Specificity.part(segment, ignoresCase: folds, checks: route.checks)
            return node.child(part, .mixed(SegmentMatcher(pieces, checks: route.checks, ignoresCase: folds)))
        case .anyOne:
            let child = node.anyOne ?? RouteTreeNode()
            node.anyOne = child
            return child
        case .anyRun:
            let child = node.anyRun ?? RouteTreeNode()
            node.anyRun = child
            return child
        }
    }
}
