extension SoakPlan {
    /// Reads `50,90,99.9`: above 0, up to 100, in any order.
    package static func percentiles(parsing text: String) throws(SoakPlanProblem) -> [Double] {
        var percentiles: Set<Double> = []
        for part in text.split(separator: ",", omittingEmptySubsequences: false) {
            guard let value = Double(part), value > 0, value <= 100 else {
                throw SoakPlanProblem(
                    "percentiles",
                    text,
                    "'\(part)' is no percentile; numbers above 0 up to 100, such as 50,90,99.9, would be right."
                )
            }
            percentiles.insert(value)
        }
        return percentiles.sorted()
    }
}
