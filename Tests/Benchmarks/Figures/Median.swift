extension [Double] {
    /// The middle of them, the upper one of two; not a number where there is none.
    package var median: Double {
        let sorted = sorted()
        return sorted.isEmpty ? .nan : sorted[sorted.count / 2]
    }
}
