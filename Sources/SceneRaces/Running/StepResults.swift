internal import Locking

/// What became of each step so far.
final class StepResults: Sendable {
    private let results = Guarded<[String: ExpectedResult]>([:])

    /// What became of the step of this name; `nil` while it has not ended.
    subscript(_ step: String) -> ExpectedResult? { results.withLock { $0[step] } }

    func note(_ result: ExpectedResult, of step: String) {
        results.withLock { $0[step] = result }
    }
}
