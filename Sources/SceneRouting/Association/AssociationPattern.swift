/// A pattern of an association file, made of `*`, `?`, `$(variable)` and literal text.
///
/// Matching follows all possibilities at once, as a set of positions in the text. It costs at most the length of the
/// pattern, with its variables written out, times the length of the text.
struct AssociationPattern: Hashable, Sendable {
    indirect enum Token: Hashable, Sendable {
        case literal(UInt32)
        /// `?`: any one character.
        case any
        /// `*`: any number of characters, or none.
        case run
        /// One character of a predefined class.
        case ranges([ClosedRange<UInt32>])
        /// The values of a variable.
        case oneOf([[Token]])
        /// A variable that does not exist or lacks its `)`. Nothing matches it.
        case nothing
    }

    /// The characters that the pattern begins with.
    private let prefix: [UInt32]
    /// What follows them.
    private let rest: [Token]
    private let ignoresCase: Bool
    /// Whether every text matches.
    let matchesEverything: Bool

    /// The pattern that matches everything.
    static let everything = AssociationPattern(tokens: [.run], ignoresCase: false)

    init(tokens: [Token], ignoresCase: Bool) {
        var prefix: [UInt32] = []
        for token in tokens {
            guard case .literal(let scalar) = token else { break }
            prefix.append(scalar)
        }
        self.prefix = prefix
        rest = Array(tokens[prefix.count...])
        self.ignoresCase = ignoresCase
        matchesEverything = !tokens.isEmpty && tokens.allSatisfy { $0 == .run }
    }

    /// The text with which everything begins that matches, in lower case if the case does not matter, and whether nothing may follow it.
    var literalBeginning: (text: String, isWhole: Bool) {
        (String(String.UnicodeScalarView(prefix.compactMap(Unicode.Scalar.init))), rest.isEmpty)
    }

    /// Whether the whole text matches.
    /// - Parameter isPath: whether the text is a path, given without trailing slash, that also matches as if it had one.
    func matches(_ text: String, isPath: Bool = false) -> Bool {
        if matchesEverything { return true }
        let folded = ignoresCase ? text.lowercased() : text
        // The literal prefix leaves only one possible position, so no set is needed. Most rules are decided here.
        var scalars = folded.unicodeScalars.makeIterator()
        var isSlashLeft = isPath
        for literal in prefix {
            if let scalar = scalars.next() {
                guard scalar.value == literal else { return false }
            } else {
                guard isSlashLeft, literal == 0x2F else { return false }
                isSlashLeft = false
            }
        }
        guard let first = rest.first else { return scalars.next() == nil }
        if rest.count == 1, case .run = first { return true }
        var subject = AssociationSubject(folded.unicodeScalars.map(\.value), endsOptionally: isPath)
        return subject.matches(rest, from: prefix.count)
    }

    /// Reads a pattern.
    /// - Parameter variables: the variables that the file declares.
    static func tokens(_ text: some StringProtocol, variables: [String: [[Token]]], ignoresCase: Bool) -> [Token] {
        var tokens: [Token] = []
        var rest = Substring(ignoresCase ? text.lowercased() : String(text)).unicodeScalars
        // Variable names keep their case even if the pattern ignores case, so they are taken from the text as written.
        var original = Substring(String(text)).unicodeScalars
        while let scalar = rest.first {
            if scalar == "$", rest.dropFirst().first == "(" {
                guard let name = variableName(original) else { return tokens + [.nothing] }
                tokens.append(variable(name, variables: variables, ignoresCase: ignoresCase))
                let length = name.unicodeScalars.count + 3
                rest = rest.dropFirst(length)
                original = original.dropFirst(length)
                continue
            }
            switch scalar {
            case "*": if tokens.last != .run { tokens.append(.run) }
            case "?": tokens.append(.any)
            default: tokens.append(.literal(scalar.value))
            }
            rest = rest.dropFirst()
            original = original.dropFirst()
        }
        return tokens
    }

    /// The number of characters of the tokens with every value of every variable written out.
    static func weight(_ tokens: [Token]) -> Int {
        tokens.reduce(0) { sum, token in
            guard case .oneOf(let values) = token else { return sum + 1 }
            return sum + values.reduce(1) { $0 + $1.count + 1 }
        }
    }

    /// The name of the variable that the text begins with; `nil` if its `)` is missing.
    static func variableName(_ text: Substring.UnicodeScalarView) -> String? {
        let inside = text.dropFirst(2)
        guard let end = inside.firstIndex(of: ")") else { return nil }
        return String(Substring(inside[..<end]))
    }

    private static func variable(_ name: String, variables: [String: [[Token]]], ignoresCase: Bool) -> Token {
        if let values = variables[name] { return .oneOf(values) }
        switch name {
        case "alpha": return .ranges([0x41...0x5A, 0x61...0x7A])
        case "upper": return .ranges(ignoresCase ? [0x61...0x7A] : [0x41...0x5A])
        case "lower": return .ranges([0x61...0x7A])
        case "alnum": return .ranges([0x30...0x39, 0x41...0x5A, 0x61...0x7A])
        case "digit": return .ranges([0x30...0x39])
        case "xdigit": return .ranges([0x30...0x39, 0x41...0x46, 0x61...0x66])
        case "region": return .oneOf(ignoresCase ? foldedRegions : regions)
        case "lang": return .oneOf(languages)
        default: return .nothing
        }
    }

    /// The variables that every file has.
    static let predefined = ["alpha", "upper", "lower", "alnum", "digit", "xdigit", "region", "lang"]

    private static let regions = literals(AssociationCodes.regions)
    private static let foldedRegions = literals(AssociationCodes.regions.map { $0.lowercased() })
    private static let languages = literals(AssociationCodes.languages)

    private static func literals(_ values: [String]) -> [[Token]] {
        values.map { $0.unicodeScalars.map { .literal($0.value) } }
    }
}
