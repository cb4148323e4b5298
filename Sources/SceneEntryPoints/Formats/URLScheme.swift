internal import SceneRouting
internal import StrictJSON

/// Reads the scheme of a URL, which is enough to distinguish a universal link from a URL of the app's own scheme.
enum URLScheme {
    /// The scheme in lower case; `nil` if the text does not begin with one.
    static func of(_ url: String) -> String? {
        length(url).map { String(decoding: url.utf8.prefix($0), as: UTF8.self).lowercased() }
    }

    /// The length of the scheme in bytes; `nil` if the text does not begin with one (RFC 3986, section 3.1).
    private static func length(_ url: String) -> Int? {
        var length = 0
        for byte in url.utf8 {
            if byte == UInt8(ascii: ":") { return length > 0 ? length : nil }
            guard ASCII.isLetter(byte) || length > 0 && (ASCII.isDigit(byte) || "+-.".utf8.contains(byte)) else {
                return nil
            }
            length += 1
        }
        return nil
    }

    /// Whether the URL is an http or https URL.
    static func isWeb(_ url: String) -> Bool { of(url).map(isWeb(scheme:)) ?? false }

    /// Whether a scheme in lower case is http or https.
    static func isWeb(scheme: String) -> Bool { scheme == "https" || scheme == "http" }

    static func check(_ url: String, at path: JSONPath) throws(JSONFieldError) {
        guard length(url) != nil else {
            throw JSONFieldError(
                path: path,
                expected: "absolute URL such as \"https://shop.example/cart\"",
                found: url.isEmpty ? "empty string" : url.quotedForMessage
            )
        }
    }
}
