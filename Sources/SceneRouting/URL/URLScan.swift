/// The positions of the parts of a URL in its bytes, so that a plain URL is split without copying.
///
/// Only URLs that need no decoding are scanned: ASCII without percent escapes, without port, within the limits. Every
/// other URL goes through ``RoutingURL``, which also reports what is wrong, and is then laid out in decoded form.
struct URLScan {
    /// Whether the scheme is http or https.
    var isWeb = false
    var schemeEnd = 0
    var hostStart = 0
    var hostEnd = 0
    /// Where each segment begins, and where one after the last would. One byte separates two segments.
    #if canImport(Darwin)
        // `InlineArray` comes with a newer system than the oldest that the package is declared for.
        private var starts = [UInt16](repeating: 0, count: 66)
    #else
        private var starts: InlineArray<66, UInt16> = InlineArray(repeating: 0)
    #endif
    private(set) var count = 0
    /// The query without its `?`; empty if there is none.
    var query = 0..<0
    /// The fragment without its `#`; `nil` if there is none.
    var fragment: Range<Int>?

    /// The bytes of a segment.
    @inline(__always)
    func segment(_ index: Int) -> Range<Int> {
        Int(starts[index])..<Int(starts[index + 1]) - 1
    }

    /// Scans a plain URL; `nil` for any other, which ``RoutingURL`` has to read.
    init?(_ bytes: borrowing Span<UInt8>) {
        let length = bytes.count
        guard length <= RoutingURL.maximumLength else { return nil }
        // The scheme.
        var position = 0
        while position < length, Self.classes[Int(bytes[position])] & Self.isInScheme != 0 { position += 1 }
        schemeEnd = position
        guard position > 0, position < length, ASCII.isLetter(bytes[0]), bytes[position] == UInt8(ascii: ":") else {
            return nil
        }
        isWeb = Self.isWeb(bytes, schemeEnd)
        position += 1
        hostStart = position
        hostEnd = position
        if position + 1 < length, bytes[position] == UInt8(ascii: "/"), bytes[position + 1] == UInt8(ascii: "/") {
            position += 2
            guard scanHost(bytes, &position) else { return nil }
        } else if isWeb {
            return nil
        }
        if !isWeb { addFirst(bytes, &position) }
        guard scanPath(bytes, &position) else { return nil }
    }

    /// Scans the host. An ASCII label only has to be compared in lower case.
    private mutating func scanHost(_ bytes: borrowing Span<UInt8>, _ position: inout Int) -> Bool {
        hostStart = position
        while position < bytes.count, Self.classes[Int(bytes[position])] & Self.isInHost != 0 { position += 1 }
        hostEnd = position
        if position < bytes.count {
            let byte = bytes[position]
            guard byte == UInt8(ascii: "/") || byte == UInt8(ascii: "?") || byte == UInt8(ascii: "#") else {
                return false
            }
        }
        return !isWeb || hostEnd > hostStart && Self.isPlainHost(bytes, hostStart, hostEnd)
    }

    /// Adds the first segment of a custom scheme's URL: the host, or else what follows one slash, if anything does.
    private mutating func addFirst(_ bytes: borrowing Span<UInt8>, _ position: inout Int) {
        guard hostEnd == hostStart else { return add(hostStart) }
        if position < bytes.count, bytes[position] == UInt8(ascii: "/") { position += 1 }
        guard position < bytes.count, bytes[position] != UInt8(ascii: "?"), bytes[position] != UInt8(ascii: "#") else {
            return
        }
        add(position)
    }

    private mutating func scanPath(_ bytes: borrowing Span<UInt8>, _ position: inout Int) -> Bool {
        let length = bytes.count
        while position < length {
            let byte = bytes[position]
            let kind = Self.classes[Int(byte)]
            if kind & Self.isPlain != 0 {
                position += 1
                continue
            }
            if byte == UInt8(ascii: "/") {
                position += 1
                // No segment begins after a trailing slash.
                if position == length || bytes[position] == UInt8(ascii: "?") || bytes[position] == UInt8(ascii: "#") {
                    finish(position)
                    return scanRest(bytes, &position)
                }
                guard count < RoutingURL.maximumSegments else { return false }
                add(position)
                continue
            }
            guard byte == UInt8(ascii: "?") || byte == UInt8(ascii: "#") else { return false }
            break
        }
        finish(position + 1)
        return scanRest(bytes, &position)
    }

