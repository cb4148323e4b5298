internal import Locking

/// What may go wrong in a run beside the order of things, because it was asked for.
///
/// Faults are choices like others, after all jobs: a strategy takes them, a schedule names them, a replay repeats them, and shrinking leaves
/// out those that a failure does not need. A first-in-first-out run has none. They happen only where something else could,
/// until the body has ended.
public struct Faults: Hashable, Sendable {
    /// One sort of fault.
    public enum Kind: Hashable, Sendable {
        /// A task is cancelled: any task of the body but its root that has not ended and is not cancelled yet, before each step. An `async let`
        /// only while it could go on. In a sleep it shows when the sleep would have ended, unless something else happens before.
        case cancellation
        /// A serial executor that has something to do does nothing for so long in virtual time.
        case slowExecutor(by: Duration)
        /// All clocks go forward by one of these at once; sleeps that it ends end together.
        case clockJump(by: [Duration])
    }

    /// What may happen.
    public var kinds: [Kind]
    /// How many may happen in one run, of all kinds together; at least 0.
    public var limit: Int

    /// - Parameters:
    ///   - kinds: What may happen. Durations of 0 or less are left out.
    ///   - limit: How many may happen in one run; less than 0 is taken as 0.
    public init(_ kinds: [Kind], limit: Int = 1) {
        self.kinds = kinds.compactMap(\.valid)
        self.limit = max(0, limit)
    }

    /// Nothing goes wrong.
    public static let none = Faults([], limit: 0)

    /// Whether anything may happen.
    public var isEmpty: Bool { kinds.isEmpty || limit <= 0 }
}

extension Faults: ExpressibleByArrayLiteral {
    /// One fault of these in a run.
    public init(arrayLiteral elements: Kind...) {
        self.init(elements)
    }
}

extension Faults.Kind {
    /// Without what is no fault.
    fileprivate var valid: Self? {
        switch self {
        case .cancellation: return self
        case .slowExecutor(let duration): return duration > .zero ? self : nil
        case .clockJump(let durations):
            let forward = durations.filter { $0 > .zero }
            return forward.isEmpty ? nil : .clockJump(by: forward)
        }
    }

    /// The form of files, such as `clock-jump 1000000000 2000000000`; durations are in nanoseconds.
    var text: String {
        switch self {
        case .cancellation: "cancellation"
        case .slowExecutor(let duration): "slow-executor \(duration.nanoseconds)"
        case .clockJump(let durations):
            "clock-jump " + durations.map { "\($0.nanoseconds)" }.joined(separator: " ")
        }
    }

    /// Reads the form of files.
    init?(_ text: String) {
        let words = text.split(separator: " ", omittingEmptySubsequences: false)
        let numbers = words.dropFirst().compactMap { Int64($0) }.filter { $0 > 0 }
        guard numbers.count == words.count - 1 else { return nil }
        let durations = numbers.map { Duration.nanoseconds($0) }
        switch (words[0], durations.count) {
        case ("cancellation", 0): self = .cancellation
        case ("slow-executor", 1): self = .slowExecutor(by: durations[0])
        case ("clock-jump", 1...): self = .clockJump(by: durations)
        default: return nil
        }
    }
}
