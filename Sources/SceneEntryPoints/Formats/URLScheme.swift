internal import StrictJSON

/// The scheme of a URL, all that is needed here to tell a universal link from the app's own; routing reads the rest.
enum URLScheme {
    /// The scheme in lower case, or `nil` where the text does not begin with one.
    static func of(_ url: String) -> String? {
        length(url).map { String(decoding: url.utf8.prefix($0), as: UTF8.self).lowercased() }
    }

    /// How many bytes the scheme has, or `nil` where the text does not begin with one (RFC 3986, 3.1).
    private static func length(_ url: String) -> Int? {
        var length = 0
        for byte in url.utf8 {
            switch byte {
            case UInt8(ascii: "a")...UInt8(ascii: "z"), UInt8(ascii: "A")...UInt8(ascii: "Z"): break
            case UInt8(ascii: "0")...UInt8(ascii: "9"), UInt8(ascii: "+"), UInt8(ascii: "-"), UInt8(ascii: "."):
                guard length > 0 else { return nil }
            case UInt8(ascii: ":"): return length > 0 ? length : nil
            default: return nil
            }
            length += 1
        }
        return nil
    }

    /// Whether the URL belongs to the web, so that an associated domain has to vouch for the app.
    static func isWeb(_ url: String) -> Bool { of(url).map(isWeb(scheme:)) ?? false }

    /// Whether a scheme in lower case is one of the web's.
    static func isWeb(scheme: String) -> Bool { scheme == "https" || scheme == "http" }

    static func check(_ url: String, at path: String) throws(JSONFieldError) {
        guard length(url) != nil else {
            throw JSONFieldError(
                path: JSONPath(.member(path)),
                expected: "absolute URL such as \"https://shop.example/cart\"",
                found: url.isEmpty ? "empty string" : url.quotedForMessage
            )
        }
    }
}
