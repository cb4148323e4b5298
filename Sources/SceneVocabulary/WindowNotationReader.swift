/// What is wrong with a text that should be a window or a destination.
package struct WindowNotationError: Error, Hashable, Sendable, CustomStringConvertible {
    /// The place of the mistake, in characters from 1.
    package let place: Int
    /// What is there, as a phrase.
    package let found: String
    /// What would be right, as a phrase.
    package let expected: String

    /// One sentence without full stop: `at character 12: found the end; expected ']' after the screens of a presentation`.
    package var description: String { "at character \(place): found \(found); expected \(expected)" }
}

extension WrittenWindow {
    /// Reads the notation (<doc:/SceneRuntime/WindowNotation>). Which screens, flows and tabs there are is not checked.
    /// - Throws: The first mistake.
    package init(parsing text: String) throws(WindowNotationError) { self = try Self.read(text).window }

    /// Reads the notation, and the older form with `+` before each presentation: `home > cart + auth: login`.
    /// - Returns: The window, and whether its text has the older form.
    /// - Throws: The first mistake.
    package static func read(_ text: String) throws(WindowNotationError) -> (window: WrittenWindow, isOlderForm: Bool) {
        var reader = WindowNotationReader(text)
        let window = try reader.shown()
        return (window, reader.hasOlderForm)
    }
}

extension Destination {
    /// Reads a destination as ``description`` writes it: `product(id: p1004)`. Whether there is such a destination is not checked.
    /// - Throws: The first mistake.
    package init(parsing text: String) throws(WindowNotationError) {
        var reader = WindowNotationReader(text)
        self = try reader.wholeDestination()
    }
}

/// Reads the notation from left to right, looking at each character once.
private struct WindowNotationReader {
    private let text: [Unicode.Scalar]
    private var place = 0
    /// Whether a presentation was written with `+`.
    private(set) var hasOlderForm = false

    init(_ text: String) { self.text = Array(text.unicodeScalars) }

    // MARK: - Windows

    mutating func shown() throws(WindowNotationError) -> WrittenWindow {
        let words = text.split(whereSeparator: Self.isSpace)
        if words.count == 1 {
            if words[0].elementsEqual("disconnected".unicodeScalars) { return .disconnected }
            if words[0].elementsEqual("gone".unicodeScalars) { return .gone }
        }
        var tabs: [WindowText.Tab] = []
        var selected: Int?
        var presentations: [WindowText.Presentation] = []
        repeat {
            skipSpaces()
            let start = place
            let isMarked = take("*")
            let tab = try tabName(isNeeded: isMarked || !tabs.isEmpty)
            let (stack, over) = try screens(isInFront: tab == nil || isMarked)
            if isMarked, selected != nil {
                throw error("a second tab in front", at: start, "one '*', before the tab in front")
            }
            if isMarked { selected = tabs.count }
            if let tab, tabs.contains(where: { $0.id == tab }) {
                throw error("the tab '\(tab)' again", at: start, "each tab once")
            }
            tabs.append(WindowText.Tab(id: tab, stack: stack))
            presentations += over
        } while tabs[0].id != nil && take("|")
        try end(
            tabs[0].id == nil
                ? "'›' and a screen or a presentation, or the end" : "'›', '|' and another tab, or the end"
        )
        guard tabs[0].id != nil else { return .window(WindowText(stack: tabs[0].stack, presentations: presentations)) }
        guard let selected else { throw error("no tab in front", at: 0, "'*' before the tab in front") }
        return .window(WindowText(tabs: tabs, selected: selected, presentations: presentations))
    }

    mutating func wholeDestination() throws(WindowNotationError) -> Destination {
        let destination = try destination("a destination such as cart or product(id: p1)")
        try end("the end")
        return destination
    }

    /// The name of a tab before a colon; `nil` if no tab is named here.
    private mutating func tabName(isNeeded: Bool) throws(WindowNotationError) -> String? {
        let start = place
        if let name = try name(), take(":") { return name }
        guard !isNeeded else { throw unexpected("the name of a tab and ':'") }
        place = start
        return nil
    }

    /// A stack, and the presentations over it.
    private mutating func screens(
        isInFront: Bool
    ) throws(WindowNotationError) -> (stack: [Destination], over: [WindowText.Presentation]) {
        var stack: [Destination] = []
        var over: [WindowText.Presentation] = []
        var isOlder = false
        repeat {
            if isOlder {
                over.append(try olderPresentation())
            } else if isInFront, !stack.isEmpty, let presentation = try presentation() {
                over.append(presentation)
            } else {
                let start = place
                let screen = try destination("a screen such as home or product(id: p1)")
                guard over.isEmpty else {
                    throw error("a screen", at: start, "a presentation such as auth[login], or the end")
                }
                stack.append(screen)
            }
            isOlder = isInFront && take("+")
            if isOlder { hasOlderForm = true }
        } while isOlder || takeSeparator()
        return (stack, over)
    }

