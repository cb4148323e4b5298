internal import Basics

/// The parts of a URL as association files see them: percent escapes stay as written unless a rule asks for decoded text.
struct AssociationURL: Hashable, Sendable {
    /// The host in canonical form, with the port unless that is the scheme's default.
    var host: String
    /// The path without leading and trailing slashes.
    var path: String
    var query: String
    var items: [RoutingURL.QueryItem]
    var fragment: String

    /// Splits a URL; `nil` if it is not http or https, has no host or is longer than 8,192 bytes.
    init?(_ text: String) {
        guard text.utf8.count <= RoutingURL.maximumLength else { return nil }
        // From here on the text is ASCII, so a byte is a character.
        let text = Self.escaped(text)
        let copy = Array(text.utf8)
        let bytes = copy.elements
        let slash = UInt8(ascii: "/")
        guard let colon = Self.first(UInt8(ascii: ":"), in: bytes, 0..<bytes.count), URLScan.isWeb(bytes, colon),
            colon + 2 < bytes.count, bytes[colon + 1] == slash, bytes[colon + 2] == slash
        else { return nil }
        let start = colon + 3
        let hash = Self.first(UInt8(ascii: "#"), in: bytes, start..<bytes.count) ?? bytes.count
        let mark = Self.first(UInt8(ascii: "?"), in: bytes, start..<hash) ?? hash
        let pathStart = Self.first(slash, in: bytes, start..<mark) ?? mark
        guard let host = Self.host(bytes.text(start..<pathStart), isSecure: colon == 5) else { return nil }
        self.host = host
        path = bytes.text(Self.trimmed(bytes, pathStart..<mark))
        query = mark < hash ? bytes.text(mark + 1..<hash) : ""
        fragment = hash < bytes.count ? bytes.text(hash + 1..<bytes.count) : ""
        items =
            query.isEmpty
            ? []
            : query.split(separator: "&").map { item in
                let equals = item.firstIndex(of: "=") ?? item.endIndex
                let value = equals < item.endIndex ? String(item[item.index(after: equals)...]) : ""
                return RoutingURL.QueryItem(name: String(item[..<equals]), value: value)
            }
    }

    /// The first position of a byte in `range`.
    private static func first(_ byte: UInt8, in bytes: borrowing Span<UInt8>, _ range: Range<Int>) -> Int? {
        for place in range where bytes[place] == byte { return place }
        return nil
    }

    /// The range without leading and trailing slashes.
    private static func trimmed(_ bytes: borrowing Span<UInt8>, _ range: Range<Int>) -> Range<Int> {
        var (start, end) = (range.lowerBound, range.upperBound)
        while start < end, bytes[start] == UInt8(ascii: "/") { start += 1 }
        while start < end, bytes[end - 1] == UInt8(ascii: "/") { end -= 1 }
        return start..<end
    }

    /// The same URL with every part decoded once; a part that cannot be decoded stays as it is.
    var decoded: AssociationURL {
        var url = self
        url.path = Self.trimmed(Self.decoded(path)[...])
        url.query = Self.decoded(query)
        url.fragment = Self.decoded(fragment)
        url.items = items.map { RoutingURL.QueryItem(name: Self.decoded($0.name), value: Self.decoded($0.value)) }
        return url
    }

    private static func decoded(_ text: String) -> String {
        guard let bytes = PercentEncoding.decode(text.utf8) else { return text }
        return String(validating: bytes, as: UTF8.self)?.normalizedNFC ?? text
    }

    private static func trimmed(_ path: Substring) -> String {
        var rest = path.drop { $0 == "/" }
        while rest.last == "/" { rest.removeLast() }
        return String(rest)
    }

    /// The text with percent escapes for everything that a URL cannot contain, such as `é`, as browsers do with typed links.
    private static func escaped(_ text: String) -> String {
        guard text.utf8.contains(where: { $0 <= 0x20 || $0 >= 0x7F }) else { return text }
        var bytes: [UInt8] = []
        for byte in text.utf8 {
            if byte > 0x20, byte < 0x7F {
                bytes.append(byte)
            } else {
                bytes += [UInt8(ascii: "%"), Self.digit(byte >> 4), Self.digit(byte & 15)]
            }
        }
        return String(decoding: bytes, as: UTF8.self)
    }

    private static func digit(_ nibble: UInt8) -> UInt8 {
        nibble < 10 ? UInt8(ascii: "0") + nibble : UInt8(ascii: "A") + nibble - 10
    }

    private static func host(_ authority: String, isSecure: Bool) -> String? {
        guard !authority.utf8.contains(UInt8(ascii: "@")) else { return nil }
        var name = authority[...]
        var port = ""
        if let colon = authority.utf8.lastIndex(of: UInt8(ascii: ":")) {
            name = authority[..<colon]
            port = String(authority[authority.utf8.index(after: colon)...])
        }
        guard let text = PercentEncoding.decodedText(name), let host = HostName.canonical(text) else { return nil }
        return port.isEmpty || port == (isSecure ? "443" : "80") ? host : "\(host):\(port)"
    }
}
