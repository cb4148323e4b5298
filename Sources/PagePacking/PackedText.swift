internal import CZlib

/// Bytes deflated (RFC 1950) and written in base64 (RFC 4648, section 4), piece by piece, as they may stand in a page: no byte of that is
/// markup. A history is told in the same words over and over: packed, it is a fifteenth of itself.
package struct PackedText: ~Copyable {
    /// Where zlib keeps what it knows of the stream; it must not move.
    private let stream: UnsafeMutablePointer<z_stream>
    /// What is deflated and not written yet: base64 takes three bytes at a time.
    private var rest: [UInt8] = []

    /// Beyond this zlib takes twice the time for a few per cent.
    private static let level: Int32 = 6
    /// How much of a piece zlib gets at a time, and how much room it gets for what comes of it, in bytes.
    private static let portion = 1 << 16

    package init() {
        stream = .allocate(capacity: 1)
        stream.initialize(to: z_stream())
        let status = scened_deflate_begin(stream, Self.level)
        // The level is right, so what fails is the allocation of memory.
        precondition(status == Z_OK, "no memory for packing")
    }

    deinit {
        deflateEnd(stream)
        stream.deallocate()
    }

    /// Packs more.
    /// - Returns: What can be written of it so far.
    package mutating func pack(_ bytes: ArraySlice<UInt8>) -> [UInt8] {
        var written: [UInt8] = []
        var left = bytes
        while !left.isEmpty {
            var portion = Array(left.prefix(Self.portion))
            left = left.dropFirst(portion.count)
            deflate(&portion, Z_NO_FLUSH, into: &written)
        }
        return written
    }

    /// Packs no more.
    /// - Returns: The end of what is to be written.
    package consuming func finish() -> [UInt8] {
        var (written, nothing): ([UInt8], [UInt8]) = ([], [])
        deflate(&nothing, Z_FINISH, into: &written)
        Self.write(rest[...], to: &written)
        return written
    }

    private mutating func deflate(_ portion: inout [UInt8], _ flush: Int32, into written: inout [UInt8]) {
        portion.withUnsafeMutableBufferPointer { input in
            stream.pointee.next_in = input.baseAddress
            stream.pointee.avail_in = UInt32(input.count)
            repeat {
                rest += [UInt8](unsafeUninitializedCapacity: Self.portion) { output, count in
                    stream.pointee.next_out = output.baseAddress
                    stream.pointee.avail_out = UInt32(output.count)
                    _ = CZlib.deflate(stream, flush)
                    count = output.count - Int(stream.pointee.avail_out)
                }
            } while stream.pointee.avail_out == 0
        }
        let whole = rest.count - rest.count % 3
        Self.write(rest[..<whole], to: &written)
        rest.removeFirst(whole)
    }

    /// Writes bytes in base64; the last group is padded.
    private static func write(_ bytes: ArraySlice<UInt8>, to written: inout [UInt8]) {
        written.reserveCapacity(written.count + (bytes.count + 2) / 3 * 4)
        var position = bytes.startIndex
        while position < bytes.endIndex {
            let group = bytes[position..<min(position + 3, bytes.endIndex)]
            var bits = 0
            for byte in group { bits = bits << 8 | Int(byte) }
            bits <<= (3 - group.count) * 8
            for digit in 0..<4 {
                written.append(digit <= group.count ? digits[bits >> (18 - digit * 6) & 63] : UInt8(ascii: "="))
            }
            position = group.endIndex
        }
    }

    private static let digits = Array("ABCDEFGHIJKLMNOPQRSTUVWXYZabcdefghijklmnopqrstuvwxyz0123456789+/".utf8)
}
