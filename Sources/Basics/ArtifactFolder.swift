/// The names of the folders in which tests leave what explains their failure.
package enum ArtifactFolder {
    /// How often each test has run in this process: once for each of its arguments.
    private static let runs = Guarded<[String: Int]>([:])

    /// A folder's name for the next run of a test: the words, such as its module, suite and function, as ASCII letters and digits
    /// between hyphens, at most 120 of them, and from the second run on its number.
    package static func name(ofNext words: [String]) -> String {
        let readable = name(of: words)
        let count = runs.withLock { runs in
            runs[readable, default: 0] += 1
            return runs[readable, default: 0]
        }
        return count == 1 ? readable : "\(readable)-\(count)"
    }

    /// A folder's name: the words as ASCII letters and digits between hyphens, at most 120 of them.
    package static func name(of words: [String]) -> String {
        let name = words.joined(separator: "-").map { $0.isASCII && ($0.isLetter || $0.isNumber) ? $0 : "-" }
        return String(String(name).split(separator: "-").joined(separator: "-").prefix(120))
    }
}
