import Interleaving
import Testing

/// A small program with one known bug, and the same program without it.
struct Kernel: Sendable {
    /// The source of the pattern.
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
    /// The kind of the failing verdict.
    let verdict: String
    let settings: SimulationSettings
    private let program: @Sendable (Variant) async throws -> Void

    init(
        _ name: String,
        _ family: Family,
        bug: String,
        verdict: String = "failed",
        mailbox: MailboxPolicy = .fifo,
        maxSteps: Int = 2_000,
        program: @escaping @Sendable (Variant) async throws -> Void
    ) {
        self.name = name
        self.family = family
        self.bug = bug
        self.verdict = verdict
        // What each strategy needs is measured with whole jobs, of which there are fewer.
        settings = SimulationSettings(mailbox: mailbox, maxSteps: maxSteps, granularity: .jobs)
        self.program = program
    }

    /// The body to explore.
    func body(_ variant: Variant) -> ExplorationBody {
        { [program] _ in try await program(variant) }
    }
}

extension Kernel: CustomTestStringConvertible {
    var testDescription: String { name }
}

/// Thrown if a kernel's final condition does not hold.
struct Broken: Error {
    let what: String
}

func require(_ condition: Bool, _ what: String) throws(Broken) {
    guard condition else { throw Broken(what: what) }
}

/// Scheduling points that have nothing to do with the bug.
func work(_ points: Int) async {
    for _ in 0..<points { await Task.yield() }
}

extension Kernel {
    /// All there are, in the order of the documentation's table.
    static let all: [Kernel] = [
        account, twoStage, lazyInit, wrongLock, stack, lastZero,
        reorder2, reorder4, reorder6, tokenRing, queue, circularBuffer, progression,
        bluetooth, philosophers3, philosophers5, opposite, carter, lostWakeUp, phase, workStealing,
        missedFinish, doubleClose, sendAfterFinish, producerLeak, droppedElement, lockAndChannel,
        lostContinuation, cancelledWaiter, doubleResume, waitGroupAdd, waitGroupUnderflow, staleSelect, lateChild,
        nestedReadLock,
        tokenStampede, staleCache, imageCache, withdrawal, doubleBooking, doubleDismissal, cancelledResult,
        asyncLetOrder, unorderedTasks, mailboxOrder, overtaking, starvedScene, stuckSpinner,
    ]
}
