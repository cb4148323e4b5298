import Foundation
import StrictJSON

/// The files of test vectors in the folder `Vectors`.
enum Vectors {
    static func text(_ name: String) throws -> String {
        let file = URL(filePath: #filePath).deletingLastPathComponent().appending(path: "Vectors/\(name)")
        return try String(contentsOf: file, encoding: .utf8)
    }

    /// One JSON value per line.
    static func lines(_ name: String) throws -> [JSONValue] {
        try text(name).split(separator: "\n").map { try JSONValue(parsing: String($0)) }
    }
}
