internal import Basics
package import SceneRouting
internal import StrictJSON
internal import Yams

/// Parses a manifest file, or another file that people write. It is JSON if it begins with a brace, otherwise YAML.
package enum ManifestText {
    /// The maximum length of a file in bytes.
    static let maximumLength = 4 * 1024 * 1024
    static let maximumDepth = 64

    /// The value that the file consists of.
    /// - Throws: a ``ManifestProblem`` with the place of the first mistake.
    package static func parse(_ file: String) throws(ManifestProblem) -> ManifestNode {
        // YAML lets a file begin with a byte order mark.
        let text = file.unicodeScalars.first == "\u{FEFF}" ? String(file.unicodeScalars.dropFirst()) : file
        guard text.utf8.count <= maximumLength else {
            throw ManifestProblem(
                key: "",
                message: "the file has \(text.utf8.count) bytes; at most \(maximumLength) are allowed"
            )
        }
        if text.utf8.first(where: { !" \t\r\n".utf8.contains($0) }) == UInt8(ascii: "{") {
            // It can also be the flow style of YAML, which is less strict and then reports what is wrong.
            if let json = try? JSONValue(parsing: text) { return ManifestNode(json, JSONPlaces(of: json, in: text)) }
        }
        try checkForMarks(text)
        try checkForAliases(text)
        let node: Node?
        do {
            node = try Parser(yaml: text, encoding: .utf8).singleRoot()
        } catch {
            throw problem(error, in: text)
        }
        guard let node else {
            let expected = "a mapping with 'name'"
            throw ManifestProblem(key: "", message: "the file is empty", expected: expected, line: 1, column: 1)
        }
        return try convert(node, depth: 0)
    }

    /// Refuses more combining marks in a row than a text may have, written out or as escapes, before the YAML parser compares
    /// keys.
    private static func checkForMarks(_ text: String) throws(ManifestProblem) {
        // Marks begin at U+0300, which is CC 80.
        guard text.utf8.contains(where: { $0 >= 0xCC || $0 == UInt8(ascii: "\\") }) else { return }
        var marks = MarkCounter()
        var place = (line: 1, column: 0)
        var rest = text.unicodeScalars[...]
        while let scalar = rest.popFirst() {
            if scalar == "\n" { place = (place.line + 1, 0) } else { place.column += 1 }
            var meant = scalar
            // Taken for an escape wherever it is: nobody writes thirty in a row outside quotes.
            if scalar == "\\", let length = rest.first.flatMap({ escapes[$0] }) {
                let digits = rest.dropFirst().prefix(length)
                if digits.count == length, let code = UInt32(String(digits), radix: 16),
                    let escaped = Unicode.Scalar(code)
                {
                    meant = escaped
                    rest = rest.dropFirst(length + 1)
                    place.column += length + 1
                }
            }
            guard marks.exceeds(with: meant) else { continue }
            throw ManifestProblem(
                key: "",
                message: "there are more than \(MarkCounter.limit) combining marks in a row",
                line: place.line,
                column: place.column
            )
        }
    }

    /// The escapes of YAML that name a scalar, with their numbers of digits.
    private static let escapes: [Unicode.Scalar: Int] = ["x": 2, "u": 4, "U": 8]

    /// Refuses anchors that are used, and complex keys (`? …`), before anything is built. Aliases of aliases can grow without
    /// bound, especially as keys, and a manifest needs neither.
    private static func checkForAliases(_ text: String) throws(ManifestProblem) {
        var anchors: Set<[UInt8]> = []
        var aliases: [[UInt8]: (line: Int, column: Int)] = [:]
        for (index, line) in text.split(separator: "\n", omittingEmptySubsequences: false).enumerated() {
            var column = 0
            var previous = UInt8(ascii: " ")
            for position in line.utf8.indices {
                column += 1
                let byte = line.utf8[position]
                defer { previous = byte }
                guard byte == UInt8(ascii: "&") || byte == UInt8(ascii: "*"), " \t\r[{,:-?".utf8.contains(previous)
                else { continue }
                // No more of it than tells one from another, because the next can begin within this one.
                let rest = line.utf8[position...].dropFirst().prefix(256)
                let name = Array(rest.prefix { !" \t\r,[]{}".utf8.contains($0) })
                guard !name.isEmpty else { continue }
                if byte == UInt8(ascii: "&") { anchors.insert(name) } else { aliases[name] = (index + 1, column) }
            }
            let content = line.drop { $0 == " " || $0 == "-" }
            if content == "?" || content.hasPrefix("? ") {
                throw ManifestProblem(key: "", message: "a key must be text", line: index + 1, column: 1)
            }
        }
        let used = aliases.filter { anchors.contains($0.key) }.map(\.value).min { $0.line < $1.line }
        guard let used else { return }
        throw ManifestProblem(
            key: "",
            message: "anchors and aliases are not supported",
            expected: "the value written out",
            line: used.line,
            column: used.column
        )
    }

    private static func convert(_ node: Node, depth: Int) throws(ManifestProblem) -> ManifestNode {
        let place = ManifestNode.Place(line: node.mark?.line ?? 1, column: node.mark?.column ?? 1)
        func problem(_ message: String, _ expected: String? = nil) -> ManifestProblem {
            ManifestProblem(key: "", message: message, expected: expected, line: place.line, column: place.column)
        }
        guard depth <= maximumDepth else { throw problem("the file nests more than \(maximumDepth) deep") }
        guard node.anchor == nil else {
            throw problem("anchors and aliases are not supported", "the value written out")
        }
        switch node {
        case .scalar(let scalar):
            return ManifestNode(
                value: .scalar(scalar.string, isQuoted: scalar.style != .plain && scalar.style != .any),
                place: place
            )
        case .sequence(let sequence):
            var list: [ManifestNode] = []
            for element in sequence { list.append(try convert(element, depth: depth + 1)) }
            return ManifestNode(value: .list(list), place: place)
        case .mapping(let mapping):
            var members: [ManifestNode.Member] = []
            for (key, value) in mapping {
                let keyPlace = ManifestNode.Place(
                    line: key.mark?.line ?? place.line,
                    column: key.mark?.column ?? place.column
                )
                guard case .scalar(let name) = key else {
                    throw ManifestProblem(
                        key: "",
                        message: "a key must be text",
                        line: keyPlace.line,
                        column: keyPlace.column
                    )
                }
                members.append(
                    ManifestNode.Member(key: name.string, place: keyPlace, value: try convert(value, depth: depth + 1))
                )
            }
            return ManifestNode(value: .map(members), place: place)
        case .alias:
            throw problem("anchors and aliases are not supported", "the value written out")
        }
    }

    private static func problem(_ error: any Error, in text: String) -> ManifestProblem {
        switch error as? YamlError {
        case .scanner(_, let problem, let mark, _), .parser(_, let problem, let mark, _),
            .composer(_, let problem, let mark, _):
            let (message, expected) = explained(problem, at: mark, in: text)
            return ManifestProblem(
                key: "",
                message: message,
                expected: expected,
                line: mark.line,
                column: mark.column
            )
        case .duplicatedKeysInMapping(let duplicates, let context):
            let key = duplicates.first.map { "\($0)" } ?? ""
            let place = again(key, inMappingAt: context.mark, of: text)
            return ManifestProblem(
                key: "",
                message: "the key '\(key)' appears twice",
                expected: "each key once",
                line: place.line,
                column: place.column
            )
        case .reader(let problem, _, _, _): return ManifestProblem(key: "", message: problem, line: 1, column: 1)
        default: return ManifestProblem(key: "", message: "the file is not YAML", line: 1, column: 1)
        }
    }

    /// The words of the YAML parser in those of somebody who writes YAML, and what would be right.
    private static func explained(_ problem: String, at mark: Mark, in text: String) -> (String, expected: String?) {
        let line = self.line(mark.line, of: text)
        if line.prefix(while: { $0 == " " || $0 == "\t" }).contains("\t") {
            return ("the line is indented with a tab", "spaces")
        }
        if problem.hasPrefix("mapping values are not allowed") {
            return (
                "a ':' is not expected here",
                "a key as far right as those beside it, or quotes around a text that contains ': '"
            )
        }
        if problem.hasPrefix("found unexpected end of stream") {
            return ("the file ends within a quoted text", "the quote that closes it")
        }
        if problem.hasPrefix("did not find expected ',' or") {
            return ("a list or mapping in brackets is not closed", "',' or the closing bracket")
        }
        if problem.hasPrefix("could not find expected ':'") {
            return ("a ':' is missing after a key", "'key: value', or '- ' before each element of a list")
        }
        if problem.hasPrefix("did not find expected key") || problem.hasPrefix("did not find expected '-' indicator") {
            return ("the line is not indented like those beside it", "as many spaces as the line above, or two more")
        }
        if problem.hasPrefix("found character that cannot start any token") {
            return ("a text cannot begin with this sign", "quotes around the text")
        }
        return (problem, nil)
    }

    /// The line with this number, from 1.
    private static func line(_ number: Int, of text: String) -> Substring {
        let lines = text.split(separator: "\n", maxSplits: max(0, number), omittingEmptySubsequences: false)
        return number >= 1 && number <= lines.count ? lines[number - 1] : ""
    }

    /// Where a key stands for the second time in a mapping in block style; the beginning of the mapping if it has another form.
    private static func again(_ key: String, inMappingAt mark: Mark, of text: String) -> (line: Int, column: Int) {
        let lines = text.split(separator: "\n", omittingEmptySubsequences: false)
        var seen = false
        for (index, line) in lines.enumerated().dropFirst(max(0, mark.line - 1)) {
            let column = line.prefix { $0 == " " || index == mark.line - 1 && $0 == "-" }.count + 1
            guard column == mark.column || index == mark.line - 1 else {
                if column < mark.column, !line.allSatisfy(\.isWhitespace), line.first != "#" { break }
                continue
            }
            let content = line.dropFirst(mark.column - 1)
            guard [key, "\"\(key)\"", "'\(key)'"].contains(where: { content.hasPrefix($0 + ":") }) else { continue }
            if seen { return (index + 1, mark.column) }
            seen = true
        }
        return (mark.line, mark.column)
    }
}
