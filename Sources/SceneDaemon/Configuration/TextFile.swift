internal import Glibc

/// Reads text files that a person wrote.
enum TextFile {
    /// The text of the file at `path`.
    /// - Parameter limit: the longest file that is read, in bytes.
    /// - Throws: ``ExitError`` if the file cannot be read, is longer, or is not UTF-8.
    static func read(_ path: String, limit: Int) throws -> String {
        guard let file = fopen(path, "re") else {
            throw ExitError(message: "\(path): \(String(cString: strerror(errno)))")
        }
        defer { fclose(file) }
        var bytes: [UInt8] = []
        var buffer = [UInt8](repeating: 0, count: 65_536)
        while true {
            let count = fread(&buffer, 1, buffer.count, file)
            bytes += buffer[..<count]
            guard bytes.count <= limit else { throw ExitError(message: "\(path): longer than \(limit) bytes") }
            if count < buffer.count { break }
        }
        guard ferror(file) == 0 else { throw ExitError(message: "\(path): \(String(cString: strerror(errno)))") }
        guard let text = String(validating: bytes, as: UTF8.self) else {
            throw ExitError(message: "\(path): not UTF-8")
        }
        return text
    }
}
