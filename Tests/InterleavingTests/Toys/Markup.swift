/// Checks that a page's elements are closed in the order they were opened, and that text and attributes are escaped.
struct Markup {
    struct MarkupError: Error, CustomStringConvertible {
        let description: String
    }

    private static let void: Set<Substring> = ["meta", "br", "hr", "img"]
    private let text: String

    init(_ text: String) {
        self.text = text
    }

    func check() throws {
        var rest = Substring(text)
        guard rest.hasPrefix("<!DOCTYPE html>\n") else { throw MarkupError(description: "no document type") }
        rest.removeFirst("<!DOCTYPE html>".count)
        var open: [Substring] = []
        while let start = rest.firstIndex(of: "<") {
            try checkText(rest[..<start], in: open.last)
            let body = rest[rest.index(after: start)...]
            guard let end = body.firstIndex(of: ">") else {
                throw MarkupError(description: "a tag is not closed: \(body.prefix(40))")
            }
            let tag = body[..<end]
            rest = body[body.index(after: end)...]
            let name = tag.drop { $0 == "/" }.prefix { $0 != " " && $0 != "/" }
            guard !name.isEmpty, name.allSatisfy({ $0.isLetter || $0.isNumber }) else {
                throw MarkupError(description: "no tag: <\(tag)>")
            }
            if tag.hasPrefix("/") {
                guard open.popLast() == name else { throw MarkupError(description: "</\(name)> closes nothing") }
            } else {
                guard tag.count(where: { $0 == "\"" }).isMultiple(of: 2), !tag.contains("<") else {
                    throw MarkupError(description: "quotes: <\(tag)>")
                }
                if !Self.void.contains(name), !tag.hasSuffix("/") { open.append(name) }
            }
        }
        guard open.isEmpty else { throw MarkupError(description: "never closed: \(open)") }
    }

    private func checkText(_ text: Substring, in element: Substring?) throws {
        guard element != "style" else { return }
        for ampersand in text.indices where text[ampersand] == "&" {
            let entity = text[ampersand...].dropFirst().prefix { $0 != ";" }
            guard ["amp", "lt", "gt", "quot", "#39"].contains(entity) else {
                throw MarkupError(description: "&\(entity)")
            }
        }
        for scalar in text.unicodeScalars where scalar.value < 0x20 && scalar != "\n" && scalar != "\t" {
            throw MarkupError(description: "control character \(scalar.value)")
        }
    }
}
