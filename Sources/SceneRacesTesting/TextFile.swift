internal import SystemPackage

#if canImport(Glibc)
    internal import Glibc
#elseif canImport(Darwin)
    internal import Darwin
#endif

/// Reads and writes text files that a person wrote or will read.
enum TextFile {
    /// The longest file that is read, in bytes.
    private static let limit = 8 << 20

    /// Whether there is something at this path.
    static func exists(_ path: String) -> Bool { access(path, F_OK) == 0 }

    /// The text of the file at this path.
    /// - Throws: ``RaceTestError`` if the file cannot be read, is longer than 8 MiB, or is not UTF-8.
    @Sendable static func read(_ path: String) throws(RaceTestError) -> String {
        var bytes: [UInt8] = []
        do {
            let file = try FileDescriptor.open(FilePath(path), .readOnly, options: .closeOnExec)
            try file.closeAfter {
                try withUnsafeTemporaryAllocation(byteCount: 65_536, alignment: 1) { buffer in
                    while bytes.count <= limit, case let count = try file.read(into: buffer), count > 0 {
                        bytes += buffer[..<count]
                    }
                }
            }
        } catch {
            throw RaceTestError("\(path): \(error)")
        }
        guard bytes.count <= limit else { throw RaceTestError("\(path): longer than \(limit) bytes") }
        guard let text = String(validating: bytes, as: UTF8.self) else { throw RaceTestError("\(path): not UTF-8") }
        return text
    }

    /// Writes a file that only its owner may read: it can contain what users typed.
    /// - Throws: ``RaceTestError`` if it cannot be written.
    static func write(_ text: String, to path: String) throws(RaceTestError) {
        do {
            let file = try FileDescriptor.open(
                FilePath(path),
                .writeOnly,
                options: [.create, .truncate, .closeOnExec],
                permissions: .ownerReadWrite
            )
            try file.closeAfter { _ = try file.writeAll(text.utf8) }
        } catch {
            throw RaceTestError("\(path): \(error)")
        }
    }
}

/// The environment of the process.
enum Environment {
    /// The value of a variable; `nil` if it is not set.
    @Sendable static func value(_ name: String) -> String? { getenv(name).map { String(cString: $0) } }
}
