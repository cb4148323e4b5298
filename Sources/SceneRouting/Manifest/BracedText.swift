/// Text with names in braces, as patterns and templates have it.
package enum BracedText {
    package enum Piece: Hashable {
        case literal(String)
        case braced(String)
    }

    /// The pieces in order, without empty or adjacent literals.
    package static func pieces(_ text: some StringProtocol) throws(CapturePattern.Invalid) -> [Piece] {
        var pieces: [Piece] = []
        var current = ""
        var isBraced = false
        for character in text.unicodeScalars {
            switch character {
            case "{":
                guard !isBraced else { throw CapturePattern.Invalid(reason: "'{' within braces") }
                if !current.isEmpty { pieces.append(.literal(current)) }
                current = ""
                isBraced = true
            case "}":
                guard isBraced else { throw CapturePattern.Invalid(reason: "'}' without '{'") }
                pieces.append(.braced(current))
                current = ""
                isBraced = false
            default: current.unicodeScalars.append(character)
            }
        }
        guard !isBraced else { throw CapturePattern.Invalid(reason: "'{' without '}'") }
        if !current.isEmpty { pieces.append(.literal(current)) }
        return pieces
    }
}
