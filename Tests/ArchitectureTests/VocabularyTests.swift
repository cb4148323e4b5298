import Foundation
import SceneVocabulary
import Testing

/// Words that several modules share are written only in `SceneVocabulary`.
@Suite("Shared words are spelt once")
struct VocabularyTests {
    /// The words that have no other meaning. `gap` and `back`, for example, are ordinary words and not searched for.
    static let words: Set<String> = {
        let kinds = RecordKind.allCases.flatMap { kind in
            kind.family.map { [kind.rawValue, "\($0)."] } ?? []
        }
        let names =
            Activation.allCases.map(\.rawValue) + Gesture.Name.allCases.map(\.rawValue)
            + NavOp.Name.allCases.map(\.rawValue) + ModalStyle.allCases.map(\.rawValue)
        return Set(kinds + names.filter { $0.contains(where: \.isUppercase) })
    }()

    @Test("no source spells out a record kind, an activation, a gesture, an op or a style")
    func wordsAreNotSpeltOut() throws {
        let files = try #require(FileManager.default.enumerator(atPath: ArrowTests.sources.path))
        var seen = 0
        for case let file as String in files where file.hasSuffix(".swift") && !file.hasPrefix("SceneVocabulary/") {
            seen += 1
            let text = try String(contentsOf: ArrowTests.sources.appending(path: file), encoding: .utf8)
            for (number, line) in text.split(separator: "\n", omittingEmptySubsequences: false).enumerated() {
                let literals = line.split(separator: "\"", omittingEmptySubsequences: false).map(String.init)
                for (place, literal) in literals.enumerated() where place % 2 == 1 {
                    #expect(!Self.words.contains(literal), "\(file):\(number + 1) spells '\(literal)'")
                }
            }
        }
        #expect(seen > 100 && Self.words.contains("dispatch.ended") && Self.words.contains("gate."))
    }
}
