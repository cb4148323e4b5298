import Foundation
import Testing

/// What is written again for each type, or for each of both modules, is the same.
@Suite("Files that say the same of something else")
struct PairTests {
    static let root = URL(filePath: #filePath).deletingLastPathComponent()
    static let sources =
        root.deletingLastPathComponent().deletingLastPathComponent().appending(path: "Sources/ExploredSynchronization")

    /// A file's text, without what the format or the width makes different.
    private func text(_ file: URL, _ replaced: [(String, String)] = []) throws -> String {
        var lines = try String(contentsOf: file, encoding: .utf8).split(separator: "\n").map(String.init)
        lines.removeAll { $0.hasPrefix("#") || $0.contains("//") || $0.contains("import ") }
        var text = lines.joined(separator: " ")
        for (old, new) in replaced { text = try text.replacing(Regex("\\b\(old)\\b"), with: new) }
        return text.filter { !$0.isWhitespace }
    }

    @Test(
        "the operations of each integer are those of Int",
        arguments: ["", "8", "16", "32", "64", "128"].flatMap { ["Int\($0)", "UInt\($0)"] }
    )
    func integers(type: String) throws {
        let values = Self.sources.appending(path: "Values")
        let int = try text(values.appending(path: "Atomic+Int.swift"), [("Int", type)])
        #expect(try text(values.appending(path: "Atomic+\(type).swift")) == int)
        #expect(int.contains("wrappingSubtract"))
    }

    @Test("the operations of each width are those of 64 bits", arguments: ["8", "16", "32", "64", "128"])
    func widths(bits: String) throws {
        let folder = Self.sources.appending(path: "Representations")
        let word = try text(folder.appending(path: "Atomic+64Bits.swift"), [("UInt64", "UInt\(bits)")])
        #expect(try text(folder.appending(path: "Atomic+\(bits)Bits.swift")) == word)
        #expect(word.contains("weakCompareExchange"))
    }

    @Test(
        "what tests do with both modules is the same but for the import",
        arguments: ["Accesses", "Integers", "Updates", "Mutexes", "Representations"]
    )
    func pairs(name: String) throws {
        let folder = Self.root.appending(path: "Pairs")
        let texts = try ["Original", "Explored"].map {
            try String(contentsOf: folder.appending(path: "\($0)\(name).swift"), encoding: .utf8)
        }
        let explored = texts[0].replacing("import Synchronization", with: "import ExploredSynchronization")
            .replacing("Original", with: "Explored").replacing("original(", with: "explored(")
        #expect(texts[1] == explored)
        #expect(explored != texts[0])
    }
}
