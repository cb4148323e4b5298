// The standard library has the normal form but shows it only to Foundation and its like; importing all of
// FoundationInternationalization for it would cost the static daemon 40 MB.
@_spi(_Unicode) internal import Swift

extension String {
    /// The text in Unicode Normal Form C.
    var normalizedNFC: String {
        guard !utf8.allSatisfy({ $0 < 0x80 }) else { return self }
        var normalized = ""
        normalized.unicodeScalars.append(contentsOf: _nfc)
        return normalized
    }
}
