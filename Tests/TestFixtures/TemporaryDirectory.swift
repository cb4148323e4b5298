internal import Foundation

/// A folder that is removed when the test ends.
package final class TemporaryDirectory: Sendable {
    package let path: String

    package init() throws {
        // Short, because a socket's path has room for 107 bytes.
        path = "/tmp/sd-\(UInt32.random(in: .min ... .max))"
        try FileManager.default.createDirectory(atPath: path, withIntermediateDirectories: false)
    }

    deinit {
        try? FileManager.default.removeItem(atPath: path)
    }

    package func make(_ name: String) throws -> String {
        let folder = "\(path)/\(name)"
        try FileManager.default.createDirectory(atPath: folder, withIntermediateDirectories: true)
        return folder
    }
}
