internal import Glibc

/// A call into the system that failed: what was tried, on what, and the system's own reason.
package struct SystemError: Error, Hashable, Sendable, CustomStringConvertible {
    /// What was tried, in the words of a sentence: `open the journal of /var/log/journal`.
    package let attempt: String
    /// The `errno` value.
    package let code: Int32

    package init(_ attempt: String, code: Int32) {
        self.attempt = attempt
        self.code = code
    }

    /// Turns libsystemd's convention, a negative `errno` for failure, into an error.
    @discardableResult
    static func check(_ result: Int32, _ attempt: @autoclosure () -> String) throws(SystemError) -> Int32 {
        guard result < 0 else { return result }
        throw SystemError(attempt(), code: -result)
    }

    package var description: String { "cannot \(attempt): \(Self.reason(code))" }

    static func reason(_ code: Int32) -> String {
        withUnsafeTemporaryAllocation(of: CChar.self, capacity: 256) { buffer in
            guard let start = buffer.baseAddress, strerror_r(code, start, buffer.count) == 0 else {
                return "error \(code)"
            }
            return String(cString: start)
        }
    }
}
