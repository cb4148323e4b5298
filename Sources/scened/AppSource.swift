internal import Glibc
internal import SceneManifest
internal import SceneRouting

/// Where the app comes from.
enum AppSource {
    /// The longest file read, in bytes.
    private static let limit = 8 << 20

    /// The manifest in this file, or the built-in shop.
    static func manifest(at path: String?) throws -> AppManifest {
        guard let path else { return try AppManifest.builtInShop() }
        let directory = path.lastIndex(of: "/").map { String(path[...$0]) } ?? ""
        return try AppManifest.read(
            try text(of: path),
            file: path,
            readFile: { name in try text(of: name.hasPrefix("/") ? name : directory + name) }
        ).manifest
    }

    /// The text of a file of at most this many bytes.
    static func text(of path: String, limit: Int = Self.limit) throws -> String {
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
