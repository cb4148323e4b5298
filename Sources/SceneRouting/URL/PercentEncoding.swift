/// Percent escapes, RFC 3986 section 2.1.
package enum PercentEncoding {
    /// The bytes with each escape decoded once; `nil` if an escape is incomplete.
    static func decode(_ bytes: some Collection<UInt8>) -> [UInt8]? {
        var decoded: [UInt8] = []
        decoded.reserveCapacity(bytes.count)
        var iterator = bytes.makeIterator()
        while let byte = iterator.next() {
            guard byte == UInt8(ascii: "%") else {
                decoded.append(byte)
                continue
            }
            guard let high = iterator.next().flatMap(ASCII.hexadecimal),
                let low = iterator.next().flatMap(ASCII.hexadecimal)
            else { return nil }
            decoded.append(high << 4 | low)
        }
        return decoded
    }

    /// The text with each escape decoded once; `nil` if an escape is incomplete or the result is not UTF-8.
    static func decodedText(_ text: Substring) -> String? {
        guard text.utf8.contains(UInt8(ascii: "%")) else { return String(text) }
        return decode(text.utf8).flatMap { String(validating: $0, as: UTF8.self) }
    }

    /// The text with all characters escaped except the unreserved ones of RFC 3986, so that it can be in any part of a URL.
    package static func encode(_ text: String) -> String {
        var encoded = ""
        for byte in text.utf8 {
            if ASCII.isLetter(byte) || ASCII.isDigit(byte) || "-._~".utf8.contains(byte) {
                encoded.unicodeScalars.append(Unicode.Scalar(byte))
            } else {
                encoded += byte < 16 ? "%0" : "%"
                encoded += String(byte, radix: 16, uppercase: true)
            }
        }
        return encoded
    }
}
