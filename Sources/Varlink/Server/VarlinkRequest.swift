public import NIOCore
public import StrictJSON

/// A call that has passed all checks: the method exists, the peer may call it, the parameters fit the interface.
public struct VarlinkRequest: Sendable {
    /// The call as it came.
    public let call: VarlinkCall
    /// The number of the call on its connection, from 1; calls answered with an error count too.
    public let number: Int
    /// The connection it came by.
    public let connection: VarlinkConnection

    /// The arguments; a nullable one may be absent or `null`.
    public var parameters: JSONObject { call.parameters }
}

/// A connection as handlers see it.
public struct VarlinkConnection: Sendable {
    /// Counts the server's connections, from 1; never used twice.
    public let id: Int
    /// Who is at the other end.
    public let peer: VarlinkPeer
    /// The loop on which all handlers of this connection are called.
    public let eventLoop: any EventLoop
    /// Succeeds when the connection has closed: for what belongs to the connection and not to one call.
    public let closed: EventLoopFuture<Void>
}
