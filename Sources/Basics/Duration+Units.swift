extension Duration {
    /// In whole nanoseconds, rounded towards 0; clamped to what an `Int` holds (292 years).
    package var nanoseconds: Int {
        let (seconds, attoseconds) = components
        let (product, isTooMuch) = Int(seconds).multipliedReportingOverflow(by: 1_000_000_000)
        let (sum, isTooLong) = product.addingReportingOverflow(Int(attoseconds / 1_000_000_000))
        return isTooMuch || isTooLong ? (seconds < 0 ? .min : .max) : sum
    }

    /// In whole microseconds, rounded towards 0, within the range of ``nanoseconds``.
    package var microseconds: Int { nanoseconds / 1_000 }

    /// In whole milliseconds, rounded towards 0, within the range of ``nanoseconds``.
    package var milliseconds: Int { nanoseconds / 1_000_000 }

    /// In seconds.
    package var seconds: Double { Double(components.seconds) + Double(components.attoseconds) / 1e18 }
}
