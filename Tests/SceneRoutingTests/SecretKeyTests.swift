import Basics
import SceneRouting
import Testing

@testable import SceneRouting

@Suite("SecretKey")
struct SecretKeyTests {
    /// Of the reference implementation: key 00 01 … 0f, message 00 01 … of each length.
    private static let vectors: [(length: Int, hash: UInt64)] = [
        (0, 0x726F_DB47_DD0E_0E31), (1, 0x74F8_39C5_93DC_67FD), (7, 0xAB02_00F5_8B01_D137),
        (8, 0x93F5_F579_9A93_2462), (15, 0xA129_CA61_49BE_45E5),
    ]

    @Test("computes SipHash-2-4", arguments: vectors)
    func vector(length: Int, hash: UInt64) {
        let key = SecretKey(0x0706_0504_0302_0100, 0x0F0E_0D0C_0B0A_0908)
        #expect(key.hash((0..<length).map(UInt8.init)) == hash)
    }

    @Test("gives equal values equal placeholders, and different ones to other values and under other keys")
    func equality() {
        var random = SplitMix(seed: 4)
        let keys = (0..<20).map { _ in SecretKey(using: &random) }
        let values = ["a", "b", "", "secret:", String(repeating: "x", count: 1_024), "é", "\0"]
        var all: Set<String> = []
        for key in keys {
            let placeholders = values.map(key.placeholder)
            #expect(placeholders == values.map(key.placeholder))
            #expect(placeholders[2] == "")
            all.formUnion(placeholders.filter { !$0.isEmpty })
            for placeholder in placeholders where !placeholder.isEmpty {
                #expect(SecretPlaceholder.isOne(placeholder) && key.hasMade(placeholder))
                #expect(keys.filter { $0.hasMade(placeholder) } == [key])
            }
        }
        #expect(all.count == keys.count * (values.count - 1))
    }

    @Test("does not take a text for its placeholder that it has not made")
    func forged() {
        let key = SecretKey(1, 2)
        let made = key.placeholder(for: "hunter2")
        for index in made.indices.dropFirst("secret:".count) {
            var forged = made
            forged.replaceSubrange(index...index, with: forged[index] == "0" ? "1" : "0")
            #expect(!key.hasMade(forged))
        }
        for text in ["", "secret:", made + "0", String(made.dropLast()), made.uppercased(), " " + made.dropLast()] {
            #expect(!key.hasMade(text), "\(text)")
        }
    }

    @Test("reveals the value only if it remembers, and only of a placeholder that it has made")
    func memory() {
        let forgetting = SecretKey(1, 2)
        let key = forgetting.remembering
        #expect(key == forgetting)
        let placeholder = key.placeholder(for: "hunter2")
        #expect(placeholder == forgetting.placeholder(for: "hunter2"))
        #expect(key.revealed(placeholder) == "hunter2")
        #expect(key.remembering.revealed(placeholder) == "hunter2")
        #expect(forgetting.revealed(placeholder) == placeholder)
        let passing = key.passingPlaceholder(for: "a URL")
        for text in ["", "hunter2", passing, SecretKey(3, 4).placeholder(for: "hunter2")] {
            #expect(key.revealed(text) == text)
        }
        #expect(key.placeholder(for: "") == "" && key.revealed("") == "")
    }

    @Test("remembers the newest values")
    func forgets() {
        let key = SecretKey(1, 2).remembering
        let count = SecretMemory.limit + 10
        let placeholders = (0..<count).map { key.placeholder(for: "\($0)") }
        let forgotten = placeholders.indices.filter { key.revealed(placeholders[$0]) != "\($0)" }
        #expect(forgotten == Array(0..<10))
    }

    @Test("says nothing of itself")
    func description() {
        let key = SecretKey(77, 88).remembering
        _ = key.placeholder(for: "hunter2")
        var dumped = ""
        dump(key, to: &dumped)
        #expect("\(key)" == "a key" && !dumped.contains("hunter2"))
    }

    @Test("finds placeholders in a text")
    func find() {
        let key = SecretKey(3, 4)
        let (one, two) = (key.placeholder(for: "1"), key.placeholder(for: "2"))
        let text = "secret:secret:0/\(one)?x=\(two)\(two)secret:12 secret:"
        #expect(SecretPlaceholder.all(in: text).map(String.init) == [one, two, two])
    }
}