    private mutating func scanRest(_ bytes: borrowing Span<UInt8>, _ position: inout Int) -> Bool {
        let length = bytes.count
        if position < length, bytes[position] == UInt8(ascii: "?") {
            let start = position + 1
            var items = 1
            position = start
            while position < length, bytes[position] != UInt8(ascii: "#") {
                guard Self.classes[Int(bytes[position])] & (Self.isPlain | Self.isInQuery) != 0 else { return false }
                if bytes[position] == UInt8(ascii: "&") { items += 1 }
                position += 1
            }
            guard items <= RoutingURL.maximumQueryItems else { return false }
            query = start..<position
        }
        if position < length {
            let start = position + 1
            position = start
            while position < length {
                guard Self.classes[Int(bytes[position])] & (Self.isPlain | Self.isInQuery) != 0 else { return false }
                position += 1
            }
            fragment = start..<length
        }
        return true
    }

    /// Lays out decoded segments in `buffer`, with one byte between any two.
    init(decoded segments: [String], into buffer: inout [UInt8]) {
        for segment in segments {
            add(buffer.count)
            buffer.append(contentsOf: segment.utf8)
            buffer.append(UInt8(ascii: "/"))
        }
        finish(buffer.count)
    }

    @inline(__always)
    private mutating func add(_ start: Int) {
        starts[count] = UInt16(truncatingIfNeeded: start)
        count += 1
    }

    @inline(__always)
    private mutating func finish(_ next: Int) {
        starts[count] = UInt16(truncatingIfNeeded: next)
    }

    /// Whether the scheme, which ends at `end`, is http or https.
    static func isWeb(_ bytes: borrowing Span<UInt8>, _ end: Int) -> Bool {
        guard end == 5 || end == 4, bytes[0] | 0x20 == UInt8(ascii: "h"), bytes[1] | 0x20 == UInt8(ascii: "t"),
            bytes[2] | 0x20 == UInt8(ascii: "t"), bytes[3] | 0x20 == UInt8(ascii: "p")
        else { return false }
        return end == 4 || bytes[4] | 0x20 == UInt8(ascii: "s")
    }

    /// Whether the host is not too long and has neither an empty label nor a trailing dot.
    private static func isPlainHost(_ bytes: borrowing Span<UInt8>, _ start: Int, _ end: Int) -> Bool {
        guard end - start <= 253 else { return false }
        var previous = UInt8(ascii: ".")
        for index in start..<end {
            let byte = bytes[index]
            if byte == UInt8(ascii: "."), previous == UInt8(ascii: ".") { return false }
            previous = byte
        }
        return previous != UInt8(ascii: ".")
    }

    // MARK: - Character classes

    private static let isPlain: UInt8 = 1
    private static let isInScheme: UInt8 = 2
    private static let isInHost: UInt8 = 4
    private static let isInQuery: UInt8 = 8

    private static let classes = {
        #if canImport(Darwin)
            var classes = [UInt8](repeating: 0, count: 256)
        #else
            var classes = InlineArray<256, UInt8>(repeating: 0)
        #endif
        for byte in UInt8(0x21)..<0x7F {
            var kind: UInt8 = 0
            let isAlphanumeric = ASCII.isLetter(byte) || ASCII.isDigit(byte)
            if isAlphanumeric || "+-.".utf8.contains(byte) { kind |= isInScheme }
            if isAlphanumeric || "-._".utf8.contains(byte) { kind |= isInHost }
            if !"/?#%\\".utf8.contains(byte) { kind |= isPlain }
            if "/?".utf8.contains(byte) { kind |= isInQuery }
            classes[Int(byte)] = kind
        }
        return classes
    }()
}
