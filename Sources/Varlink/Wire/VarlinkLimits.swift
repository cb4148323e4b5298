/// What one end of a connection accepts in a message.
public struct VarlinkMessageLimits: Hashable, Sendable {
    /// The longest message in bytes, its NUL not counted.
    public var bytes: Int
    /// How deep arrays and objects may nest in a message, the message itself included; at most 512.
    public var depth: Int

    /// 1 MiB and 64 levels unless told.
    public init(bytes: Int = 1 << 20, depth: Int = 64) {
        self.bytes = bytes
        self.depth = depth
    }
}
