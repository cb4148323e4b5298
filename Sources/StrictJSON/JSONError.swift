/// Why bytes are not the JSON that was asked for, and where.
public struct JSONError: Error, Hashable, Sendable, CustomStringConvertible {
    /// What was wrong, as a phrase without full stop.
    public let reason: String
    /// The offset of the offending byte, from 0.
    public let offset: Int
    /// The line of the offending byte, from 1.
    public let line: Int
    /// The column of the offending byte in its line, in bytes from 1.
    public let column: Int

    public var description: String { "line \(line), column \(column): \(reason)" }
}
