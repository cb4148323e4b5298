import Foundation
import TestFixtures
import Testing

@testable import TypedRoutes

@Suite("SwiftNames")
struct SwiftNamesTests {
    private static let cases: [(name: String, value: String, type: String, label: String)] = [
        ("home", "home", "Home", "home"), ("signedIn", "signedIn", "SignedIn", "signedIn"),
        ("buy-now", "buyNow", "BuyNow", "buyNow"), ("room.detail_2", "roomDetail2", "RoomDetail2", "roomDetail2"),
        ("URL", "url", "URL", "url"), ("Cart", "cart", "Cart", "cart"), ("1st", "_1st", "_1st", "_1st"),
        ("default", "`default`", "Default", "default"), ("inout", "`inout`", "Inout", "`inout`"),
        ("self", "self_", "Self", "self"), ("init", "init_", "Init", "init"), ("Type", "type", "Type", "type"),
        ("-", "__", "__", "__"), ("★", "__", "__", "__"), ("é", "é", "É", "é"),
        ("sécurité", "sécurité", "Sécurité", "sécurité"),
        ("日本 語", "日本語", "日本語", "日本語"), ("\u{301}x", "_\u{301}x", "_\u{301}x", "_\u{301}x"),
        ("none", "none", "None", "none"),
    ]

    @Test("are identifiers, in backticks where they are words of Swift", arguments: cases)
    func identifiers(name: String, value: String, type: String, label: String) {
        var names = SwiftNames()
        #expect(names.value(name) == value)
        names = SwiftNames()
        #expect(names.type(name) == type)
        names = SwiftNames()
        #expect(names.label(name).declared == label)
    }

    @Test("are no case of Optional's, whatever is a case")
    func notOptional() {
        var names = SwiftNames()
        #expect(["none", "some", "SOME", "self"].map { names.enumCase($0) } == ["none_", "some_", "some_2", "self_"])
    }

    @Test("keep every letter, mark and digit that can be seen and that Swift takes")
    func letters() async throws {
        // All in the blocks of alphabets; of the many that are words, some.
        let numbers = Array(0...0x30FF) + Array(stride(from: 0x3100, through: 0x10FFFF, by: 61))
        let letters = numbers.compactMap { Unicode.Scalar(UInt32($0)) }.filter {
            SwiftNames.lowerCamel("a\($0)b") != "aB"
        }
        #expect(letters.count >= 9_000)
        var lines: [String] = []
        for start in stride(from: 0, to: letters.count, by: 100) {
            let scalars = letters[start..<min(start + 100, letters.count)]
            lines.append("let a\(start)_\(String(String.UnicodeScalarView(scalars))) = 0")
            let beginnings = scalars.map { SwiftNames.lowerCamel("\($0)1") }
            lines.append("enum E\(start) { case \(beginnings.joined(separator: ", ")) }")
        }
        let directory = try TemporaryDirectory()
        let file = "\(directory.path)/Letters.swift"
        try lines.joined(separator: "\n").write(toFile: file, atomically: true, encoding: .utf8)
        try await expectCompiled(["-frontend", "-parse", file])
    }

    @Test("name in a warning what is written, whatever the name")
    func numberedAsWritten() throws {
        for name in ["buy-now", "default", "self", "init", "none", "-", "1st", "inout"] {
            var (cases, types, values, labels) = (SwiftNames(), SwiftNames(), SwiftNames(), SwiftNames())
            let first = [cases.enumCase(name), types.type(name), values.value(name), labels.label(name).given]
            let second = [cases.enumCase(name), types.type(name), values.value(name), labels.label(name).given]
            for (index, names) in [cases, types, values, labels].enumerated() {
                let numbered = try #require(names.numbered.first)
                #expect(numbered.wanted == first[index].filter { $0 != "`" }, "\(name)")
                #expect(numbered.identifier == second[index].filter { $0 != "`" }, "\(name)")
            }
        }
    }

    @Test("say which have a number, and why")
    func numbered() {
        var names = SwiftNames(taken: ["destination"])
        for name in ["buy-now", "destination", "buyNow"] { _ = names.enumCase(name) }
        #expect(
            names.numbered.map { "\(NumberedName($0, in: "Shop.Destination"))" } == [
                "'destination' is Shop.Destination.destination_2 in Swift, because Swift or the types themselves use 'destination' there; "
                    + "a name of its own in the manifest would be clearer",
                "'buyNow' is Shop.Destination.buyNow_2 in Swift, because 'buy-now' is 'buyNow' already; "
                    + "a name of its own in the manifest would be clearer",
            ]
        )
    }

    @Test("are different for different names, in the order in which they come")
    func different() {
        var names = SwiftNames(taken: ["allCases"])
        #expect(
            ["a-b", "aB", "a.b", "allCases", "aB_2"].map { names.value($0) } == [
                "aB", "aB_2", "aB_3", "allCases_2", "aB2",
            ]
        )
    }
}
