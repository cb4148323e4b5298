/// A pattern for a whole text with named captures: `product/{id}`. A capture takes one or more characters other than `/`.
///
/// Matching takes time in proportion to the text. A capture ends where the literal after it first occurs, and the last
/// capture between two slashes so that the rest fits.
package struct CapturePattern: Hashable, Sendable {
    private let parts: [[Piece]]

    private enum Piece: Hashable {
        case literal([UInt8])
        case capture(String)
    }

    /// Why a pattern cannot be used.
    package struct Invalid: Error {
        package let reason: String

        package init(reason: String) {
            self.reason = reason
        }
    }

    package init(_ text: String) throws(Invalid) {
        var parts: [[Piece]] = []
        var names: Set<String> = []
        for part in text.split(separator: "/", omittingEmptySubsequences: false) {
            var pieces: [Piece] = []
            for piece in try BracedText.pieces(part) {
                switch piece {
                case .literal(let literal): pieces.append(.literal(Array(literal.utf8)))
                case .braced(let name):
                    guard !name.isEmpty else { throw Invalid(reason: "a capture has no name") }
                    guard names.insert(name).inserted else { throw Invalid(reason: "{\(name)} appears twice") }
                    if case .capture(let previous) = pieces.last {
                        throw Invalid(reason: "nothing separates {\(previous)} from {\(name)}")
                    }
                    pieces.append(.capture(name))
                }
            }
            parts.append(pieces)
        }
        self.parts = parts
    }

    /// The names it captures.
    package var names: Set<String> {
        Set(
            parts.joined().compactMap { piece in
                if case .capture(let name) = piece { name } else { nil }
            }
        )
    }

    /// The captures by name; `nil` if the text does not match.
    package func match(_ text: String) -> [String: String]? {
        let segments = text.utf8.split(separator: UInt8(ascii: "/"), omittingEmptySubsequences: false)
        guard segments.count == parts.count else { return nil }
        var captures: [String: String] = [:]
        for (pieces, segment) in zip(parts, segments) {
            guard Self.match(pieces, Array(segment), &captures) else { return nil }
        }
        return captures
    }

    /// Whether no text matches both, as far as their numbers of slashes and what stands before and after the captures between these say.
    func excludes(_ other: CapturePattern) -> Bool {
        guard parts.count == other.parts.count else { return true }
        return zip(parts, other.parts).contains { one, other in
            /// Whether of two beginnings none begins with the other.
            func differ(_ one: some Sequence<UInt8>, _ other: some Sequence<UInt8>) -> Bool {
                zip(one, other).contains { $0 != $1 }
            }
            return differ(Self.literal(one.first), Self.literal(other.first))
                || differ(Self.literal(one.last).reversed(), Self.literal(other.last).reversed())
                || one.count <= 1 && other.count <= 1 && Self.isLiteral(one) && Self.isLiteral(other) && one != other
        }
    }

    private static func literal(_ piece: Piece?) -> [UInt8] { if case .literal(let text)? = piece { text } else { [] } }

    private static func isLiteral(_ pieces: [Piece]) -> Bool {
        pieces.allSatisfy { if case .literal = $0 { true } else { false } }
    }

    private static func match(_ pieces: [Piece], _ text: [UInt8], _ captures: inout [String: String]) -> Bool {
        var position = 0
        for (index, piece) in pieces.enumerated() {
            switch piece {
            case .literal(let literal):
                guard text[position...].starts(with: literal) else { return false }
                position += literal.count
            case .capture(let name):
                guard let end = end(of: pieces.dropFirst(index + 1), in: text, from: position) else { return false }
                captures[name] = String(decoding: text[position..<end], as: UTF8.self)
                position = end
            }
        }
        return position == text.count
    }

    /// Where a capture that begins at `start` ends, given the pieces after it; `nil` if it cannot end.
    private static func end(of following: ArraySlice<Piece>, in text: [UInt8], from start: Int) -> Int? {
        guard case .literal(let literal) = following.first else { return start < text.count ? text.count : nil }
        if following.count == 1 {
            let end = text.count - literal.count
            return end > start ? end : nil
        }
        var end = start + 1
        while end + literal.count <= text.count {
            if text[end...].starts(with: literal) { return end }
            end += 1
        }
        return nil
    }
}
