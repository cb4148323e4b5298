/// A test waited for something that did not happen.
package struct NeverHappened: Error, CustomStringConvertible {
    let what: String

    package init(what: String) {
        self.what = what
    }

    package var description: String { "never: \(what)" }
}

/// Waits by polling, for what cannot be notified.
///
/// - Parameters:
///   - what: what the test waits for, for the error.
///   - limit: far longer than a busy machine needs.
package func until(
    _ what: String,
    within limit: Duration = .seconds(300),
    _ isSo: () async throws -> Bool
) async throws {
    let deadline = ContinuousClock.now + limit
    while try await !isSo() {
        guard .now < deadline else { throw NeverHappened(what: what) }
        try await Task.sleep(for: .milliseconds(2))
    }
}
