/// Compiles each pattern of a manifest once, and all of them within one bound.
struct PatternCache {
    private var patterns: [String: BoundedPattern] = [:]
    /// Steps that compiling may still take: about a second for the worst of manifests.
    private var budget = 1 << 25

    mutating func pattern(_ source: String) throws(BoundedPatternError) -> BoundedPattern {
        if let known = patterns[source] { return known }
        let pattern = try BoundedPattern(source, budget: &budget)
        patterns[source] = pattern
        return pattern
    }
}
