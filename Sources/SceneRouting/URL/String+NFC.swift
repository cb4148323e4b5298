#if canImport(Darwin)
    internal import Foundation
#else
    // The standard library offers the normal form only to libraries such as Foundation. FoundationInternationalization would
    // add 40 MB to the statically linked daemon.
    @_spi(_Unicode) internal import Swift
#endif

extension String {
    /// The text in Unicode Normal Form C.
    var normalizedNFC: String {
        guard !utf8.allSatisfy({ $0 < 0x80 }) else { return self }
        #if canImport(Darwin)
            return precomposedStringWithCanonicalMapping
        #else
            var normalized = ""
            normalized.unicodeScalars.append(contentsOf: _nfc)
            return normalized
        #endif
    }
}
