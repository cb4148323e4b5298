import Foundation

/// The pages of all documentation catalogues, with their link targets.
struct Catalogues {
    /// The anchors of the headings, by module and page.
    private var anchors: [String: [String: [String]]] = [:]

    init() throws {
        for page in try SourceText.all(in: ["Sources"], endings: [".md"]) where page.path.contains(".docc/") {
            let parts = page.path.split(separator: "/")
            // A page in a folder of the catalogue is linked as one beside it.
            guard parts.count >= 4, let name = parts.last?.dropLast(3) else { continue }
            anchors[String(parts[1]), default: [:]][String(name)] = Self.headings(of: page.text).map(Self.anchor)
        }
    }

    /// The anchors of a page; `nil` if it does not exist.
    func anchors(of page: String, in module: String) -> [String]? { anchors[module]?[page] }

    /// Whether the target of a link exists: `Page`, `Page#Heading`, or from any module `/Module/Page`, or `/Module` for its first page.
    func resolves(_ target: String, from module: String?) -> Bool {
        let parts = target.split(separator: "#", omittingEmptySubsequences: false).map(String.init)
        let path = (parts.first ?? "").split(separator: "/").map(String.init)
        let isAbsolute = target.hasPrefix("/")
        // DocC knows a module's first page only by the module's name.
        guard let page = path.last, (isAbsolute ? 1...2 : 1...1) ~= path.count, Set(path).count == path.count,
            parts.count <= 2,
            let module = isAbsolute ? path.first : module,
            let anchors = anchors(of: page, in: module)
        else { return false }
        return parts.count == 1 || anchors.contains(parts[1])
    }

    private static func headings(of text: String) -> [String] {
        var isCode = false
        return text.split(separator: "\n").compactMap { line in
            if line.hasPrefix("```") { isCode.toggle() }
            guard !isCode, line.hasPrefix("#") else { return nil }
            return line.drop { $0 == "#" }.trimmingCharacters(in: .whitespaces)
        }
    }

    /// A heading's anchor, as DocC makes it: words joined by hyphens, without punctuation.
    private static func anchor(of heading: String) -> String {
        let words = heading.components(separatedBy: CharacterSet.whitespaces.union(CharacterSet(charactersIn: "-–—")))
        let punctuation = CharacterSet.punctuationCharacters.union(CharacterSet(charactersIn: "`")).subtracting(
            CharacterSet(charactersIn: "-")
        )
        var anchor = words.filter { !$0.isEmpty }.joined(separator: "-")
        anchor.unicodeScalars.removeAll(where: punctuation.contains)
        return anchor
    }
}
