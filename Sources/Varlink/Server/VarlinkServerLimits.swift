public import NIOCore

/// What a server lets its clients take. At a limit the newest comer is refused; others notice nothing.
public struct VarlinkServerLimits: Hashable, Sendable {
    /// What a call may be.
    public var message = VarlinkMessageLimits()
    /// How many bytes of further calls are read ahead while one is being answered.
    public var readAhead = 64 << 10
    /// Connections at a time; never more than three quarters of the descriptors the process may open. Who has left when
    /// another comes is not counted any more.
    public var connections = 4096
    /// Connections at a time of one user. Where the descriptors allow fewer ``connections``, a user's share shrinks in
    /// proportion.
    public var connectionsPerUser = 256
    /// How many bytes of replies may wait for one client to read them before its connection is closed.
    public var outputQueue = 4 << 20
    /// How long replies may wait without the client reading any of them before its connection is closed, unless a stream
    /// waits for it (``VarlinkResponder/toleratesStalls()``).
    public var stall = TimeAmount.seconds(10)
    /// How long a new connection may stay without a first byte.
    public var firstByte = TimeAmount.seconds(45)

    /// How many bytes of messages that are incomplete, read ahead or being answered all connections may hold, beyond the
    /// first 64 KiB of each; the connection that would exceed it is closed.
    public var inputMemory = 64 << 20
    /// One user's share of ``inputMemory``.
    public var inputMemoryPerUser = 16 << 20
    /// How many bytes of replies may wait for all clients together to read them, beyond the first 64 KiB of each; the
    /// connection that would exceed it is closed.
    public var outputMemory = 256 << 20
    /// One user's share of ``outputMemory``.
    public var outputMemoryPerUser = 64 << 20

    /// The limits as documented at each of them.
    public init() {}
}
