import CZlib
import Foundation
import PagePacking
import Testing

@Suite("Packed text")
struct PackedTextTests {
    /// What zlib makes of the packed text.
    private func unpacked(_ text: [UInt8], count: Int) throws -> [UInt8] {
        let packed = try #require(Data(base64Encoded: Data(text)))
        var length = UInt(count)
        // One byte more, so that there is room for what should not be there.
        var bytes = [UInt8](repeating: 0, count: count + 1)
        length = UInt(bytes.count)
        #expect(uncompress(&bytes, &length, Array(packed), UInt(packed.count)) == Z_OK)
        return Array(bytes.prefix(Int(length)))
    }

    @Test(
        "is read back whole, whatever it is and in whatever pieces it came",
        arguments: [0, 1, 2, 3, 100, 65_536, 65_537, 1_000_000],
        [1, 7, 65_536, 2_000_000]
    )
    func whole(count: Int, piece: Int) throws {
        // Half of it repeats itself, and half does not.
        var state: UInt64 = 1
        let bytes: [UInt8] = (0..<count).map { place in
            state = state &* 6_364_136_223_846_793_005 &+ 1_442_695_040_888_963_407
            return place % 2048 < 1024 ? UInt8(place % 64) : UInt8(state >> 56)
        }
        // Many small pieces of a long text say nothing new.
        guard count / piece < 100_000 else { return }
        var packed = PackedText()
        var text: [UInt8] = []
        var position = 0
        while position < count {
            let end = min(position + piece, count)
            text += packed.pack(bytes[position..<end])
            position = end
        }
        text += packed.finish()
        #expect(try unpacked(text, count: count) == bytes)
    }

    @Test("is no markup, and short for what repeats itself")
    func short() {
        let line = #"{"kind":"host.quiet","host":"</script><!--","index":1}"# + "\n"
        let bytes = Array(String(repeating: line, count: 10_000).utf8)
        var packed = PackedText()
        var text = packed.pack(bytes[...])
        text += packed.finish()
        #expect(text.allSatisfy { $0 != UInt8(ascii: "<") && $0 != UInt8(ascii: "&") && $0 != UInt8(ascii: "\n") })
        #expect(text.count * 100 < bytes.count)
    }
}
