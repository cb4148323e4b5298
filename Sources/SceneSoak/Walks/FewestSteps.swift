/// The fewest steps that still show something: steps are left out, first half of them at once and then fewer and fewer, as long as the
/// rest shows it, too (Zeller and Hildebrandt: Simplifying and Isolating Failure-Inducing Input, 2002).
package struct FewestSteps<Step: Sendable>: Sendable {
    /// The steps that are left. If the search was not ended early, none of them can be left out.
    package private(set) var steps: [Step]
    /// How often steps were tried.
    package private(set) var tries = 0

    /// - Parameters:
    ///   - steps: Steps that show it.
    ///   - ends: Asked before each try: whether to be content with what is left.
    ///   - shows: Tries steps: how many of them, from the first, it takes until it shows; `nil` if it does not.
    package init(
        of steps: [Step],
        until ends: () -> Bool = { false },
        shows: ([Step]) async throws -> Int?
    ) async rethrows {
        self.steps = steps
        var size = max(1, steps.count / 2)
        while true {
            var start = 0
            let before = self.steps.count
            while start < self.steps.count {
                if ends() { return }
                let rest = self.steps[..<start] + self.steps.dropFirst(start + size)
                tries += 1
                if let count = try await shows(Array(rest)) {
                    self.steps = Array(rest.prefix(count))
                } else {
                    start += size
                }
            }
            if size == 1, self.steps.count == before { return }
            size = max(1, size / 2)
        }
    }
}
