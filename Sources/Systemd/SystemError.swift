internal import Glibc

/// A system call that failed.
package struct SystemError: Error, Hashable, Sendable, CustomStringConvertible {
    /// What was attempted, as a verb and its object: `open the journal in /var/log/journal`.
    package let attempt: String
    /// The `errno` value.
    package let code: Int32

    /// An error of the attempt `attempt`, with the `errno` value `code`.
    package init(_ attempt: String, code: Int32) {
        self.attempt = attempt
        self.code = code
    }

    /// Throws an error if `result` is negative, which is how libsystemd returns an `errno` value.
    @discardableResult
    static func check(_ result: Int32, _ attempt: @autoclosure () -> String) throws(SystemError) -> Int32 {
        guard result < 0 else { return result }
        throw SystemError(attempt(), code: -result)
    }

    /// The attempt and the system's reason: `cannot open …: No such file or directory`.
    package var description: String { "cannot \(attempt): \(Self.reason(code))" }

    /// The system's text for an `errno` value.
    static func reason(_ code: Int32) -> String {
        withUnsafeTemporaryAllocation(of: CChar.self, capacity: 256) { buffer in
            guard let start = buffer.baseAddress, strerror_r(code, start, buffer.count) == 0 else {
                return "error \(code)"
            }
            return String(cString: start)
        }
    }
}
