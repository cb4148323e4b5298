internal import SceneRouting
internal import StrictJSON

/// How a text stands in a file of another language. What is in the text never ends its literal, and is the same byte by byte when that
/// is read.
enum SourceText {
    enum Language {
        case python
        case swift
        case yaml
    }

    /// The text as a literal between quotes, in one line.
    static func literal(_ text: String, _ language: Language) -> String {
        var literal = "\""
        var last: Unicode.Scalar = "\""
        for scalar in text.unicodeScalars {
            defer { last = scalar }
            switch scalar {
            case "\"", "\\": literal += "\\\(scalar)"
            case "\n": literal += "\\n"
            case "\r": literal += "\\r"
            case "\t": literal += "\\t"
            case _ where isShown(scalar) && !(language == .yaml && looksLikeAnchor(scalar, after: last)):
                literal.unicodeScalars.append(scalar)
            default:
                let digits = String(scalar.value, radix: 16, uppercase: true)
                let isShort = scalar.value <= 0xFFFF
                switch language {
                case .swift: literal += "\\u{\(digits)}"
                case .python, .yaml:
                    let zeros = String(repeating: "0", count: (isShort ? 4 : 8) - digits.count)
                    literal += (isShort ? "\\u" : "\\U") + zeros + digits
                }
            }
        }
        return literal + "\""
    }

    /// Whether readers of manifests and scenarios, who refuse anchors before they read anything, take a sign for the beginning of one.
    private static func looksLikeAnchor(_ scalar: Unicode.Scalar, after last: Unicode.Scalar) -> Bool {
        (scalar == "&" || scalar == "*") && " [{,:-?".unicodeScalars.contains(last)
    }

    /// The blanks before a line in this many blocks.
    static func indent(_ depth: Int) -> String { String(repeating: "    ", count: depth) }

    /// Moves lines into the blocks in which they are.
    static func indent(_ lines: inout [String], from first: Int, by depth: Int) {
        for place in lines.indices.dropFirst(first) where !lines[place].isEmpty {
            lines[place] = indent(depth) + lines[place]
        }
    }

    /// The text as one line of a comment, without its sign.
    static func line(_ text: String) -> String {
        var line = String.UnicodeScalarView()
        line.append(contentsOf: text.unicodeScalars.map { isShown($0) ? $0 : " " })
        return String(line)
    }

    /// Whether a sign is seen by itself: it is no control character, belongs to no other sign, and turns no line around.
    private static func isShown(_ scalar: Unicode.Scalar) -> Bool {
        if scalar.isASCII { return scalar.value >= 0x20 && scalar.value < 0x7F }
        guard !scalar.properties.isDefaultIgnorableCodePoint else { return false }
        switch scalar.properties.generalCategory {
        case .uppercaseLetter, .lowercaseLetter, .titlecaseLetter, .otherLetter, .modifierLetter, .decimalNumber,
            .letterNumber, .otherNumber, .connectorPunctuation, .dashPunctuation, .openPunctuation, .closePunctuation,
            .initialPunctuation, .finalPunctuation, .otherPunctuation, .mathSymbol, .currencySymbol, .otherSymbol:
            return true
        default: return false
        }
    }
}

/// Names in a file of another language: each valid there, and none twice.
struct SourceNames {
    enum Style {
        /// `a_name`
        case snake
        /// `aName`
        case camel
    }

    let style: Style
    private var taken: Set<String>

    /// - Parameter reserved: What means something else: the language's own words, and what the file uses.
    init(_ style: Style, reserved: Set<String>) {
        self.style = style
        taken = reserved
    }

    /// A name for this text.
    mutating func name(_ text: String, otherwise word: String = "it") -> String {
        let words = Self.words(of: text)
        var name =
            switch style {
            case .snake: words.joined(separator: "_")
            case .camel:
                (words.first ?? "") + words.dropFirst().map { $0.prefix(1).uppercased() + $0.dropFirst() }.joined()
            }
        if name.isEmpty { name = word }
        if name.first?.isNumber == true {
            name = style == .snake ? "\(word)_\(name)" : "\(word)\(name)"
        }
        var number = 1
        var unique = name
        while !taken.insert(unique).inserted {
            number += 1
            let isApart = style == .snake || name.last?.isNumber == true
            unique = isApart ? "\(name)_\(number)" : "\(name)\(number)"
        }
        return unique
    }

    /// The words of a text in lower case: what is between other signs than ASCII letters and digits, and what begins with a capital.
    static func words(of text: String) -> [String] {
        var words: [String] = []
        var word = ""
        var wasLower = false
        for byte in text.utf8.prefix(48) {
            let character = Character(Unicode.Scalar(byte))
            let isLetter = byte < 0x80 && (character.isLetter || character.isNumber)
            if !isLetter || wasLower && character.isUppercase {
                if !word.isEmpty { words.append(word.lowercased()) }
                word = ""
            }
            if isLetter { word.append(character) }
            wasLower = isLetter && character.isLowercase
        }
        return word.isEmpty ? words : words + [word.lowercased()]
    }

    /// The words of a file's name, without its folder and ending.
    static func words(ofFile name: String) -> [String] {
        let file = file(name)
        return words(of: file.split(separator: ".").first.map(String.init) ?? file)
    }

    /// A file's name without its folder.
    static func file(_ name: String) -> String { name.split(separator: "/").last.map(String.init) ?? name }
}

/// A text of a script, in which values stand for what is secret.
enum SourcePart: Equatable {
    case text(String)
    /// What a placeholder stands for.
    case secret(String)

    /// The parts of a text.
    static func parts(of text: String) -> [SourcePart] {
        var parts: [SourcePart] = []
        var end = text.utf8.startIndex
        func add(upTo place: String.Index) {
            let bytes = text.utf8[end..<place]
            if !bytes.isEmpty { parts.append(.text(String(decoding: bytes, as: UTF8.self))) }
        }
        for placeholder in SecretPlaceholder.all(in: text) {
            add(upTo: placeholder.startIndex)
            parts.append(.secret(String(placeholder)))
            end = placeholder.endIndex
        }
        add(upTo: text.utf8.endIndex)
        return parts
    }
}

extension JSONValue {
    /// Whether something in it is the placeholder of a secret, or has one.
    var hasPlaceholder: Bool { !SecretPlaceholder.all(in: text()).isEmpty }
}
