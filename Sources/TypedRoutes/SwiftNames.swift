/// Makes identifiers of Swift from the names of a manifest, each once in its scope, in the same order always the same.
package struct SwiftNames {
    /// Identifiers without backticks.
    private var taken: Set<String>

    /// - Parameter taken: Identifiers that the scope has already.
    init(taken: Set<String> = []) { self.taken = taken }

    /// An identifier for a case or a value: `buy-now` becomes `buyNow`, `default` stands in backticks.
    mutating func value(_ name: String) -> String { Self.quoted(unused(Self.lowerCamel(name))) }

    /// An identifier for a type: `buy-now` becomes `BuyNow`.
    mutating func type(_ name: String) -> String { unused(Self.upperCamel(name)) }

    /// The identifier, with a number if it is taken.
    mutating func unused(_ identifier: String) -> String {
        var (unused, number) = (identifier, 2)
        while !taken.insert(unused).inserted {
            unused = "\(identifier)_\(number)"
            number += 1
        }
        return unused
    }

    /// A label of a parameter: only these words stand in backticks as one.
    mutating func label(_ name: String) -> String {
        let label = unused(Self.lowerCamel(name))
        return ["inout", "var", "let"].contains(label) ? "`\(label)`" : label == "_" ? "__" : label
    }

    /// `signed-in` as `SignedIn`.
    package static func upperCamel(_ name: String) -> String { beginningWithLetter(capitalized(words(of: name))) }

    /// `signed-in` as `signedIn`, `URL` as `url`.
    static func lowerCamel(_ name: String) -> String {
        let words = words(of: name)
        guard let first = words.first else { return "_" }
        let isAcronym = first.allSatisfy { $0.isUppercase || $0.isNumber }
        let beginning = isAcronym ? first.lowercased() : first.prefix(1).lowercased() + first.dropFirst()
        return beginningWithLetter(beginning + capitalized(words.dropFirst()))
    }

    private static func capitalized(_ words: some Sequence<Substring>) -> String {
        words.map { $0.prefix(1).uppercased() + $0.dropFirst() }.joined()
    }

    private static func words(of name: String) -> [Substring] {
        name.split { !$0.isASCII || !($0.isLetter || $0.isNumber) }
    }

    private static func beginningWithLetter(_ identifier: String) -> String {
        identifier.first.map { $0.isNumber ? "_\(identifier)" : identifier } ?? "_"
    }

    /// Whether a text is a word that Swift keeps for itself.
    package static func isReserved(_ text: String) -> Bool {
        keywords.contains(text) || notEvenInBackticks.contains(text)
    }

    private static func quoted(_ identifier: String) -> String {
        if notEvenInBackticks.contains(identifier) { return "\(identifier)_" }
        return keywords.contains(identifier) ? "`\(identifier)`" : identifier
    }

    /// What stands for something else after a dot, in backticks, too.
    private static let notEvenInBackticks: Set = ["_", "init", "self", "Self", "Type", "Protocol"]

    /// The words that Swift keeps for itself wherever a declaration may stand.
    private static let keywords: Set = [
        "as", "associatedtype", "break", "case", "catch", "class", "continue", "default", "defer", "deinit", "do",
        "else", "enum", "extension", "fallthrough", "false", "fileprivate", "for", "func", "guard", "if", "import",
        "in", "inout", "internal", "is", "let", "nil", "operator", "precedencegroup", "private", "protocol",
        "public", "repeat", "rethrows", "return", "static", "struct", "subscript", "super", "switch", "throw",
        "throws", "true", "try", "typealias", "var", "where", "while", "Any",
    ]
}
