internal import Basics

/// Finds the name that was probably meant by a misspelt one.
package enum Spelling {
    /// How many problems of one file are told with a suggestion. For each of them all names are looked at, and a hostile file
    /// could have many of both.
    package static let mostSuggestions = 20
    /// How many names are looked at.
    private static let mostNames = 2_000

    /// The nearest of the first 2,000 `names` if it is near enough for a slip of the finger; the first of several equally near
    /// ones.
    package static func nearest(to name: String, among names: [String]) -> String? {
        let wanted = scalars(of: name)
        var best: (name: String, distance: Int)?
        for candidate in names.prefix(mostNames) where candidate != name {
            guard let distance = slips(from: wanted, to: scalars(of: candidate)) else { continue }
            if distance < best?.distance ?? .max { best = (candidate, distance) }
        }
        return best?.name
    }

    /// How many slips of the finger turn `name` into `other`, 0 if only the case differs; `nil` if they are too many.
    static func slips(from name: String, to other: String) -> Int? {
        slips(from: scalars(of: name), to: scalars(of: other))
    }

    private static func scalars(of name: String) -> [Unicode.Scalar] {
        Array(name.prefix(utf8: 256).lowercased().unicodeScalars.prefix(64))
    }

    private static func slips(from wanted: [Unicode.Scalar], to other: [Unicode.Scalar]) -> Int? {
        let limit = max(1, wanted.count / 3)
        guard abs(other.count - wanted.count) <= limit else { return nil }
        let distance = distance(wanted, other)
        return distance <= limit ? distance : nil
    }

    /// The end of a message about an unknown name: `; did you mean 'product'?`, or nothing if no name is near.
    package static func hint(for name: String, among names: [String]) -> String {
        nearest(to: name, among: names).map { "; did you mean '\($0)'?" } ?? ""
    }

    /// The least number of insertions, deletions, replacements and swaps of neighbours that turns one into the other.
    private static func distance(_ one: [Unicode.Scalar], _ other: [Unicode.Scalar]) -> Int {
        var beforePrevious: [Int] = []
        var previous = Array(0...other.count)
        for (row, scalar) in one.enumerated() {
            var current = [row + 1]
            for (column, otherScalar) in other.enumerated() {
                var least = min(previous[column + 1] + 1, current[column] + 1)
                least = min(least, previous[column] + (scalar == otherScalar ? 0 : 1))
                if row > 0, column > 0, scalar == other[column - 1], one[row - 1] == otherScalar {
                    least = min(least, beforePrevious[column - 1] + 1)
                }
                current.append(least)
            }
            beforePrevious = previous
            previous = current
        }
        return previous[other.count]
    }
}
