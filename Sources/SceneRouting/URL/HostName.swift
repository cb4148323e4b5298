/// Host names in the canonical form in which they are compared: ASCII in lower case, other labels as `xn--` (RFC 3492).
///
/// Letters are lowered and composed before they are encoded. The rest of UTS 46, which ignores or maps characters, is not
/// implemented; a host that needs it counts as a different one.
enum HostName {
    /// The canonical form of a host as written in a URL.
    static func canonical(_ bytes: ArraySlice<UInt8>) throws(RouteError) -> String {
        guard !bytes.isEmpty else { throw .malformed(reason: "the host is empty") }
        guard let decoded = PercentEncoding.decode(bytes), let text = String(validating: decoded, as: UTF8.self) else {
            throw .malformed(reason: "the host does not decode to UTF-8")
        }
        guard let host = canonical(text) else { throw .malformed(reason: "'\(text)' is not a host name") }
        return host
    }

    /// The canonical form, without a trailing dot; `nil` if `text` is not a host name.
    static func canonical(_ text: String) -> String? {
        if isCanonical(text.utf8) { return text }
        var text = text.lowercased().normalizedNFC
        if text.hasSuffix(".") { text.removeLast() }
        guard !text.isEmpty, text.utf8.count <= 1024 else { return nil }
        var labels: [String] = []
        for label in text.split(separator: ".", omittingEmptySubsequences: false) {
            guard !label.isEmpty else { return nil }
            if label.utf8.allSatisfy({ $0 < 0x80 }) {
                guard label.utf8.allSatisfy(isAllowed) else { return nil }
                labels.append(String(label))
            } else {
                guard label.unicodeScalars.allSatisfy({ $0.value >= 0x80 || isAllowed(UInt8($0.value)) }),
                    let encoded = Punycode.encode(label.unicodeScalars.map(\.value))
                else { return nil }
                labels.append("xn--" + encoded)
            }
        }
        let host = labels.joined(separator: ".")
        return host.utf8.count <= 253 ? host : nil
    }

    /// Whether a text is canonical already, as most hosts are.
    private static func isCanonical(_ text: String.UTF8View) -> Bool {
        let dot = UInt8(ascii: ".")
        var previous = dot
        for byte in text {
            guard byte == dot ? previous != dot : isAllowed(byte) && ASCII.lowercased(byte) == byte else {
                return false
            }
            previous = byte
        }
        return previous != dot && text.count <= 253
    }

    /// Whether a canonical host is this domain or, for `*.example.com`, a subdomain of `example.com`.
    static func matches(_ host: String, _ domain: String) -> Bool {
        guard domain.hasPrefix("*.") else { return host == domain }
        let suffix = domain.dropFirst()
        return host.utf8.count > suffix.utf8.count && host.hasSuffix(suffix)
    }

    /// The domains that a host is a subdomain of: `shop.example` and `example` for `a.shop.example`.
    static func parents(of host: String) -> [Substring] {
        host.utf8.indices.filter { host.utf8[$0] == UInt8(ascii: ".") }.map { host[host.utf8.index(after: $0)...] }
    }

    private static func isAllowed(_ byte: UInt8) -> Bool {
        ASCII.isLetter(byte) || ASCII.isDigit(byte) || byte == UInt8(ascii: "-") || byte == UInt8(ascii: "_")
            || byte == UInt8(ascii: "*")
    }
}
