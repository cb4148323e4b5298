import Interleaving
import Testing

/// A small program with one known bug, and the same program without it.
struct Kernel: Sendable {
    /// Where the pattern comes from.
    enum Family: String, CaseIterable, Sendable {
        /// Bugs of locks and shared variables, after SCTBench (Thomson, Donaldson, Betts, PPoPP 2014).
        case locks = "SCTBench"
        /// Bugs of channels, contexts and wait groups, after GoBench (Yuan et al., CGO 2021).
        case channels = "GoBench"
        /// Bugs of actors that do something else while they wait.
        case reentrancy = "Re-entrancy"
    }

    enum Variant: Sendable {
        case broken, fixed
    }

    let name: String
    let family: Family
    /// What goes wrong, in one line.
    let bug: String
    /// The kind of the verdict that shows it.
    let verdict: String
    /// The fewest deviations from first-in-first-out that show it; where that is not proven, the most that shrinking leaves.
    let deviations: Int
    /// Whether shrinking has the time to try all schedules with fewer deviations; if not, there may be a failing one among them.
    let isProven: Bool
    let settings: SimulationSettings
    private let program: @Sendable (Variant) async throws -> Void

    init(
        _ name: String,
        _ family: Family,
        bug: String,
        verdict: String = "failed",
        deviations: Int,
        isProven: Bool = true,
        mailbox: MailboxPolicy = .fifo,
        maxSteps: Int = 2_000,
        program: @escaping @Sendable (Variant) async throws -> Void
    ) {
        self.name = name
        self.family = family
        self.bug = bug
        self.verdict = verdict
        self.deviations = deviations
        self.isProven = isProven
        settings = SimulationSettings(mailbox: mailbox, maxSteps: maxSteps)
        self.program = program
    }

    /// What is explored.
    func body(_ variant: Variant) -> Body {
        { [program] _ in try await program(variant) }
    }
}

extension Kernel: CustomTestStringConvertible {
    var testDescription: String { name }
}

/// What must hold at the end of a kernel does not.
struct Broken: Error {
    let what: String
}

func require(_ condition: Bool, _ what: String) throws(Broken) {
    guard condition else { throw Broken(what: what) }
}

/// Work that has nothing to do with the bug: so many scheduling points.
func work(_ points: Int) async {
    for _ in 0..<points { await Task.yield() }
}
