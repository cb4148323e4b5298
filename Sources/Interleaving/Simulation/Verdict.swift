/// How a run ended.
public enum Verdict: Hashable, Sendable {
    case passed
    /// The body threw, or an expectation failed. The text says what.
    case failed(String)
    /// The body waits, and nothing is left that could go on: each of these tasks waits for another, or for a resume that
    /// nobody is left to make.
    case deadlock([Waiter])
    /// The body waits for a continuation that was dropped without being resumed. Where the Swift runtime is linked statically this
    /// shows as a deadlock.
    case lostContinuation(String, [Waiter])
    /// A continuation was resumed more than once.
    case doubleResume(String)
    /// The run had not ended after this many steps, although the last half of them let everything go on in turn.
    case livelock(steps: Int)
    /// The body ended, and these tasks never will.
    case taskLeak([Waiter])
    /// Something left the simulation: a task went on from a thread that is not the simulation's. The text names the primitive.
    case escaped(String)
    /// The process would have ended: a failed precondition, `fatalError`, a signal. The text is what it printed.
    case trapped(signal: Int32, message: String)

    public var isFailure: Bool { self != .passed }

    /// The name in reports and files, the same for all texts.
    public var kind: String {
        switch self {
        case .passed: "passed"
        case .failed: "failed"
        case .deadlock: "deadlock"
        case .lostContinuation: "lost-continuation"
        case .doubleResume: "double-resume"
        case .livelock: "livelock"
        case .taskLeak: "task-leak"
        case .escaped: "escaped"
        case .trapped: "trapped"
        }
    }
}

/// A task that waits, and for what.
public struct Waiter: Hashable, Sendable, CustomStringConvertible {
    /// The number of the task in its run, counted from 0: the root of the run.
    public let task: Int
    /// The name given to the task, if it has one.
    public let name: String?
    /// Where it goes on when what it waits for happens, such as `Account.withdraw(_:)`, if that is known.
    public let function: String?
    /// What it waits for.
    public let reason: Reason

    public enum Reason: Hashable, Sendable {
        /// The value of another task, by its number; nil where that is none of this run.
        case task(Int?)
        case continuation
        case group
        case unknown
    }

    public init(task: Int, name: String?, function: String?, reason: Reason) {
        self.task = task
        self.name = name
        self.function = function
        self.reason = reason
    }

    public var description: String {
        let what =
            switch reason {
            case .task(let number?): "waits for task \(number)"
            case .task(nil): "waits for a task outside the run"
            case .continuation: "waits for a continuation to be resumed"
            case .group: "waits for the children of its group"
            case .unknown: "waits"
            }
        let title = name.map { "task \(task) “\($0)”" } ?? "task \(task)"
        return function.map { "\(title) \(what) in \($0)" } ?? "\(title) \(what)"
    }
}

extension Verdict: CustomStringConvertible {
    public var description: String {
        switch self {
        case .passed: "passed"
        case .failed(let text): text
        case .deadlock(let waiters): "deadlock: \(Self.list(waiters))"
        case .lostContinuation(let text, let waiters): "lost continuation: \(text); \(Self.list(waiters))"
        case .doubleResume(let text): "double resume: \(text)"
        case .livelock(let steps): "livelock: no end after \(steps) steps"
        case .taskLeak(let waiters): "task leak: the body has ended, but \(Self.list(waiters))"
        case .escaped(let text): "escaped: \(text)"
        case .trapped(let signal, let message):
            "trapped with signal \(signal)" + (message.isEmpty ? "" : ": \(message)")
        }
    }

    private static func list(_ waiters: [Waiter]) -> String {
        waiters.isEmpty ? "nothing can go on" : waiters.map(\.description).joined(separator: ", ")
    }
}
