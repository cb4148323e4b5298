internal import StrictJSON

/// The format of `soak.json`, which keeps a run.
package enum SoakFile {
    /// The value of the first member, which identifies the format.
    static let format = "scened-soak"
    /// The version that is written, and the only one that is read. New members do not need a new version.
    package static let version = 1

    /// The file's content, one line of JSON.
    package static func bytes(of run: SoakRun, verdict: SoakVerdict? = nil) -> [UInt8] {
        var bytes: [UInt8] = []
        json(of: run, verdict: verdict).write(to: &bytes)
        bytes.append(UInt8(ascii: "\n"))
        return bytes
    }

    /// Reads a file that ``bytes(of:verdict:)`` wrote.
    /// - Throws: ``SoakFileError``, which says what is wrong where, and what was expected.
    package static func run(parsing bytes: [UInt8]) throws(SoakFileError) -> SoakRun {
        let value: JSONValue
        do throws(JSONError) {
            value = try JSONValue(parsing: bytes, limits: JSONLimits(depth: 16))
        } catch {
            throw SoakFileError(
                line: error.line,
                column: error.column,
                problem: "not complete JSON: \(error.reason)"
            )
        }
        do throws(JSONFieldError) {
            return try JSONReader(value).run()
        } catch {
            // Only an error needs places, and finding them takes longer than reading the file.
            let place = JSONPlaces(of: value, in: String(decoding: bytes, as: UTF8.self)).place(at: error.path)
            throw SoakFileError(line: place.line, column: place.column, problem: error.description)
        }
    }
}

/// Why a file is not a soak.
package struct SoakFileError: Error, Hashable, Sendable, CustomStringConvertible {
    /// The line, from 1.
    package let line: Int
    /// The column in bytes, from 1.
    package let column: Int
    /// What is wrong and what was expected, as a phrase without a full stop.
    package let problem: String

    package var description: String { "line \(line), column \(column): \(problem)" }
}
