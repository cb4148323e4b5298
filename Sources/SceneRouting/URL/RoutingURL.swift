internal import Basics

/// The parts of a URL as routes see them, each decoded once, without resolving or guessing.
///
/// The rules are the same for URLs from everywhere:
/// - At most 8,192 bytes, 64 path segments and 128 query items; no control character, space or backslash.
/// - Percent escapes are decoded exactly once, after the URL is split, so `%2F` never separates segments. An escape that
///   is incomplete, does not decode to UTF-8 or decodes to NUL is malformed.
/// - Decoded text has at most 30 combining marks in a row, and is in Unicode Normal Form C. A host that is not ASCII becomes its `xn--` form.
/// - One trailing slash of the path has no meaning. Empty segments elsewhere, `.` and `..` are ordinary segments.
/// - `+` is a plus. A query item without `=` has an empty value.
/// - The host of a custom scheme is the first segment: `qcommerce://product/p1` has `product` and `p1`.
/// - A custom scheme needs no `//`: `qcommerce:product/p1`, `qcommerce:/product/p1` and `qcommerce:///product/p1` have the
///   same segments. Apps and senders write all four for the same place, though RFC 3986 counts only the first's `product`
///   as a host. Without a path, as in `qcommerce:` or `qcommerce:?x=1`, there are no segments.
struct RoutingURL: Hashable, Sendable {
    /// The scheme in lower case.
    var scheme: String
    /// The host in canonical form for `http` and `https`; empty for other schemes.
    var host: String
    /// The segments of the path, decoded, without one trailing slash. For other schemes the host comes first.
    var segments: [String]
    /// The query items in the order written, decoded.
    var query: [QueryItem]
    /// The fragment, decoded; `nil` if there is no `#`.
    var fragment: String?

    struct QueryItem: Hashable, Sendable {
        var name: String
        var value: String
    }

    static let maximumLength = 8192
    static let maximumSegments = 64
    static let maximumQueryItems = 128

    /// Splits `text`.
    /// - Throws: ``RouteError/malformed(reason:)``.
    init(_ text: String) throws(RouteError) {
        try Self.checkLength(of: text)
        let bytes = Array(text.utf8)
        for byte in bytes where byte <= 0x20 || byte == 0x7F || byte == UInt8(ascii: "\\") {
            throw .malformed(reason: "\(Self.name(of: byte)) must be percent-encoded in a URL")
        }
        guard let colon = bytes.firstIndex(of: UInt8(ascii: ":")), Self.isScheme(bytes[..<colon]) else {
            throw .malformed(reason: "the URL must begin with a scheme, such as https: or the app's own")
        }
        scheme = String(decoding: bytes[..<colon], as: UTF8.self).lowercased()
        var rest = bytes[(colon + 1)...]
        fragment = nil
        if let hash = rest.firstIndex(of: UInt8(ascii: "#")) {
            fragment = try Self.decode(rest[(hash + 1)...], part: "fragment")
            rest = rest[..<hash]
        }
        query = []
        if let mark = rest.firstIndex(of: UInt8(ascii: "?")) {
            query = try Self.items(rest[(mark + 1)...])
            rest = rest[..<mark]
        }
        let isWeb = scheme == "https" || scheme == "http"
        host = ""
        segments = []
        if rest.starts(with: [UInt8(ascii: "/"), UInt8(ascii: "/")]) {
            rest = rest.dropFirst(2)
            let authority = rest.prefix { $0 != UInt8(ascii: "/") }
            rest = rest[authority.endIndex...]
            guard !authority.contains(UInt8(ascii: "@")) else {
                throw .malformed(reason: "a user name or password is not allowed in a URL")
            }
            if isWeb {
                host = try HostName.canonical(Self.withoutDefaultPort(authority, scheme: scheme))
            } else if !authority.isEmpty {
                segments.append(try Self.decode(authority, part: "host"))
            }
        } else if isWeb {
            throw .malformed(reason: "'//' must follow the scheme '\(scheme):'")
        }
        try appendPath(rest)
    }

    /// Refuses a URL that is too long to look at.
    /// - Throws: ``RouteError/malformed(reason:)``.
    static func checkLength(of text: String) throws(RouteError) {
        guard text.utf8.count > maximumLength else { return }
        throw .malformed(reason: "the URL has \(text.utf8.count) bytes; at most \(maximumLength) are allowed")
    }

    private mutating func appendPath(_ path: ArraySlice<UInt8>) throws(RouteError) {
        var path = path.first == UInt8(ascii: "/") ? path.dropFirst() : path
        guard !path.isEmpty else { return }
        if path.last == UInt8(ascii: "/") { path = path.dropLast() }
        for part in path.split(separator: UInt8(ascii: "/"), omittingEmptySubsequences: false) {
            guard segments.count < Self.maximumSegments else {
                throw .malformed(reason: "the path has more than \(Self.maximumSegments) segments")
            }
            segments.append(try Self.decode(part, part: "path"))
        }
    }

    static func items(_ query: ArraySlice<UInt8>) throws(RouteError) -> [QueryItem] {
        var items: [QueryItem] = []
        for part in query.split(separator: UInt8(ascii: "&")) {
            guard items.count < maximumQueryItems else {
                throw .malformed(reason: "the query has more than \(maximumQueryItems) items")
            }
            let equals = part.firstIndex(of: UInt8(ascii: "=")) ?? part.endIndex
            let name = try decode(part[..<equals], part: "query")
            let value = try decode(equals < part.endIndex ? part[(equals + 1)...] : [], part: "query")
            items.append(QueryItem(name: name, value: value))
        }
        return items
    }

    /// Whether this is the name of a scheme (RFC 3986, section 3.1).
    static func isScheme(_ bytes: some Collection<UInt8>) -> Bool {
        guard let first = bytes.first, ASCII.isLetter(first) else { return false }
        return bytes.allSatisfy {
            ASCII.isLetter($0) || ASCII.isDigit($0) || $0 == UInt8(ascii: "+") || $0 == UInt8(ascii: "-")
                || $0 == UInt8(ascii: ".")
        }
    }

    private static func withoutDefaultPort(
        _ authority: ArraySlice<UInt8>,
        scheme: String
    ) throws(RouteError) -> ArraySlice<UInt8> {
        guard let colon = authority.lastIndex(of: UInt8(ascii: ":")), authority.last != UInt8(ascii: "]") else {
            return authority
        }
        let port = String(decoding: authority[(colon + 1)...], as: UTF8.self)
        guard port == "" || port == (scheme == "https" ? "443" : "80") else {
            throw .malformed(reason: "port '\(port)' is not allowed; only the scheme's default port is")
        }
        return authority[..<colon]
    }

    private static func decode(_ bytes: ArraySlice<UInt8>, part: String) throws(RouteError) -> String {
        guard let decoded = PercentEncoding.decode(bytes) else {
            throw .malformed(reason: "the \(part) has an incomplete percent escape")
        }
        guard !decoded.contains(0) else { throw .malformed(reason: "the \(part) contains the NUL character") }
        guard let text = String(validating: decoded, as: UTF8.self) else {
            throw .malformed(reason: "the \(part) does not decode to UTF-8")
        }
        guard text.excessMark == nil else {
            throw .malformed(reason: "the \(part) has more than \(MarkCounter.limit) combining marks in a row")
        }
        return text.normalizedNFC
    }

    private static func name(of byte: UInt8) -> String {
        switch byte {
        case 0x20: "a space"
        case UInt8(ascii: "\\"): "a backslash"
        default: "the control character U+00\(byte < 16 ? "0" : "")\(String(byte, radix: 16, uppercase: true))"
        }
    }
}
