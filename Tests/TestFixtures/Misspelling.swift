/// Slips of the finger.
package enum Misspelling {
    /// Every way to misspell a word by one letter: one left out, one doubled, two swapped, one replaced; the first stays.
    package static func all(of word: String) -> [String] {
        let letters = Array(word)
        var slips: Set<String> = []
        for place in letters.indices.dropFirst() {
            slips.insert(String(letters[..<place] + letters[(place + 1)...]))
            slips.insert(String(letters[...place] + letters[place...]))
            slips.insert(String(letters[..<place] + ["#"] + letters[(place + 1)...]))
            if place + 1 < letters.count {
                slips.insert(
                    String(letters[..<place] + [letters[place + 1], letters[place]] + letters[(place + 2)...])
                )
            }
        }
        return slips.filter { $0 != word }.sorted()
    }

    /// Whether one word can be the other, misspelt by one letter.
    package static func areOneApart(_ one: String, _ other: String) -> Bool {
        let (short, long) = one.count < other.count ? (Array(one), Array(other)) : (Array(other), Array(one))
        let same = zip(short, long).prefix { $0 == $1 }.count
        switch long.count - short.count {
        case 0 where same < long.count:
            let (rest, others) = (short[(same + 1)...], long[(same + 1)...])
            return rest == others
                || !rest.isEmpty && short[same] == long[same + 1] && short[same + 1] == long[same]
                    && rest.dropFirst() == others.dropFirst()
        case 1: return short[same...] == long[(same + 1)...]
        default: return false
        }
    }

    /// A key of a JSON text, and the text with another key in its place.
    package struct Key: Sendable {
        package let name: String
        /// From 1.
        package let line: Int
        /// In bytes from 1.
        package let column: Int
        private let lines: [Substring]

        /// Every key of an indented JSON text.
        package static func all(of text: String) -> [Key] {
            let lines = text.split(separator: "\n", omittingEmptySubsequences: false)
            return lines.enumerated().flatMap { index, line in
                line.matches(of: /"([A-Za-z]+)":/).map { match in
                    let column = line.utf8.distance(from: line.startIndex, to: match.range.lowerBound) + 1
                    return Key(name: String(match.1), line: index + 1, column: column, lines: lines)
                }
            }
        }

        /// The text with `other` as the key.
        package func replaced(by other: String) -> String {
            var lines = lines
            let line = lines[self.line - 1]
            let start = line.utf8.index(line.startIndex, offsetBy: column)
            lines[self.line - 1] = line[..<start] + other + line[line.utf8.index(start, offsetBy: name.utf8.count)...]
            return lines.joined(separator: "\n")
        }
    }
}
