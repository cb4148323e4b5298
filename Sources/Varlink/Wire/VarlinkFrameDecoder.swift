internal import NIOCore

/// Cuts a stream of bytes into messages at each NUL; looks at each byte once, however the bytes arrive.
struct VarlinkFrameDecoder: NIOSingleStepByteToMessageDecoder {
    typealias InboundOut = ByteBuffer

    /// The longest message in bytes, its NUL not counted.
    let limit: Int
    /// How many of the readable bytes are known to hold no NUL.
    private var scanned = 0

    init(limit: Int) {
        self.limit = limit
    }

    mutating func decode(buffer: inout ByteBuffer) throws(VarlinkViolation) -> ByteBuffer? {
        let bytes = buffer.readableBytesView
        let unseen = bytes[bytes.index(bytes.startIndex, offsetBy: min(scanned, bytes.count))...]
        guard let end = unseen.firstIndex(of: 0) else {
            scanned = bytes.count
            guard scanned <= limit else { throw .messageTooLong(limit: limit) }
            return nil
        }
        let length = end - bytes.startIndex
        scanned = 0
        guard length <= limit else { throw .messageTooLong(limit: limit) }
        let message = buffer.readSlice(length: length)
        buffer.moveReaderIndex(forwardBy: 1)
        return message
    }

    mutating func decodeLast(buffer: inout ByteBuffer, seenEOF: Bool) throws -> ByteBuffer? {
        try decode(buffer: &buffer)
    }
}

extension ByteBuffer {
    /// Hands the readable bytes to a parser without copying them.
    func withReadableBytes<Result, Failure: Error>(
        _ body: (Span<UInt8>) throws(Failure) -> Result
    ) throws(Failure) -> Result {
        let result: Swift.Result<Result, Failure> = withUnsafeReadableBytes { bytes in
            bytes.withMemoryRebound(to: UInt8.self) { bytes in
                do throws(Failure) {
                    return .success(try body(bytes.span))
                } catch {
                    return .failure(error)
                }
            }
        }
        return try result.get()
    }
}
