extension Duration {
    /// The duration in whole nanoseconds, at most what an `Int` holds.
    package var nanoseconds: Int {
        let (seconds, attoseconds) = components
        let (product, overflow) = seconds.multipliedReportingOverflow(by: 1_000_000_000)
        return overflow ? (seconds > 0 ? .max : .min) : Int(product + attoseconds / 1_000_000_000)
    }

    /// The duration in whole milliseconds.
    package var milliseconds: Int { nanoseconds / 1_000_000 }
}
