/// What is the same in every run of an exploration and its replays.
public struct SimulationSettings: Hashable, Sendable {
    /// Which jobs of one serial executor may overtake each other.
    public var mailbox: MailboxPolicy
    /// How many steps a run may take, at least 2. The second half of them is first in, first out, so that a run that is merely unfair ends.
    public var maxSteps: Int
    /// Whether a run passes although some of its tasks will never end.
    public var allowsTaskLeaks: Bool
    /// How tasks get into the simulation.
    public var control: Control

    /// The faults that may happen; none by default.
    public var faults: SimulatedFaults
    /// How many milliseconds the first run that comes to rest too early waits for a foreign thread to resume it. If the thread takes longer,
    /// the escape looks like a deadlock.
    public var escapePatience = 100

    /// Whether the body may hand work to other threads: to a dispatch queue, or to a thread that it starts. When they do it is chance, so such a
    /// run has escaped by default, each time. Where it is allowed, no exploration is complete.
    public var allowsForeignThreads = false

    /// How long each step takes, in virtual time: a duration within this range, which follows from the seed of the run and the name of the step. By
    /// default steps take no time, so that no sleep ends while any task can go on, and a timeout never overtakes work that uses no clock.
    /// Bounds below 0 are taken as 0. The durations are not explored: a search in which steps take time is never complete.
    public var workTakes: ClosedRange<Duration> = .zero ... .zero

    /// Where a job may be stopped in the middle, so that others come in between; ``Granularity/finest`` by default.
    public var granularity: Granularity

    /// Whether who explores takes for granted that each job runs whole, where that is the ``granularity``: then an exhaustive search may be
    /// complete although a job took two locks, and what others could have done in between was not explored.
    package var takesJobsWhole = false

    /// Where a job may be stopped. A job is a piece of a task from one suspension to the next.
    public enum Granularity: String, Hashable, Sendable, CaseIterable {
        /// Nowhere: each job runs whole.
        case jobs
        /// Where it has just started or woken another task, or signalled a semaphore, a group or a condition, where it enters or leaves an actor that has the default executor, and where it
        /// calls ``schedulingPoint()``: see <doc:WhatASimulationSees#Where-a-job-is-stopped>.
        ///
        /// Under a sanitizer, in a statically linked program and on other systems than Linux it is the same as ``jobs``, which
        /// ``Exploration/unseen`` says.
        case stops
        /// As ``stops``, and besides before each access to what tasks share that can be seen: before a mutex or a reader-writer lock is taken, before a
        /// semaphore, a group or a condition is waited for or signalled, before and after a look at whether a task is cancelled, and before it is
        /// cancelled. A `Mutex` or an atomic value of `Synchronization` is seen only if it is one of `ExploredSynchronization`.
        case locks

        /// ``stops`` where jobs can be stopped, else ``jobs``.
        public static var finest: Self { SimulationSettings.reasonNotToStop == nil ? .stops : .jobs }
    }

    /// The ways in which tasks get into the simulation.
    public enum Control: String, Hashable, Sendable, CaseIterable {
        /// All tasks: on the thread of the simulation, it replaces the default executor and the main executor.
        case system
        /// Only tasks that use a ``/SimulatedExecutors/SimulatedExecutor`` or a ``/SimulatedExecutors/SimulatedTaskExecutor``: the body runs with a task executor preference. `Task {}`,
        /// `Task.detached`, `MainActor` and sleeps escape, and the run fails if it depends on them. This uses only public API of Swift.
        case injected
    }

    /// - Parameters: As the properties; `maxSteps` below 2 is taken as 2.
    public init(
        mailbox: MailboxPolicy = .fifo,
        maxSteps: Int = 20_000,
        allowsTaskLeaks: Bool = false,
        control: Control = .system,
        granularity: Granularity = .finest,
        faults: SimulatedFaults = .none,
        workTakes: ClosedRange<Duration> = .zero ... .zero
    ) {
        self.mailbox = mailbox
        self.maxSteps = max(2, maxSteps)
        self.allowsTaskLeaks = allowsTaskLeaks
        self.control = control
        self.granularity = granularity
        self.faults = faults
        self.workTakes = workTakes
    }
}

/// Which of the jobs that wait for one serial executor can run next.
public enum MailboxPolicy: String, Hashable, Sendable, CaseIterable {
    /// Only the one that was enqueued first.
    case fifo
    /// Only the one that was enqueued first among those of the highest priority.
    case priority
    /// Any of them.
    case anyOrder
}
