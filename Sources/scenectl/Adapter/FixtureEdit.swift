internal import Basics
internal import SceneManifest
internal import SceneRouting
internal import StrictJSON

/// Changes values in the text of a fixture, YAML or JSON. Everything else in it, comments and layout, stays as it is.
struct FixtureEdit {
    private let text: [UInt8]
    private let root: ManifestNode
    /// Whether the file is JSON, whose columns count bytes; those of YAML count characters.
    private let isJSON: Bool
    /// Where each line begins, in bytes.
    private let lines: [Int]
    private var changes: [(range: Range<Int>, text: String)] = []

    /// - Throws: What is wrong with a text that is neither YAML nor JSON.
    init(_ text: String) throws(ManifestProblem) {
        root = try ManifestText.parse(text)
        self.text = Array(text.utf8)
        isJSON = text.first { !$0.isWhitespace } == "{" && (try? JSONValue(parsing: text)) != nil
        var lines = [0]
        for (place, byte) in self.text.enumerated() where byte == UInt8(ascii: "\n") { lines.append(place + 1) }
        self.lines = lines
    }

    /// Puts a value in place of the one at a path, if there is one.
    mutating func set(_ path: [JSONDifference.Step], to value: JSONValue) {
        var node = root
        var isInFlow = startsFlow(root)
        for step in path {
            switch (step, node.value) {
            case (.member(let name), .map(let members)):
                guard let member = members.first(where: { $0.key == name }) else { return }
                node = member.value
            case (.element(let index), .list(let list)) where list.indices.contains(index): node = list[index]
            default: return
            }
            isInFlow = isInFlow || startsFlow(node)
        }
        let start = offset(of: node.place)
        var isPlain = false
        if case .scalar(_, isQuoted: false) = node.value { isPlain = !isJSON }
        changes.append((start..<end(of: node, from: start, isInFlow: isInFlow), written(value, isPlain: isPlain)))
    }

    /// Adds a member at the end, with members of its own.
    mutating func add(_ name: String, _ members: [(String, JSONValue)]) {
        let isFlow = startsFlow(root)
        if isFlow, let brace = text.lastIndex(of: UInt8(ascii: "}")) {
            let last = text[..<brace].lastIndex { !Self.isSpace($0) } ?? brace
            changes.append((last + 1..<last + 1, ", \"\(name)\": \(JSONValue.object(JSONObject(members)).text())"))
        } else {
            let before = text.last.map { $0 == UInt8(ascii: "\n") ? "" : "\n" } ?? ""
            let lines = members.map { "  \($0): \(written($1, isPlain: true))\n" }
            changes.append((text.count..<text.count, "\(before)\(name):\n\(lines.joined())"))
        }
    }

    /// The text with all changes.
    var result: String {
        var result: [UInt8] = []
        var place = 0
        for (range, new) in changes.sorted(by: { $0.range.lowerBound < $1.range.lowerBound }) {
            guard range.lowerBound >= place else { continue }
            result += text[place..<range.lowerBound] + Array(new.utf8)
            place = range.upperBound
        }
        return String(decoding: result + text[place...], as: UTF8.self)
    }

    // MARK: - Writing

    /// A value as it is written in the file: a word without quotes if the old one had none and needs none.
    private func written(_ value: JSONValue, isPlain: Bool) -> String {
        guard isPlain, let text = value.stringValue, !text.isEmpty, text.utf8.allSatisfy(Self.isPlain),
            case .string = ManifestNode.word(text, at: root.place).json
        else { return value.text() }
        return text
    }

    private static func isPlain(_ byte: UInt8) -> Bool {
        switch byte {
        case UInt8(ascii: "a")...UInt8(ascii: "z"), UInt8(ascii: "A")...UInt8(ascii: "Z"),
            UInt8(ascii: "0")...UInt8(ascii: "9"), UInt8(ascii: "-"), UInt8(ascii: "_"), UInt8(ascii: "."):
            true
        default: false
        }
    }

    // MARK: - Places

