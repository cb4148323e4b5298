import StrictJSON
import Testing
import Varlink

/// Input that can be parsed must parse back the same after writing; other input must throw. Nothing may trap.
@Suite("Mutilated input", .timeLimit(.minutes(15)))
struct VarlinkRobustnessTests {
    /// Some bytes of `text` replaced, removed, doubled or swapped with bytes the grammar knows, the same for the same seed.
    private func mutilate(_ text: String, alphabet: String, seed: UInt64) -> [UInt8] {
        var state = seed &* 0x9E37_79B9_7F4A_7C15 &+ 1
        func below(_ bound: Int) -> Int {
            state = state &* 6_364_136_223_846_793_005 &+ 1_442_695_040_888_963_407
            return Int(state >> 33) % max(bound, 1)
        }
        let alphabet = Array(alphabet.utf8)
        var bytes = Array(text.utf8)
        for _ in 0...below(4) {
            let index = below(bytes.count)
            switch below(5) {
            case 0: bytes[index] = alphabet[below(alphabet.count)]
            case 1: bytes.insert(alphabet[below(alphabet.count)], at: index)
            case 2: bytes.remove(at: index)
            case 3: bytes[index] = UInt8(below(256))
            default: bytes.swapAt(index, below(bytes.count))
            }
        }
        return bytes
    }

    @Test("of an interface file", arguments: 0..<20)
    func interfaces(block: UInt64) throws {
        var readable = 0
        for seed in block * 200..<(block + 1) * 200 {
            let bytes = mutilate(VarlinkInterfaceTests.sample, alphabet: "()[]?:,#\n -_.aA0>", seed: seed)
            let text = String(decoding: bytes, as: UTF8.self)
            guard let interface = try? VarlinkInterface(parsing: text) else { continue }
            readable += 1
            #expect(try VarlinkInterface(parsing: interface.description) == interface, "\(text)")
        }
        #expect(readable > 0 && readable < 200)
    }

    @Test("of a call and a reply", arguments: 0..<20)
    func messages(block: UInt64) throws {
        let call = #"{"method":"a.b.C","parameters":{"s":"\u00e9","n":[1,-2.5e3,null]},"more":true,"x.y":{}}"#
        let reply = #"{"error":null,"parameters":{"s":"x"},"continues":true,"x.y":[]}"#
        var readable = 0
        for seed in block * 500..<(block + 1) * 500 {
            let bytes = mutilate(call, alphabet: #"{}[]":,.0e-\ntu"#, seed: seed)
            if let call = try? VarlinkCall(parsing: bytes.span) {
                readable += 1
                #expect(try VarlinkCall(parsing: Array(call.encoded().dropLast()).span) == call)
            }
            let other = mutilate(reply, alphabet: #"{}[]":,.0e-\ntu"#, seed: seed)
            if let reply = try? VarlinkReply(parsing: other.span) {
                readable += 1
                #expect(try VarlinkReply(parsing: Array(reply.encoded().dropLast()).span) == reply)
            }
        }
        #expect(readable > 0 && readable < 1000)
    }
}
