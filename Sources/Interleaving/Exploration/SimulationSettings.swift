/// What is the same in every run of an exploration and its replays.
public struct SimulationSettings: Hashable, Sendable {
    /// Which jobs of one serial executor may overtake each other.
    public var mailbox: MailboxPolicy
    /// How many steps a run may take, at least 2. The second half of them is first-in-first-out, so that a run that is only unfair ends.
    public var maxSteps: Int
    /// Whether tasks that have not ended when nothing more can happen make the run fail.
    public var allowsTaskLeaks: Bool
    /// What takes the jobs of tasks.
    public var control: Control

    /// What may go wrong; nothing by default.
    public var faults: Faults
    /// How long the first run that comes to rest too early waits for a thread outside that may still resume it, in milliseconds: a
    /// thread that takes longer makes the escape look like a deadlock.
    public var escapePatience = 100

    /// How tasks get into the simulation.
    public enum Control: String, Hashable, Sendable, CaseIterable {
        /// Everything: the default executor and the main executor of the process are replaced on the thread of the simulation.
        case system
        /// Only what goes through a ``SimulatedExecutor`` or a ``SimulatedTaskExecutor``: the body runs with a task executor preference. `Task {}`,
        /// `Task.detached`, `MainActor` and sleeps escape, and fail the run when they touch it. Uses public API of Swift only.
        case injected
    }

    public init(
        mailbox: MailboxPolicy = .fifo,
        maxSteps: Int = 20_000,
        allowsTaskLeaks: Bool = false,
        control: Control = .system,
        faults: Faults = .none
    ) {
        self.mailbox = mailbox
        self.maxSteps = max(2, maxSteps)
        self.allowsTaskLeaks = allowsTaskLeaks
        self.control = control
        self.faults = faults
    }
}
