/// Why a text is no interface, and where.
public struct VarlinkSyntaxError: Error, Hashable, Sendable, CustomStringConvertible {
    /// What was wrong, as a phrase without full stop.
    public let reason: String
    /// The line of the offence, from 1.
    public let line: Int
    /// The column of the offence in its line, in bytes from 1.
    public let column: Int

    public var description: String { "line \(line), column \(column): \(reason)" }
}
