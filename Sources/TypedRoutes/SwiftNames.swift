/// Makes identifiers of Swift from the names of a manifest, each once in its scope, in the same order always the same.
package struct SwiftNames {
    /// What has each identifier, without backticks; `nil` for what is in the scope anyway.
    private var owners: [String: String?]
    /// The names whose identifier another had, in the order in which they came.
    private(set) var numbered: [Numbered] = []

    /// A name whose identifier was taken.
    struct Numbered {
        let name: String
        /// As it is written, without backticks.
        let identifier: String
        /// The identifier that the name would have, likewise, and the name that has it; `nil` for what Swift or the types themselves use.
        let (wanted, owner): (String, String?)
    }

    /// - Parameter taken: Identifiers that the scope has already.
    init(taken: Set<String> = []) { owners = Dictionary(uniqueKeysWithValues: taken.map { ($0, nil) }) }

    /// An identifier for a value: `buy-now` becomes `buyNow`, `default` stands in backticks.
    mutating func value(_ name: String) -> String { unused(Self.lowerCamel(name), for: name, written: Self.quoted) }

    /// An identifier for a case of an enumeration. `Optional` has `none` and `some`, and a value of it may be of any enumeration.
    mutating func enumCase(_ name: String) -> String {
        unused(Self.lowerCamel(name), for: name) { identifier in
            ["none", "some"].contains(identifier) ? "\(identifier)_" : Self.quoted(identifier)
        }
    }

    /// An identifier for a type: `buy-now` becomes `BuyNow`.
    mutating func type(_ name: String) -> String { type(Self.upperCamel(name), for: name) }

    /// This identifier for the type of what has the name.
    mutating func type(_ identifier: String, for name: String) -> String {
        unused(identifier, for: name, written: Self.visible)
    }

    /// A label of a parameter: where one is declared only these words stand in backticks, and where a value is given only `inout`.
    mutating func label(_ name: String) -> (declared: String, given: String) {
        let label = unused(Self.lowerCamel(name), for: name, written: Self.visible)
        return switch label {
        case "inout": ("`inout`", "`inout`")
        case "var", "let": ("`\(label)`", label)
        default: (label, label)
        }
    }

    /// The identifier, with a number if it is taken.
    /// - Parameter written: How an identifier is written here.
    private mutating func unused(
        _ identifier: String,
        for name: String,
        written: (String) -> String
    ) -> String {
        var (unused, number) = (identifier, 2)
        while owners.keys.contains(unused) {
            unused = "\(identifier)_\(number)"
            number += 1
        }
        if unused != identifier {
            func shown(_ identifier: String) -> String { written(identifier).filter { $0 != "`" } }
            numbered.append(
                Numbered(
                    name: name,
                    identifier: shown(unused),
                    wanted: shown(identifier),
                    owner: owners[identifier] ?? nil
                )
            )
        }
        owners[unused] = name
        return written(unused)
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
        name.unicodeScalars.split { !isOfIdentifier($0) }.map(Substring.init)
    }

    /// Whether a name keeps a scalar: letters, with their marks, and digits, if they can be seen. Swift takes all of these but one for
    /// parts of an identifier.
    private static func isOfIdentifier(_ scalar: Unicode.Scalar) -> Bool {
        let verticalTilde: Unicode.Scalar = "\u{2E2F}"
        return (isLetter(scalar) || isMarkOrDigit(scalar)) && scalar != verticalTilde
            && !scalar.properties.isDefaultIgnorableCodePoint
    }

    private static func isLetter(_ scalar: Unicode.Scalar) -> Bool {
        switch scalar.properties.generalCategory {
        case .uppercaseLetter, .lowercaseLetter, .titlecaseLetter, .modifierLetter, .otherLetter: true
        default: false
        }
    }

    private static func isMarkOrDigit(_ scalar: Unicode.Scalar) -> Bool {
        switch scalar.properties.generalCategory {
        case .nonspacingMark, .spacingMark, .enclosingMark, .decimalNumber: true
        default: false
        }
    }

    private static func beginningWithLetter(_ identifier: String) -> String {
        identifier.unicodeScalars.first.map { isLetter($0) ? identifier : "_\(identifier)" } ?? "_"
    }

    /// Whether a text is a word that Swift keeps for itself.
    package static func isReserved(_ text: String) -> Bool {
        keywords.contains(text) || notEvenInBackticks.contains(text)
    }

    /// Swift has a use of its own for a lone `_`.
    private static func visible(_ identifier: String) -> String { identifier == "_" ? "__" : identifier }

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
