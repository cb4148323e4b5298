/// How a run ended.
public enum RunVerdict: Hashable, Sendable {
    /// The body ended, and so did everything that it started.
    case passed
    /// The body threw, or an expectation failed. The text says which.
    case failed(String)
    /// The body waits, and no task can go on: each of these waits for another task, or for a continuation that no task is left to
    /// resume.
    case deadlock([WaitingTask])
    /// The body waits for a continuation that was dropped without being resumed. Where the Swift runtime is linked statically, this
    /// is a deadlock instead.
    case lostContinuation(String, [WaitingTask])
    /// A continuation was resumed more than once.
    case doubleResume(String)
    /// The run had not ended after this many steps, although the second half of them was fair. The text says which task looked at a clock
    /// again and again, and where: virtual time stood still for it. It is nil if none did.
    case livelock(steps: Int, look: String? = nil)
    /// The body ended, but these tasks never will.
    case taskLeak([WaitingTask])
    /// A task left the simulation: it went on from another thread. The text names the task and the executor that it was enqueued on.
    case escaped(String)
    /// The run trapped, by a failed precondition, `fatalError` or a signal. The text is what the runtime said, and where it was, if that is
    /// known. It has ended its process only where it could not be left: see <doc:WhatASimulationSees#Traps-and-blocking-calls>.
    case trapped(signal: Int32, message: String)
    /// A step of the run did not end: it blocks its thread, or never suspends. The text says for how long, and where, if that is known.
    case blocked(String)

    /// Whether it is anything other than ``passed``.
    public var isFailure: Bool { self != .passed }

    /// The name of the case in reports and files, such as `lost-continuation`.
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
        case .blocked: "blocked"
        }
    }

    /// What two runs have in common that failed in the same way: the kind, and of those that trapped or were blocked the signal and the place,
    /// as far as they are known.
    package var cause: String {
        switch self {
        case .trapped(let signal, let message):
            // What the runtime says after the line may have numbers that are others in each order.
            let line = message.firstRange(of: ": Fatal error").map { message[..<$0.lowerBound] } ?? ""
            return "\(kind) \(signal) \(line)\(Self.place(in: message))"
        // Where in a loop it is found is chance.
        case .blocked(let text): return text.contains(" never suspends") ? kind : "\(kind)\(Self.place(in: text))"
        default: return kind
        }
    }

    /// The place at the end of a text, such as ` at Cart.swift:12`.
    private static func place(in text: String) -> Substring {
        text.firstMatch(of: #/ (at|in) [^ ]+$/#).map { text[$0.range] } ?? ""
    }
}

/// A task that waits, and what it waits for.
public struct WaitingTask: Hashable, Sendable, CustomStringConvertible {
    /// The number of the task in its run; 0 is the root.
    public let task: Int
    /// The name that the task was created with, if any.
    public let name: String?
    /// The function in which it goes on after the wait, such as `Account.withdraw(_:)`, if known.
    public let function: String?
    /// What it waits for.
    public let reason: Reason
    /// The number of the task, such as this one, that has the lock for which it waits; nil if it waits for something else, or that is not known.
    public let holder: Int?

    /// What a task can wait for.
    public enum Reason: Hashable, Sendable {
        /// The value of another task, by its number; nil if it belongs to no task of this run.
        case task(Int?)
        /// A continuation to be resumed.
        case continuation
        /// The children of its task group.
        case group
        /// A lock that another task, or the task itself, has. Only where jobs are stopped: see ``SimulationSettings/Granularity/stops``.
        case lock
        /// A semaphore to be signalled, as ``lock``.
        case semaphore
        /// A condition to be signalled, as ``lock``.
        case condition
        /// A `DispatchGroup` to be left, as ``lock``.
        case dispatchGroup
        /// The end of a sleep of its thread, such as `usleep`. Only where jobs are stopped, as ``lock``.
        case sleep
        /// Something that the runtime does not name.
        case unknown
    }

    package init(task: Int, name: String?, function: String?, reason: Reason, holder: Int? = nil) {
        self.task = task
        self.name = name
        self.function = function
        self.reason = reason
        self.holder = holder
    }

    /// Such as `task 3 “reader” waits for a continuation to be resumed in Channel.next()`.
    public var description: String { text(at: nil) }

    /// The same, with the place where it goes on, such as `Channel.swift:41`.
    func text(at place: String?) -> String {
        let what =
            switch reason {
            case .task(let number?): "waits for task \(number)"
            case .task(nil): "waits for a task outside the run"
            case .continuation: "waits for a continuation to be resumed"
            case .group: "waits for the children of its group"
            case .lock where holder == task: "waits for a lock that it has itself"
            case .lock: "waits for a lock\(holder.map { " that task \($0) has" } ?? "")"
            case .semaphore: "waits for a semaphore"
            case .condition: "waits for a condition"
            case .dispatchGroup: "waits for a dispatch group"
            case .sleep: "sleeps"
            case .unknown: "waits"
            }
        let title = name.map { "task \(task) “\($0)”" } ?? "task \(task)"
        let rest = [function.map { "in \($0)" }, place.map { "at \($0)" }].compactMap(\.self)
        return ([title, what] + rest).joined(separator: " ")
    }
}

extension RunVerdict: CustomStringConvertible {
    /// The verdict in words, with the texts and tasks of the case.
    public var description: String {
        text { $0.isEmpty ? "nothing can go on" : $0.map(\.description).joined(separator: ", ") }
    }

    /// The verdict in words.
    /// - Parameter list: Lists tasks that wait.
    func text(_ list: ([WaitingTask]) -> String) -> String {
        switch self {
        case .passed: "passed"
        case .failed(let text): text
        case .deadlock(let waiters): "deadlock: \(list(waiters))"
        case .lostContinuation(let text, let waiters): "lost continuation: \(text); \(list(waiters))"
        case .doubleResume(let text): "double resume: \(text)"
        case .livelock(let steps, nil): "livelock: no end after \(steps) steps"
        case .livelock(let steps, let look?):
            "livelock: no end after \(steps) steps: \(look), and virtual time goes on only when everything waits; sleep in the loop, or let work take time, such as 'workTakes: .zero ... .milliseconds(5)' in SimulationSettings"
        case .taskLeak(let waiters): "task leak: the body has ended, but \(list(waiters))"
        case .escaped(let text): "escaped: \(text)"
        case .blocked(let text): "blocked: \(text)"
        case .trapped(let signal, let message):
            "trapped with signal \(signal)" + (message.isEmpty ? "" : ": \(message)")
        }
    }
}
