extension String {
    /// A stand-in for Foundation's.
    public var precomposedStringWithCanonicalMapping: String { self }
}
