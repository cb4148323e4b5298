internal import Basics

/// The faults that a simulation may inject into a run, besides choosing the order.
///
/// A fault is a choice, listed after all jobs: a strategy takes it, a schedule names it, a replay repeats it, and shrinking leaves it out if
/// the failure does not need it. A first-in-first-out run has no faults. Faults happen only where something else could happen too, and
/// only until the body has ended.
public struct SimulatedFaults: Hashable, Sendable {
    /// A kind of fault.
    public enum Kind: Hashable, Sendable {
        /// Before any step, a task that has not ended is cancelled: any task but the root, and an `async let` only while it is ready to go
        /// on. A sleeping task notices when its sleep would have ended, unless it goes on earlier.
        case cancellation
        /// A serial executor with waiting jobs pauses for this long in virtual time.
        case slowExecutor(by: Duration)
        /// All clocks jump forward by one of these durations; the sleeps that this ends all end together.
        case clockJump(by: [Duration])
    }

    /// The kinds of fault that may happen.
    public var kinds: [Kind]
    /// How many faults may happen in one run, of all kinds together; at least 0.
    public var limit: Int

    /// - Parameters:
    ///   - kinds: The kinds of fault that may happen. Durations of 0 or less are left out.
    ///   - limit: How many faults may happen in one run; less than 0 is taken as 0.
    public init(_ kinds: [Kind], limit: Int = 1) {
        self.kinds = kinds.compactMap(\.valid)
        self.limit = max(0, limit)
    }

    /// No faults.
    public static let none = SimulatedFaults([], limit: 0)

    /// Whether no fault can happen.
    public var isEmpty: Bool { kinds.isEmpty || limit <= 0 }
}

extension SimulatedFaults: ExpressibleByArrayLiteral {
    /// At most one of these faults in a run.
    public init(arrayLiteral elements: Kind...) {
        self.init(elements)
    }
}

extension SimulatedFaults.Kind {
    /// The kind without durations that are not positive; nil if none is left.
    fileprivate var valid: Self? {
        switch self {
        case .cancellation: return self
        case .slowExecutor(let duration): return duration > .zero ? self : nil
        case .clockJump(let durations):
            let forward = durations.filter { $0 > .zero }
            return forward.isEmpty ? nil : .clockJump(by: forward)
        }
    }

    /// The text in replay files, such as `clock-jump 1000000000 2000000000`; durations are in nanoseconds.
    var text: String {
        switch self {
        case .cancellation: "cancellation"
        case .slowExecutor(let duration): "slow-executor \(duration.nanoseconds)"
        case .clockJump(let durations):
            "clock-jump " + durations.map { "\($0.nanoseconds)" }.joined(separator: " ")
        }
    }

    /// Reads the text of replay files; nil if it is not one.
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
