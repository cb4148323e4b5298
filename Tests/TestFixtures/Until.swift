/// Something that a test waited for and that did not come.
package struct NeverHappened: Error, CustomStringConvertible {
    let what: String

    package init(what: String) {
        self.what = what
    }

    package var description: String { "never: \(what)" }
}

/// Waits for what nobody tells of, by looking again and again. Who is told, or can be, does not need it.
///
/// - Parameters:
///   - what: What is awaited, for the error.
///   - limit: Far longer than a busy machine needs, so that only what never comes is missed.
package func until(
    _ what: String,
    within limit: Duration = .seconds(120),
    _ isSo: () async throws -> Bool
) async throws {
    let deadline = ContinuousClock.now + limit
    while try await !isSo() {
        guard .now < deadline else { throw NeverHappened(what: what) }
        try await Task.sleep(for: .milliseconds(2))
    }
}
