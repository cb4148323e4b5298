package import SceneRouting

extension ContentPredicate {
    /// Whether the identifier fits. `like` takes at most time proportional to the product of both lengths.
    package func matches(_ identifier: String) -> Bool {
        switch self {
        case .constant(let value): value
        case .equals(let text): identifier == text
        case .beginsWith(let text): identifier.hasPrefix(text)
        case .endsWith(let text): identifier.hasSuffix(text)
        case .contains(let text): text.isEmpty || identifier.contains(text)
        case .like(let pattern): Self.like(Array(pattern), Array(identifier))
        case .all(let predicates): predicates.allSatisfy { $0.matches(identifier) }
        case .any(let predicates): predicates.contains { $0.matches(identifier) }
        case .not(let predicate): !predicate.matches(identifier)
        }
    }

    /// Wildcard matching for `*` and `?`. It backtracks only to the last `*`, which is enough for these two.
    private static func like(_ pattern: [Character], _ text: [Character]) -> Bool {
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