    /// `[style] [flow] '[' stack ']'`; `nil` if there is none here.
    private mutating func presentation() throws(WindowNotationError) -> WindowText.Presentation? {
        let start = place
        skipSpaces()
        let nameStart = place
        var words: [String] = []
        while words.count < 2, let word = try name() { words.append(word) }
        guard take("[") else {
            place = start
            return nil
        }
        // A style is followed by a space; a flow is not, unless by a style's own stack.
        let isStyleAlone = words.count == 1 && Self.isSpace(text[place - 2])
        var style: ModalStyle?
        if words.count == 2 || isStyleAlone {
            style = ModalStyle(rawValue: words[0])
            guard style != nil else {
                throw error(
                    "the style '\(words[0])'",
                    at: nameStart,
                    "one of \(ModalStyle.allCases.map(\.rawValue).joined(separator: ", ")), or a flow directly before '['"
                )
            }
            words.removeFirst()
        }
        let stack = try stack()
        guard take("]") else { throw unexpected("'›' and a screen, or ']' after the screens of a presentation") }
        return WindowText.Presentation(style: style, flow: words.first, stack: stack)
    }

    /// `[flow ':'] stack`, after `+`.
    private mutating func olderPresentation() throws(WindowNotationError) -> WindowText.Presentation {
        let start = place
        if let flow = try name(), take(":") { return WindowText.Presentation(flow: flow, stack: try stack()) }
        place = start
        return WindowText.Presentation(flow: nil, stack: try stack())
    }

    private mutating func stack() throws(WindowNotationError) -> [Destination] {
        var stack: [Destination] = []
        repeat { stack.append(try destination("a screen such as home or product(id: p1)")) } while takeSeparator()
        return stack
    }

    // MARK: - Destinations

    private mutating func destination(_ expected: String) throws(WindowNotationError) -> Destination {
        guard let id = try name() else { throw unexpected(expected) }
        var parameters: [String: String] = [:]
        guard take("(") else { return Destination(id: id) }
        repeat {
            let start = place
            guard let parameter = try name(), take(":") else { throw unexpected("a parameter's name and ':'") }
            guard let value = try value() else { throw unexpected("the value of '\(parameter)'; an empty one is \"\"") }
            if parameters.updateValue(value, forKey: parameter) != nil {
                throw error("the parameter '\(parameter)' again", at: start + 1, "each parameter once")
            }
        } while take(",")
        guard take(")") else { throw unexpected("',' and another parameter, or ')'; a value with signs is in quotes") }
        return Destination(id: id, parameters: parameters)
    }

    private mutating func name() throws(WindowNotationError) -> String? {
        skipSpaces()
        if let quoted = try quoted() { return quoted }
        return word { !WindowNotation.nameSigns.contains($0) && !Self.isSpace($0) }
    }

    private mutating func value() throws(WindowNotationError) -> String? {
        skipSpaces()
        if let quoted = try quoted() { return quoted }
        guard var word = word({ !WindowNotation.valueSigns.contains($0) }) else { return nil }
        while let last = word.unicodeScalars.last, Self.isSpace(last) { word.unicodeScalars.removeLast() }
        return word.isEmpty ? nil : word
    }

    private mutating func quoted() throws(WindowNotationError) -> String? {
        guard place < text.count, text[place] == "\"" else { return nil }
        let start = place
        var result = String.UnicodeScalarView()
        place += 1
        while place < text.count {
            let scalar = text[place]
            place += 1
            switch scalar {
            case "\"": return String(result)
            case "\\": result.append(try escaped())
            default: result.append(scalar)
            }
        }
        throw error("a quotation mark without its end", at: start, "a second '\"'")
    }

    /// What follows a backslash: a quotation mark, a backslash, or `u{1F}`.
    private mutating func escaped() throws(WindowNotationError) -> Unicode.Scalar {
        let start = place - 1
        if place < text.count {
            let scalar = text[place]
            place += 1
            if scalar == "\"" || scalar == "\\" { return scalar }
            if scalar == "u", place < text.count, text[place] == "{" {
                place += 1
                let digits = word { $0.properties.isASCIIHexDigit } ?? ""
                if digits.utf8.count <= 6, let number = UInt32(digits, radix: 16), let scalar = Unicode.Scalar(number),
                    place < text.count, text[place] == "}"
                {
                    place += 1
                    return scalar
                }
            }
        }
        throw error("a backslash", at: start, #"\", \\ or the number of a character such as \u{2028}"#)
    }

    // MARK: - Characters

    private mutating func word(_ belongs: (Unicode.Scalar) -> Bool) -> String? {
        let start = place
        while place < text.count, belongs(text[place]) { place += 1 }
        guard place > start else { return nil }
        var word = String.UnicodeScalarView()
        word.append(contentsOf: text[start..<place])
        return String(word)
    }

    private mutating func take(_ sign: Unicode.Scalar) -> Bool {
        skipSpaces()
        guard place < text.count, text[place] == sign else { return false }
        place += 1
        return true
    }

    /// `›`, or `>` as keyboards have it.
    private mutating func takeSeparator() -> Bool { take("›") || take(">") }

    private mutating func skipSpaces() {
        while place < text.count, Self.isSpace(text[place]) { place += 1 }
    }

    private mutating func end(_ expected: String) throws(WindowNotationError) {
        skipSpaces()
        guard place == text.count else { throw unexpected(expected) }
    }

    private mutating func unexpected(_ expected: String) -> WindowNotationError {
        skipSpaces()
        return error(place < text.count ? "'\(text[place])'" : "the end", at: place, expected)
    }

    private func error(_ found: String, at place: Int, _ expected: String) -> WindowNotationError {
        WindowNotationError(place: place + 1, found: found, expected: expected)
    }

    private static func isSpace(_ scalar: Unicode.Scalar) -> Bool {
        scalar == " " || scalar == "\t" || scalar == "\n" || scalar == "\r"
    }
}
