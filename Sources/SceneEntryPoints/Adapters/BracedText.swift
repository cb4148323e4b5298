/// Text with names in braces: what patterns and templates have in common.
enum BracedText {
    enum Piece: Hashable {
        case literal(String)
        case braced(String)
    }

    /// The pieces in order; adjacent literals do not occur, nor do empty ones.
    static func pieces(_ text: some StringProtocol) throws(CapturePattern.Invalid) -> [Piece] {
        var pieces: [Piece] = []
        var current = ""
        var isBraced = false
        for character in text.unicodeScalars {
            switch character {
            case "{":
                guard !isBraced else { throw CapturePattern.Invalid(reason: "a brace stands within braces") }
                if !current.isEmpty { pieces.append(.literal(current)) }
                current = ""
                isBraced = true
            case "}":
                guard isBraced else { throw CapturePattern.Invalid(reason: "a closing brace has no opening one") }
                pieces.append(.braced(current))
                current = ""
                isBraced = false
            default: current.unicodeScalars.append(character)
            }
        }
        guard !isBraced else { throw CapturePattern.Invalid(reason: "a brace is not closed") }
        if !current.isEmpty { pieces.append(.literal(current)) }
        return pieces
    }
}
