/// The name of a strategy, as flags, environment variables and reports write it, and the strategy it stands for.
public enum StrategyName: Hashable, Sendable {
    /// First in, first out.
    case fifo
    /// A random walk.
    case random
    /// Random priorities of tasks, with changes; the depth, 1 to 20, is how many ordering constraints the bug needs.
    case pct(depth: Int)
    /// Random priorities of events: partial order sampling.
    case pos
    /// A random walk that makes all orders about equally likely.
    case urw
    /// Several strategies in turn.
    case portfolio
    /// Every schedule with at most so many preemptions, 0 to 1000; nil means every class of schedules.
    case exhaustive(preemptions: Int?)
    /// Every class of schedules, assuming that tasks share state only through actors.
    case exhaustiveActors
    /// Every class of schedules, assuming that tasks share state only through actors and what reports its accesses, and do not look at
    /// which others have ended or are cancelled.
    case exhaustiveReported
    /// Every schedule, assuming nothing.
    case exhaustiveAll

    /// The known names, with `N` for a number.
    public static let known = [
        "fifo", "random", "pct-N", "pos", "urw", "portfolio", "exhaustive", "exhaustive-N", "exhaustive-actors",
        "exhaustive-reported", "exhaustive-all",
    ]

    /// Reads a name.
    /// - Throws: ``StrategyNameError``, which lists the known names.
    public init(_ name: some StringProtocol) throws(StrategyNameError) {
        switch name {
        case "fifo": self = .fifo
        case "random": self = .random
        case "pos": self = .pos
        case "urw": self = .urw
        case "portfolio": self = .portfolio
        case "exhaustive": self = .exhaustive(preemptions: nil)
        case "exhaustive-actors": self = .exhaustiveActors
        case "exhaustive-reported": self = .exhaustiveReported
        case "exhaustive-all": self = .exhaustiveAll
        default:
            if let depth = Self.number(after: "pct-", in: name), 1...20 ~= depth {
                self = .pct(depth: depth)
            } else if let bound = Self.number(after: "exhaustive-", in: name), 0...1000 ~= bound {
                self = .exhaustive(preemptions: bound)
            } else {
                throw StrategyNameError(name: String(name))
            }
        }
    }

    /// A new strategy of this name.
    /// - Parameter mailboxes: The mailbox policy of the runs, which determines the orders that an exhaustive search has to try.
    public func strategy(mailboxes: MailboxPolicy) -> any ExplorationStrategy {
        switch self {
        case .fifo: FirstInFirstOut()
        case .random: RandomWalk()
        case .pct(let depth): PriorityChanges(depth: depth)
        case .pos: PartialOrderSampling()
        case .urw: UniformWalk()
        case .portfolio: Portfolio()
        case .exhaustive(let bound): ExhaustiveSearch(.unisolated(mailboxes), preemptions: bound)
        case .exhaustiveActors: ExhaustiveSearch(.executors(mailboxes))
        case .exhaustiveReported: ExhaustiveSearch(.reported(mailboxes))
        case .exhaustiveAll: ExhaustiveSearch(.everything)
        }
    }

    /// Whether it tries orders in turn, each of which it expects to be of the same data.
    package var isExhaustive: Bool {
        switch self {
        case .exhaustive, .exhaustiveActors, .exhaustiveReported, .exhaustiveAll: true
        case .fifo, .random, .pct, .pos, .urw, .portfolio: false
        }
    }

    private static func number(after prefix: String, in name: some StringProtocol) -> Int? {
        guard name.hasPrefix(prefix) else { return nil }
        let digits = name.dropFirst(prefix.count)
        return digits.utf8.allSatisfy { UInt8(ascii: "0")...UInt8(ascii: "9") ~= $0 } ? Int(digits) : nil
    }
}

extension StrategyName: CustomStringConvertible {
    /// The name.
    public var description: String {
        switch self {
        case .fifo: "fifo"
        case .random: "random"
        case .pct(let depth): "pct-\(depth)"
        case .pos: "pos"
        case .urw: "urw"
        case .portfolio: "portfolio"
        case .exhaustive(let bound?): "exhaustive-\(bound)"
        case .exhaustive: "exhaustive"
        case .exhaustiveActors: "exhaustive-actors"
        case .exhaustiveReported: "exhaustive-reported"
        case .exhaustiveAll: "exhaustive-all"
        }
    }
}

/// A text that is not the name of a strategy.
public struct StrategyNameError: Error, Hashable, Sendable, CustomStringConvertible {
    /// The text.
    public let name: String

    /// The text, the known names and their ranges.
    public var description: String {
        "no strategy is named '\(name)': give one of \(StrategyName.known.joined(separator: ", ")), "
            + "with N from 1 to 20 for pct and from 0 to 1000 for exhaustive"
    }
}
