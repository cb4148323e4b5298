/// What a text may cost at most before it is refused.
public struct JSONLimits: Hashable, Sendable {
    /// How deep arrays and objects may nest; 1 allows `[]` but not `[[]]`. At least 0, at most 512.
    public var depth: Int

    /// Limits of at most `depth` levels of nesting, 64 unless told.
    public init(depth: Int = 64) {
        self.depth = min(max(depth, 0), 512)
    }
}
