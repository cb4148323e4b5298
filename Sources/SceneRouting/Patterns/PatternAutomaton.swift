/// A pattern as a non-deterministic automaton, which can be turned into a deterministic one.
struct PatternAutomaton {
    private enum Edge {
        case empty(to: Int)
        case set([ClosedRange<UInt32>], to: Int)
    }

    /// A deterministic automaton, as ``BoundedPattern`` keeps it.
    struct Table {
        var columnStarts: [UInt32]
        var table: [UInt16]
        var isAccepting: [Bool]
    }

    private var edges: [[Edge]] = [[]]
    private var end = 0

    private static let maximumStates = 4096
    private static let maximumNodes = 16384
    private static let maximumCells = 1 << 20
    private static let maximumWork = 1 << 23

    /// Adds an expression after those added before.
    mutating func compile(_ expression: PatternExpression) throws(BoundedPatternError) {
        end = try add(expression, from: end)
    }

    private mutating func node() throws(BoundedPatternError) -> Int {
        guard edges.count < Self.maximumNodes else { throw Self.tooComplex }
        edges.append([])
        return edges.count - 1
    }

    private static let tooComplex = BoundedPatternError(
        reason: "the pattern is too complex; use smaller counts or fewer alternatives",
        position: nil
    )

    /// Adds the nodes and edges of an expression; returns the node that it ends in.
    private mutating func add(_ expression: PatternExpression, from start: Int) throws(BoundedPatternError) -> Int {
        switch expression {
        case .empty: return start
        case .set(let ranges):
            let next = try node()
            edges[start].append(.set(ranges, to: next))
            return next
        case .sequence(let parts):
            var current = start
            for part in parts { current = try add(part, from: current) }
            return current
        case .alternatives(let alternatives):
            let join = try node()
            for alternative in alternatives {
                let begin = try node()
                edges[start].append(.empty(to: begin))
                let finish = try add(alternative, from: begin)
                edges[finish].append(.empty(to: join))
            }
            return join
        case .repeated(let part, let minimum, let maximum):
            var current = start
            for _ in 0..<minimum { current = try add(part, from: current) }
            guard let maximum else {
                let loop = try node()
                edges[current].append(.empty(to: loop))
                let finish = try add(part, from: loop)
                edges[finish].append(.empty(to: loop))
                let exit = try node()
                edges[loop].append(.empty(to: exit))
                return exit
            }
            let exit = try node()
            edges[current].append(.empty(to: exit))
            for _ in minimum..<maximum {
                let begin = try node()
                edges[current].append(.empty(to: begin))
                current = try add(part, from: begin)
                edges[current].append(.empty(to: exit))
            }
            return exit
        }
    }

    /// The subset construction. It fails if it would need too many states or too much work.
    func determinize(budget: inout Int) throws(BoundedPatternError) -> Table {
        var work = 0
        // Adding the expression took as many steps as there are nodes.
        defer { budget -= work + edges.count }
        return try determinize(&work, limit: min(budget, Self.maximumWork))
    }

    private func determinize(_ work: inout Int, limit: Int) throws(BoundedPatternError) -> Table {
        let starts = columnStarts()
        var table = [UInt16](repeating: 0, count: starts.count)
        var isAccepting = [false]
        var numbers: [[Int]: UInt16] = [:]
        var queue: [[Int]] = []

        func number(_ set: [Int]) throws(BoundedPatternError) -> UInt16 {
            if let known = numbers[set] { return known }
            let new = isAccepting.count
            guard new < Self.maximumStates, (new + 1) * starts.count <= Self.maximumCells else { throw Self.tooComplex }
            numbers[set] = UInt16(new)
            isAccepting.append(set.contains(end))
            table += [UInt16](repeating: 0, count: starts.count)
            queue.append(set)
            return UInt16(new)
        }

        _ = try number(closure([0], &work, limit))
        var next = 0
        while next < queue.count {
            let set = queue[next]
            next += 1
            for (column, scalar) in starts.enumerated() {
                var reached: Set<Int> = []
                for node in set {
                    work += 1 + edges[node].count
                    for case .set(let ranges, let to) in edges[node] where ranges.contains(where: { $0 ~= scalar }) {
                        reached.insert(to)
                    }
                }
                guard work <= limit else { throw Self.tooComplex }
                guard !reached.isEmpty else { continue }
                table[next * starts.count + column] = try number(closure(reached, &work, limit))
            }
        }
        return Table(columnStarts: starts, table: table, isAccepting: isAccepting)
    }

    private func closure(_ nodes: Set<Int>, _ work: inout Int, _ limit: Int) throws(BoundedPatternError) -> [Int] {
        var seen = nodes
        var stack = Array(nodes)
        while let node = stack.popLast() {
            work += edges[node].count
            guard work <= limit else { throw Self.tooComplex }
            for case .empty(let to) in edges[node] where seen.insert(to).inserted { stack.append(to) }
        }
        return seen.sorted()
    }

    private func columnStarts() -> [UInt32] {
        var starts: Set<UInt32> = [0]
        for list in edges {
            for case .set(let ranges, _) in list {
                for range in ranges {
                    starts.insert(range.lowerBound)
                    starts.insert(range.upperBound + 1)
                }
            }
        }
        return starts.sorted()
    }
}
