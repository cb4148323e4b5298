/// Where a run of a scenario has ended.
package struct EndOfRun: Sendable {
    /// By window, in the order of their connections: what is in front.
    let windows: [(scene: String, shown: String)]
    /// What there is to say, one line each: every window, who is signed in, and what else the scenario expects something of.
    package let lines: [String]
    /// For each end that the scenario expects, what it says beside what came.
    package let comparisons: [[ComparedEnd]]

    /// Which of several ends that are expected it is, one line each.
    var marks: [String] {
        guard comparisons.count > 1 else { return [] }
        return comparisons.indices.filter { comparisons[$0].allSatisfy(\.isRight) }.map {
            Self.mark($0 + 1, of: comparisons.count)
        }
    }

    /// The line that says which of the ends that are expected it is, by its number from 1.
    static func mark(_ number: Int, of count: Int) -> String { "as expected, \(number) of \(count)" }

    /// Lines as one text, of which at most ``maxText`` bytes are kept.
    static func text(_ lines: [String]) -> String {
        let text = lines.joined(separator: "\n")
        return text.utf8.count <= maxText ? text : String(decoding: text.utf8.prefix(maxText), as: UTF8.self) + "…"
    }

    /// The most bytes of ``text(_:)``.
    static let maxText = 4_096
}

/// What an expectation says of one thing at the end, beside what came.
package struct ComparedEnd: Sendable, CustomStringConvertible {
    /// What, such as `window A`.
    package let what: String
    /// What it is.
    package let actual: String
    /// What it may be.
    package let expected: [String]
    /// Whether it is one of those.
    package let isRight: Bool

    /// Such as `window A is 'home', expected 'cart'`.
    package var description: String { "\(what) is \(actual), expected \(expected.joined(separator: " or "))" }
}
