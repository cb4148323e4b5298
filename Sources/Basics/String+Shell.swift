extension String {
    /// The text as a word of a POSIX shell: in quotes, if it has bytes that a shell interprets, or none. A shell reads bytes, so a quote counts
    /// as one whatever mark follows it.
    package var shellWord: String {
        let isPlain = utf8.allSatisfy { byte in
            switch byte {
            case UInt8(ascii: "a")...UInt8(ascii: "z"), UInt8(ascii: "A")...UInt8(ascii: "Z"),
                UInt8(ascii: "0")...UInt8(ascii: "9"):
                true
            case UInt8(ascii: "="), UInt8(ascii: ","), UInt8(ascii: "."), UInt8(ascii: "-"), UInt8(ascii: "_"),
                UInt8(ascii: "@"),
                UInt8(ascii: "+"), UInt8(ascii: "/"):
                true
            default: false
            }
        }
        guard !isPlain || isEmpty else { return self }
        let parts = utf8.split(separator: UInt8(ascii: "'"), omittingEmptySubsequences: false)
        return "'\(parts.map { String(decoding: $0, as: UTF8.self) }.joined(separator: "'\\''"))'"
    }
}
