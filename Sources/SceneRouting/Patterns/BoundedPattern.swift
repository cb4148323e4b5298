/// A regular expression that is matched with one table look-up per character, whatever the input.
///
/// It always matches the whole text. It has literals, `.`, classes (`[a-z0-9-]`, `[^/]`, `\d`, `\w`, `\s`), groups,
/// alternatives and the quantifiers `*`, `+`, `?`, `{m}`, `{m,}` and `{m,n}`, but no anchors, references or look-around.
/// It is compiled to a deterministic automaton when the manifest is read, and refused if that would be too large. So the
/// cost of a tapped link is known.
package struct BoundedPattern: Hashable, Sendable {
    /// The expression as written.
    package let source: String
    private let automaton: Automaton

    /// Immutable. A class so that passing a pattern on costs one reference.
    private final class Automaton: Sendable {
        /// The table's column for each ASCII character.
        let asciiColumns: [UInt8]
        /// The first scalar value of each column, in rising order from 0.
        let columnStarts: [UInt32]
        /// The next state for each state and column. State 0 means failure, state 1 is the start.
        let table: [UInt16]
        let isAccepting: [Bool]

        init(_ result: PatternAutomaton.Table) {
            columnStarts = result.columnStarts
            table = result.table
            isAccepting = result.isAccepting
            asciiColumns = (UInt32(0)..<0x80).map {
                // At most 128 columns begin within ASCII.
                UInt8(truncatingIfNeeded: BoundedPattern.column(of: $0, in: result.columnStarts))
            }
        }
    }

    /// Compiles `source`.
    /// - Throws: a ``BoundedPatternError`` that says what is wrong and where.
    package init(_ source: String) throws(BoundedPatternError) {
        var budget = Int.max
        try self.init(source, budget: &budget)
    }

    /// Compiles `source`.
    /// - Parameter budget: how many steps compiling may take; reduced by those it took.
    init(_ source: String, budget: inout Int) throws(BoundedPatternError) {
        var parser = try BoundedPatternParser(source)
        let expression = try parser.parse()
        var expanded = PatternAutomaton()
        try expanded.compile(expression)
        let result = try expanded.determinize(budget: &budget)
        self.source = source
        automaton = Automaton(result)
    }

    package static func == (one: BoundedPattern, other: BoundedPattern) -> Bool { one.source == other.source }

    package func hash(into hasher: inout Hasher) { hasher.combine(source) }

    /// Whether the whole text matches.
    package func matches(_ text: some StringProtocol) -> Bool {
        var state = Self.start
        for scalar in text.unicodeScalars {
            state = next(state, scalar.value)
            if state == 0 { return false }
        }
        return accepts(state)
    }

    static let start: UInt16 = 1

    /// The state after one more character; 0 if no text that begins like this can match.
    func next(_ state: UInt16, _ scalar: UInt32) -> UInt16 {
        let starts = automaton.columnStarts
        let column = scalar < 0x80 ? Int(automaton.asciiColumns[Int(scalar)]) : Self.column(of: scalar, in: starts)
        return automaton.table[Int(state) * starts.count + column]
    }

    func accepts(_ state: UInt16) -> Bool { automaton.isAccepting[Int(state)] }

    /// Whether ASCII bytes match as a whole; `nil` if a byte that is not ASCII has to be looked at.
    func matches(ascii bytes: borrowing Span<UInt8>, _ range: Range<Int>) -> Bool? {
        let automaton = self.automaton
        let columns = automaton.columnStarts.count
        var state = Int(Self.start)
        for index in range {
            let byte = bytes[index]
            guard byte < 0x80 else { return nil }
            state = Int(automaton.table[state * columns + Int(automaton.asciiColumns[Int(byte)])])
            if state == 0 { return false }
        }
        return automaton.isAccepting[state]
    }

    /// Whether some text of at least this length, 0 or 1, matches both patterns. It follows all pairs of states that a text
    /// can lead to; if there are too many of them the answer is no.
    func sharesText(with other: BoundedPattern, minimumLength: Int) -> Bool {
        let starts = Set(automaton.columnStarts).union(other.automaton.columnStarts)
        var seen: Set<UInt32> = []
        var queue: [(one: UInt16, other: UInt16, isLongEnough: Bool)] = [(Self.start, Self.start, minimumLength == 0)]
        while let (one, two, isLongEnough) = queue.popLast() {
            if isLongEnough, accepts(one), other.accepts(two) { return true }
            for scalar in starts {
                let next = (self.next(one, scalar), other.next(two, scalar))
                guard next.0 != 0, next.1 != 0, seen.insert(UInt32(next.0) << 16 | UInt32(next.1)).inserted else {
                    continue
                }
                guard seen.count < 100_000 else { return false }
                queue.append((next.0, next.1, true))
            }
        }
        return false
    }

    /// One of the shortest texts that match, of at most 64 letters, digits and first characters of its classes; `nil` if there is none.
    var example: String? {
        let scalars = "A0a".unicodeScalars.map(\.value) + automaton.columnStarts.filter { $0 > 0x20 }
        var seen: Set<UInt16> = []
        var queue: [(state: UInt16, text: String)] = [(Self.start, "")]
        var place = 0
        while place < queue.count {
            let (state, text) = queue[place]
            place += 1
            guard text.unicodeScalars.count < 64 else { return nil }
            for value in scalars {
                let next = next(state, value)
                guard next != 0, seen.insert(next).inserted, let scalar = Unicode.Scalar(value) else { continue }
                let longer = text + String(scalar)
                if accepts(next) { return longer }
                queue.append((next, longer))
            }
        }
        return nil
    }

    fileprivate static func column(of scalar: UInt32, in starts: [UInt32]) -> Int {
        var low = 0
        var high = starts.count
        while high - low > 1 {
            let middle = (low + high) / 2
            if starts[middle] <= scalar { low = middle } else { high = middle }
        }
        return low
    }
}

/// Compiles each pattern of a manifest once, within one bound for all of them.
struct PatternCache {
    private var patterns: [String: BoundedPattern] = [:]
    /// The steps that compiling may still take, at first about a second's worth.
    private var budget = 1 << 25

    mutating func pattern(_ source: String) throws(BoundedPatternError) -> BoundedPattern {
        if let known = patterns[source] { return known }
        let pattern = try BoundedPattern(source, budget: &budget)
        patterns[source] = pattern
        return pattern
    }
}
