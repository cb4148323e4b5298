public import NIOCore

/// How many connections and how much memory clients may take up. A limit affects only the client that would exceed it.
public struct VarlinkServerLimits: Hashable, Sendable {
    /// How long and how deep a call may be.
    public var message = VarlinkMessageLimits()
    /// How many bytes of further calls are read while one is being answered.
    public var readAhead = 64 << 10
    /// Connections at a time; never more than three quarters of the descriptors that the process may open.
    public var connections = 4096
    /// Connections of one user at a time.
    public var connectionsPerUser = 256
    /// How many bytes of replies may wait for one client, not counting the newest, which may be of any length. Beyond that its
    /// connection is closed.
    public var outputQueue = 4 << 20
    /// How long replies may wait while the client reads none of them; then its connection is closed, unless the handler has
    /// called ``VarlinkResponder/tolerateStalls()``.
    public var stall = TimeAmount.seconds(10)
    /// How long a new connection may send nothing; then it is closed.
    public var firstByte = TimeAmount.seconds(45)

    /// How many bytes of messages all connections together may hold that are incomplete, read ahead or being answered. The
    /// first 64 KiB of each connection do not count; the connection that would exceed the limit is closed.
    public var inputMemory = 64 << 20
    /// One user's share of ``inputMemory``.
    public var inputMemoryPerUser = 16 << 20
    /// How many bytes of replies may wait for all clients together. The first 64 KiB of each connection do not count; the
    /// connection that would exceed the limit is closed.
    public var outputMemory = 256 << 20
    /// One user's share of ``outputMemory``.
    public var outputMemoryPerUser = 64 << 20

    /// All limits at their defaults.
    public init() {}

    /// The limits for a process that may open so many more files. ``connections`` is at most three quarters of them; if that is
    /// fewer than wanted, one user has at most half of them, or as great a part as before if that was more.
    public func fitting(descriptors: Int) -> VarlinkServerLimits {
        var limits = self
        let wanted = max(1, connections)
        limits.connections = min(wanted, max(1, descriptors / 4 * 3))
        limits.connectionsPerUser = max(1, min(connectionsPerUser, limits.connections))
        if limits.connections < wanted {
            let part = Double(min(connectionsPerUser, wanted)) / Double(wanted)
            let share = max(limits.connections / 2, Int(Double(limits.connections) * part), 1)
            limits.connectionsPerUser = min(limits.connectionsPerUser, share)
        }
        return limits
    }
}
