package import SceneRouting

extension ContentPredicate {
    /// Whether the identifier fits, compared by its bytes. `contains` and `like` take at most time proportional to the product
    /// of both lengths.
    package func matches(_ identifier: String) -> Bool {
        switch self {
        case .constant(let value): value
        case .equals(let text): identifier.utf8.elementsEqual(text.utf8)
        case .beginsWith(let text): identifier.utf8.starts(with: text.utf8)
        case .endsWith(let text): identifier.utf8.reversed().starts(with: text.utf8.reversed())
        case .contains(let text): Self.contains(Array(identifier.utf8), Array(text.utf8))
        case .like(let pattern): Self.like(Array(pattern.unicodeScalars), Array(identifier.unicodeScalars))
        case .all(let predicates): predicates.allSatisfy { $0.matches(identifier) }
        case .any(let predicates): predicates.contains { $0.matches(identifier) }
        case .not(let predicate): !predicate.matches(identifier)
        }
    }

    private static func contains(_ text: [UInt8], _ part: [UInt8]) -> Bool {
        guard part.count <= text.count else { return false }
        return (0...(text.count - part.count)).contains { text[$0...].starts(with: part) }
    }

    /// Wildcard matching for `*` and `?`. It backtracks only to the last `*`, which is enough for these two.
    private static func like(_ pattern: [Unicode.Scalar], _ text: [Unicode.Scalar]) -> Bool {
        var (place, position) = (0, 0)
        var star: (place: Int, position: Int)?
        while position < text.count {
            if place < pattern.count, pattern[place] == "*" {
                star = (place, position)
                place += 1
            } else if place < pattern.count, pattern[place] == "?" || pattern[place] == text[position] {
                place += 1
                position += 1
            } else if let last = star {
                star = (last.place, last.position + 1)
                place = last.place + 1
                position = last.position + 1
            } else {
                return false
            }
        }
        return pattern[place...].allSatisfy { $0 == "*" }
    }
}
