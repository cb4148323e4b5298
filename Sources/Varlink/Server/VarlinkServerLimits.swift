public import NIOCore

/// What a server lets its clients take. At a limit the newest comer is refused; others notice nothing.
public struct VarlinkServerLimits: Hashable, Sendable {
    /// What a call may be.
    public var message = VarlinkMessageLimits()
    /// How many bytes of further calls are read ahead while one is being answered.
    public var readAhead = 64 << 10
    /// Connections at a time; never more than three quarters of the descriptors the process may open.
    public var connections = 4096
    /// Connections at a time of one user.
    public var connectionsPerUser = 256
    /// How many bytes of replies may wait for one client to read them before its connection is closed.
    public var outputQueue = 4 << 20
    /// How long replies may wait without the client reading any of them before its connection is closed.
    public var stall = TimeAmount.seconds(10)
    /// How long a new connection may stay without a first byte.
    public var firstByte = TimeAmount.seconds(45)

    /// The limits as documented at each of them.
    public init() {}
}
