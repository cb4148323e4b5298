internal import Basics

/// The result of each step so far, and when it took place.
final class StepResults: Sendable {
    // Each step has its own place.
    private let results = Guarded<[String: ExpectedResult]>([:], isReported: false)
    private let times = Guarded<[String: StepMark]>([:], isReported: false)
    private let drawn = Guarded<[String: [Int]]>([:], isReported: false)

    /// The result of a step, by its name; `nil` until it has ended.
    subscript(_ step: String) -> ExpectedResult? {
        results.withLock { results in
            self.results.report(.read, of: step)
            return results[step]
        }
    }

    func note(_ result: ExpectedResult, of step: String) {
        results.withLock { results in
            self.results.report(.write, of: step)
            results[step] = result
        }
    }

    /// The order in which the URLs of each set come, by the name of its step.
    var orders: [String: [Int]] { drawn.withLock { $0 } }

    func note(order: [Int], of step: String) {
        drawn.withLock { $0[step] = order }
    }

    /// When each step took place, by its name.
    var marks: [String: StepMark] { times.withLock { $0 } }

    /// Notes when a step took place. Only the first call counts: an event takes place when it is admitted, however long its sender
    /// waits.
    func mark(_ step: String, _ mark: StepMark) {
        times.withLock { marks in
            if marks[step] == nil { marks[step] = mark }
        }
    }
}

/// The records between which a step took place.
package struct StepMark: Hashable, Sendable {
    /// The number of the newest record when the step began.
    package let began: Int
    /// The number of the newest record when it was refused, admitted or done.
    package let done: Int
}
