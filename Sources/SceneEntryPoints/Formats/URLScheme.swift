/// The scheme of a URL, all that is needed here to tell a universal link from the app's own; routing reads the rest.
enum URLScheme {
    /// The scheme in lower case, or `nil` where the text does not begin with one (RFC 3986, 3.1).
    static func of(_ url: String) -> String? {
        var scheme = ""
        for byte in url.utf8 {
            switch byte {
            case UInt8(ascii: "a")...UInt8(ascii: "z"): scheme.unicodeScalars.append(Unicode.Scalar(byte))
            case UInt8(ascii: "A")...UInt8(ascii: "Z"): scheme.unicodeScalars.append(Unicode.Scalar(byte + 32))
            case UInt8(ascii: "0")...UInt8(ascii: "9"), UInt8(ascii: "+"), UInt8(ascii: "-"), UInt8(ascii: "."):
                guard !scheme.isEmpty else { return nil }
                scheme.unicodeScalars.append(Unicode.Scalar(byte))
            case UInt8(ascii: ":"): return scheme.isEmpty ? nil : scheme
            default: return nil
            }
        }
        return nil
    }

    /// Whether the URL belongs to the web, so that an associated domain has to vouch for the app.
    static func isWeb(_ url: String) -> Bool {
        let scheme = of(url)
        return scheme == "https" || scheme == "http"
    }

    static func check(_ url: String, at path: String) throws(EntryFormatError) {
        guard of(url) != nil else {
            throw EntryFormatError(
                path: path,
                expected: "absolute URL such as \"https://shop.example/cart\"",
                found: url.isEmpty ? "empty string" : url.quotedForMessage
            )
        }
    }
}