    private func offset(of place: ManifestNode.Place) -> Int {
        var offset = lines.indices.contains(place.line - 1) ? lines[place.line - 1] : text.count
        var rest = place.column - 1
        while rest > 0, offset < text.count {
            offset += 1
            // Bytes that continue a character are no columns of their own.
            while !isJSON, offset < text.count, text[offset] & 0xC0 == 0x80 { offset += 1 }
            rest -= 1
        }
        return min(offset, text.count)
    }

    private func startsFlow(_ node: ManifestNode) -> Bool {
        let start = offset(of: node.place)
        return start < text.count && (text[start] == UInt8(ascii: "{") || text[start] == UInt8(ascii: "["))
    }

    private func end(of node: ManifestNode, from start: Int, isInFlow: Bool) -> Int {
        guard start < text.count else { return start }
        switch text[start] {
        case UInt8(ascii: "{"), UInt8(ascii: "["): return endOfFlow(from: start)
        case UInt8(ascii: "\""), UInt8(ascii: "'"): return endOfQuotes(from: start)
        default:
            if case .scalar = node.value { return endOfWord(from: start, isInFlow: isInFlow) }
            return endOfBlock(from: start, column: node.place.column)
        }
    }

    private func endOfFlow(from start: Int) -> Int {
        var depth = 0
        var place = start
        while place < text.count {
            switch text[place] {
            case UInt8(ascii: "{"), UInt8(ascii: "["): depth += 1
            case UInt8(ascii: "}"), UInt8(ascii: "]"):
                depth -= 1
                if depth == 0 { return place + 1 }
            case UInt8(ascii: "\""), UInt8(ascii: "'"):
                // Within a word it is a sign like any other.
                if " \t\n{[,:".utf8.contains(text[place - 1]) {
                    place = endOfQuotes(from: place)
                    continue
                }
            case UInt8(ascii: "#") where Self.isSpace(text[place - 1]): place = endOfLine(from: place)
            default: break
            }
            place += 1
        }
        return text.count
    }

    private func endOfQuotes(from start: Int) -> Int {
        let quote = text[start]
        var place = start + 1
        while place < text.count {
            if quote == UInt8(ascii: "\""), text[place] == UInt8(ascii: "\\") {
                place += 2
                continue
            }
            if text[place] == quote {
                // Two single quotes are one within the text.
                guard quote == UInt8(ascii: "'"), place + 1 < text.count, text[place + 1] == quote else {
                    return place + 1
                }
                place += 1
            }
            place += 1
        }
        return text.count
    }

    private func endOfWord(from start: Int, isInFlow: Bool) -> Int {
        var place = start
        while place < text.count, text[place] != UInt8(ascii: "\n") {
            if isInFlow, ",]}".utf8.contains(text[place]) { break }
            if text[place] == UInt8(ascii: "#"), place > start, Self.isSpace(text[place - 1]) { break }
            place += 1
        }
        while place > start, Self.isSpace(text[place - 1]) { place -= 1 }
        return place
    }

    /// The end of a mapping or list whose parts are each on lines of their own, indented like the first.
    private func endOfBlock(from start: Int, column: Int) -> Int {
        var end = endOfLine(from: start)
        var place = end + 1
        while place < text.count {
            let lineEnd = endOfLine(from: place)
            let content = text[place..<lineEnd].firstIndex { !Self.isSpace($0) }
            if let content, text[content] != UInt8(ascii: "#") {
                guard content - place >= column - 1 else { break }
                end = lineEnd
            }
            place = lineEnd + 1
        }
        return endOfWord(
            from: text[..<end].lastIndex(of: UInt8(ascii: "\n")).map { max($0 + 1, start) } ?? start,
            isInFlow: false
        )
    }

    private func endOfLine(from place: Int) -> Int { text[place...].firstIndex(of: UInt8(ascii: "\n")) ?? text.count }

    private static func isSpace(_ byte: UInt8) -> Bool { " \t\r\n".utf8.contains(byte) }
}
