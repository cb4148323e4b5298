extension String {
    /// The text as a word of a POSIX shell: in quotes, if it has characters that a shell interprets, or none.
    package var shellWord: String {
        let isPlain = allSatisfy { $0.isASCII && ($0.isLetter || $0.isNumber || "=,.-_@+/".contains($0)) }
        return isPlain && !isEmpty ? self : "'\(replacing("'", with: "'\\''"))'"
    }
}
