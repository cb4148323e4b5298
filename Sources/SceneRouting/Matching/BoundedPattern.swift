/// A regular expression whose match costs one table look-up per character, whatever the input.
///
/// It always matches the whole text. There are literals, `.`, classes (`[a-z0-9-]`, `[^/]`, `\d`, `\w`, `\s`), groups,
/// alternatives and the quantifiers `*`, `+`, `?`, `{m}`, `{m,}` and `{m,n}`; there are no anchors, no references and
/// no look-around. The expression is compiled to a deterministic automaton when the manifest is read; one that needs
/// more than ``maximumStates`` states is refused there, so nothing can blow up when a link is tapped.
package struct BoundedPattern: Hashable, Sendable {
    /// The expression as written.
    package let source: String
    private let automaton: Automaton

    /// Immutable; a class so that passing a pattern on costs one reference.
    private final class Automaton: Sendable {
        /// Which column of the table an ASCII character uses.
        let asciiColumns: [UInt8]
        /// Where the columns begin, as scalar values in rising order, the first 0.
        let columnStarts: [UInt32]
        /// The next state per state and column; state 0 has failed for good, state 1 is the start.
        let table: [UInt16]
        let isAccepting: [Bool]

        init(_ result: PatternAutomaton.Table) {
            columnStarts = result.columnStarts
            table = result.table
            isAccepting = result.isAccepting
            asciiColumns = (UInt32(0)..<0x80).map {
                // At most 129 columns begin within ASCII.
                UInt8(truncatingIfNeeded: BoundedPattern.column(of: $0, in: result.columnStarts))
            }
        }
    }

    package static let maximumStates = 4096
    package static let maximumLength = 512

    /// Compiles `source`.
    /// - Throws: a ``BoundedPatternError`` that says what is wrong and where.
    package init(_ source: String) throws(BoundedPatternError) {
        var budget = Int.max
        try self.init(source, budget: &budget)
    }

    /// Compiles `source`.
    /// - Parameter budget: how many steps compiling may take, less those it has taken when this returns.
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

    /// The state after one more character; 0 when no text that begins so can match.
    func next(_ state: UInt16, _ scalar: UInt32) -> UInt16 {
        let starts = automaton.columnStarts
        let column = scalar < 0x80 ? Int(automaton.asciiColumns[Int(scalar)]) : Self.column(of: scalar, in: starts)
        return automaton.table[Int(state) * starts.count + column]
    }

    func accepts(_ state: UInt16) -> Bool { automaton.isAccepting[Int(state)] }

    /// Whether ASCII bytes match as a whole; `nil` where one is not ASCII.
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

    /// Whether some text of at least this length (0 or 1) matches both patterns. The pairs of states that can be reached
    /// together are walked; where there are too many of them the answer is no.
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

/// What is wrong with a pattern, and at which character.
package struct BoundedPatternError: Error, Hashable, Sendable, CustomStringConvertible {
    package let reason: String
    /// The character's position in the pattern, from 1; `nil` where the pattern as a whole is meant.
    package let position: Int?

    package var description: String {
        position.map { "at character \($0): \(reason)" } ?? reason
    }
}
