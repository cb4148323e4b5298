/// A part of an exhaustive search: all runs that begin with the same choices. What its siblings show is left out, so that all pieces together
/// show each class about once.
package struct SearchPiece: Sendable {
    /// The choices, each with what its alternatives have already shown.
    let path: SearchPath

    /// The whole search.
    package init() { path = SearchPath() }

    init(_ path: SearchPath) { self.path = path }

    /// What comes after the choices of a piece.
    enum Opening: Sendable {
        /// No choice: all its runs are one.
        case end
        /// Nothing that its siblings have not shown.
        case nothingNew
        /// A choice, the last of the path, with the positions of the candidates that have to be tried.
        case choice(SearchPath, [Int])
    }
}

/// Cuts an exhaustive search into pieces, by trying its first choices breadth first. It is deterministic, so machines that know nothing of each
/// other cut alike.
///
/// At each choice that it takes, everything is tried that is not shown elsewhere, so a piece need not tell others what its runs would
/// like to have tried there.
package struct SearchCut: ExplorationStrategy {
    package var name: String { current.name }
    private let dependency: StepDependency
    private let preemptions: Int?
    private let count: Int

    /// Pieces that end without another choice.
    private var ended: [SearchPiece] = []
    /// Pieces that can be cut further, in the order in which they were found.
    private var open: [(path: SearchPath, others: [Int])] = []
    /// The choice that is being cut, with what is left to try there.
    private var cutting: (path: SearchPath, others: [Int])?
    private var current: ExhaustiveSearch
    private var wasLost = false
    package private(set) var isExhausted = false

    /// - Parameters:
    ///   - search: What is cut: it has made no run.
    ///   - count: How many pieces there are to be, if there are so many; there may be some more.
    package init(_ search: ExhaustiveSearch, into count: Int) {
        (dependency, preemptions) = (search.dependency, search.preemptions)
        self.count = count
        current = ExhaustiveSearch(dependency, preemptions: preemptions)
        isExhausted = count <= 1
    }

    /// The pieces. Where the same choices led to different steps, the whole search is one, and finds that out itself.
    package var pieces: [SearchPiece] {
        guard count > 1, !wasLost else { return [SearchPiece()] }
        return ended + open.map { SearchPiece($0.path.prefix($0.path.nodes.count - 1)) }
    }

    package mutating func begin(seed: UInt64, length: Int) { current.begin(seed: seed, length: length) }

    package mutating func choose(among choices: Span<RunChoice>, at step: Int) -> Int {
        current.choose(among: choices, at: step)
    }

    package mutating func end(_ steps: Span<RunStep>, _ accesses: RunAccesses) {
        let piece = current.piece
        current.end(steps, accesses)
        guard current.isDeterministic else {
            (wasLost, isExhausted) = (true, true)
            return
        }
        switch current.opening {
        case .end: ended.append(piece)
        case .nothingNew: break
        case .choice(let path, let others): open.append((path, others))
        }
        if let others = cutting?.others {
            cutting?.path.markTried(current.lastFixedFootprint)
            if others.isEmpty { cutting = nil }
        }
        goOn()
    }

    private mutating func goOn() {
        if cutting == nil {
            guard !open.isEmpty, ended.count + open.count < count else {
                isExhausted = true
                return
            }
            cutting = open.removeFirst()
        }
        guard var (path, others) = cutting else { return }
        path.choose(others.removeFirst())
        cutting = (path, others)
        current = ExhaustiveSearch(dependency, preemptions: preemptions, in: SearchPiece(path))
    }
}

extension ExplorationRunner {
    /// Cuts a search of the body into pieces.
    /// - Parameters:
    ///   - search: It has made no run.
    ///   - count: How many pieces there are to be, if there are so many.
    ///   - seed: The seed of the runs' data.
    ///   - isAskedToEnd: Called before each run; returns whether to end.
    /// - Returns: The pieces; `nil` if it was asked to end.
    package func pieces(
        of search: ExhaustiveSearch,
        atLeast count: Int,
        seed: UInt64,
        isAskedToEnd: () -> Bool
    ) -> [SearchPiece]? {
        var cut = SearchCut(search, into: count)
        while !cut.isExhausted {
            guard !isAskedToEnd() else { return nil }
            var strategy: any ExplorationStrategy = cut
            strategy.begin(seed: seed, length: 1)
            _ = run(seed: seed, strategy: &strategy)
            strategy.end(log.span, accesses)
            guard let next = strategy as? SearchCut else { return nil }
            cut = next
        }
        return cut.pieces
    }
}
