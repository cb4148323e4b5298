internal import Glibc

/// Why a file could not be written: which, and what the system says.
package struct FileFailure: Error, Hashable, Sendable, CustomStringConvertible {
    package let path: String
    package let reason: String

    package var description: String { "\(path): \(reason)" }

    init(_ path: String) {
        self.path = path
        reason = String(cString: strerror(errno))
    }
}

/// The files beside a report that are written while a soak runs.
enum SoakFiles {
    /// Writes lines to a new file, in place of one that is there.
    static func write(_ lines: [String], to path: String) throws(FileFailure) {
        let descriptor = open(path, O_WRONLY | O_CREAT | O_TRUNC | O_CLOEXEC, 0o666)
        guard descriptor >= 0 else { throw FileFailure(path) }
        defer { close(descriptor) }
        try write(lines.joined(separator: "\n") + "\n", to: descriptor, path)
    }

    static func write(_ text: String, to descriptor: CInt, _ path: String) throws(FileFailure) {
        var bytes = Array(text.utf8)[...]
        while !bytes.isEmpty {
            let count = bytes.withUnsafeBytes { Glibc.write(descriptor, $0.baseAddress, $0.count) }
            if count < 0, errno == EINTR { continue }
            guard count > 0 else { throw FileFailure(path) }
            bytes = bytes.dropFirst(count)
        }
    }

    /// Makes a folder and those above it; one that is there is fine.
    static func makeFolder(_ path: String) throws(FileFailure) {
        var built = path.hasPrefix("/") ? "/" : ""
        for part in path.split(separator: "/") {
            built += built.isEmpty || built.hasSuffix("/") ? String(part) : "/\(part)"
            guard mkdir(built, 0o777) == 0 || errno == EEXIST else { throw FileFailure(built) }
        }
    }
}
