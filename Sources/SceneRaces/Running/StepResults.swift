internal import Locking

/// What became of each step so far, and when.
final class StepResults: Sendable {
    private let results = Guarded<[String: ExpectedResult]>([:])
    private let times = Guarded<[String: StepMark]>([:])

    /// What became of the step of this name; `nil` while it has not ended.
    subscript(_ step: String) -> ExpectedResult? { results.withLock { $0[step] } }

    func note(_ result: ExpectedResult, of step: String) {
        results.withLock { $0[step] = result }
    }

    /// When each step took place, by its name.
    var marks: [String: StepMark] { times.withLock { $0 } }

    /// Only the first counts: an event takes place as it is admitted, however long its sender waits.
    func mark(_ step: String, _ mark: StepMark) {
        times.withLock { marks in
            if marks[step] == nil { marks[step] = mark }
        }
    }
}
