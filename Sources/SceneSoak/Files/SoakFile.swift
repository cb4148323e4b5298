internal import StrictJSON

/// A run as `soak.json` keeps it. Reading and writing are of bytes.
package enum SoakFile {
    /// The name in the file's first member, by which it is told from other JSON.
    static let format = "scened-soak"
    /// The version that is written, and the only one that is read. Members may be added without another one.
    package static let version = 1

    /// One line of JSON.
    package static func bytes(of run: SoakRun, verdict: SoakVerdict? = nil) -> [UInt8] {
        var bytes: [UInt8] = []
        json(of: run, verdict: verdict).write(to: &bytes)
        bytes.append(UInt8(ascii: "\n"))
        return bytes
    }

    /// Reads a file that ``bytes(of:verdict:)`` wrote.
    /// - Throws: ``SoakFileError``, which says what is wrong, where, and what would be right.
    package static func run(parsing bytes: [UInt8]) throws(SoakFileError) -> SoakRun {
        let value: JSONValue
        do throws(JSONError) {
            value = try JSONValue(parsing: bytes, limits: JSONLimits(depth: 16))
        } catch {
            throw SoakFileError(
                line: error.line,
                column: error.column,
                problem: "it is not JSON, or not all of it: \(error.reason)"
            )
        }
        do throws(JSONFieldError) {
            return try JSONReader(value).run()
        } catch {
            // Places are looked for only where they are needed: they take longer than all the reading.
            let place = JSONPlaces(of: value, in: String(decoding: bytes, as: UTF8.self)).place(at: error.path)
            throw SoakFileError(line: place.line, column: place.column, problem: error.description)
        }
    }
}

/// A file that holds no soak.
package struct SoakFileError: Error, Hashable, Sendable, CustomStringConvertible {
    /// Counted from 1; columns count bytes.
    package let line: Int
    package let column: Int
    /// What is wrong and what would be right, as a phrase without full stop.
    package let problem: String

    package var description: String { "line \(line), column \(column): \(problem)" }
}
