import Foundation

/// A match of a pattern in the repository.
struct Citation {
    /// The file, from the root of the repository.
    let file: String
    let lineNumber: Int
    /// The whole line, trimmed.
    let line: String
    /// The matched text.
    let text: String

    /// File and line, for messages.
    var place: String { "\(file):\(lineNumber)" }

    /// The module in whose folder the file is, if any.
    var module: String? {
        let parts = file.split(separator: "/")
        return parts.first == "Sources" && parts.count > 2 ? String(parts[1]) : nil
    }

    /// Whether the line is a comment, or on a page.
    var isComment: Bool { line.hasPrefix("//") || file.contains(".docc/") }

    /// Whether DocC reads the line: it is a documentation comment, or on a page.
    var isDocumentation: Bool { line.hasPrefix("///") || file.contains(".docc/") }

    /// All matches of the pattern in these files.
    static func all(of pattern: String, in files: [SourceText]) throws -> [Citation] {
        let expression = try NSRegularExpression(pattern: pattern)
        return files.flatMap { file in
            let text = file.text as NSString
            return expression.matches(in: file.text, range: NSRange(location: 0, length: text.length)).map { match in
                let before = text.substring(to: match.range.location)
                return Citation(
                    file: file.path,
                    lineNumber: before.utf8.count { $0 == UInt8(ascii: "\n") } + 1,
                    line: text.substring(with: text.lineRange(for: match.range)).trimmingCharacters(
                        in: .whitespacesAndNewlines
                    ),
                    text: text.substring(with: match.range)
                )
            }
        }
    }
}

/// A text file of the repository.
struct SourceText {
    /// Its path from the root of the repository.
    let path: String
    let text: String

    static let root = URL(filePath: #filePath)
        .deletingLastPathComponent().deletingLastPathComponent().deletingLastPathComponent()

    /// The files below these folders with one of these endings, sorted by path.
    static func all(in folders: [String], endings: [String]) throws -> [SourceText] {
        var files: [SourceText] = []
        for folder in folders {
            guard let paths = FileManager.default.enumerator(atPath: root.appending(path: folder).path) else {
                continue
            }
            for case let path as String in paths where endings.contains(where: path.hasSuffix) {
                files.append(try SourceText("\(folder)/\(path)"))
            }
        }
        return files.sorted { $0.path < $1.path }
    }

    /// Whether a path that a page names exists, from the root of the package that the page is in: the nearest folder above it that
    /// is one.
    static func exists(_ path: String, onPage page: String) -> Bool {
        var folder = page
        while let slash = folder.lastIndex(of: "/") {
            folder = String(folder[..<slash])
            if exists("\(folder)/Package.swift") { return exists("\(folder)/\(path)") }
        }
        return exists(path)
    }

    /// Whether this path, from the root of the repository, exists.
    static func exists(_ path: String) -> Bool {
        FileManager.default.fileExists(atPath: root.appending(path: path).path)
    }

    init(_ path: String) throws {
        self.path = path
        text = try String(contentsOf: Self.root.appending(path: path), encoding: .utf8)
    }
}
