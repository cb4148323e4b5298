/// A regular expression whose match costs one table look-up per character, whatever the input.
///
/// It always matches the whole text. There are literals, `.`, classes (`[a-z0-9-]`, `[^/]`, `\d`, `\w`, `\s`), groups,
/// alternatives and the quantifiers `*`, `+`, `?`, `{m}`, `{m,}` and `{m,n}`; there are no anchors, no references and
/// no look-around. The expression is compiled to a deterministic automaton when the manifest is read; one that needs
/// more than ``maximumStates`` states is refused there, so nothing can blow up when a link is tapped.
package struct BoundedPattern: Hashable, Sendable {
    /// The expression as written.
    package let source: String
    /// Which column of the table an ASCII character uses.
    private let asciiColumns: [UInt8]
    /// Where the columns begin, as scalar values in rising order, the first 0.
    private let columnStarts: [UInt32]
    /// The next state per state and column; state 0 has failed for good, state 1 is the start.
    private let table: [UInt16]
    private let isAccepting: [Bool]

    package static let maximumStates = 4096
    package static let maximumLength = 512

    /// Compiles `source`.
    /// - Throws: a ``BoundedPatternError`` that says what is wrong and where.
    package init(_ source: String) throws(BoundedPatternError) {
        var parser = try BoundedPatternParser(source)
        let expression = try parser.parse()
        var automaton = PatternAutomaton()
        try automaton.compile(expression)
        let result = try automaton.determinize()
        self.source = source
        columnStarts = result.columnStarts
        table = result.table
        isAccepting = result.isAccepting
        var columns: [UInt8] = []
        for scalar in UInt32(0)..<0x80 {
            columns.append(UInt8(truncatingIfNeeded: Self.column(of: scalar, in: result.columnStarts)))
        }
        asciiColumns = columns
    }

    /// Whether the whole text matches.
    package func matches(_ text: some StringProtocol) -> Bool {
        var state = Self.start
        for scalar in text.unicodeScalars {
            state = next(state, scalar.value)
            if state == 0 { return false }
        }
        return isAccepting[Int(state)]
    }

    static let start: UInt16 = 1

    /// The state after one more character; 0 when no text that begins so can match.
    func next(_ state: UInt16, _ scalar: UInt32) -> UInt16 {
        let column = scalar < 0x80 ? Int(asciiColumns[Int(scalar)]) : Self.column(of: scalar, in: columnStarts)
        return table[Int(state) * columnStarts.count + column]
    }

    func accepts(_ state: UInt16) -> Bool { isAccepting[Int(state)] }

    private static func column(of scalar: UInt32, in starts: [UInt32]) -> Int {
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
