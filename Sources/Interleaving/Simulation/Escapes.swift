internal import CInterleaving
internal import Locking
internal import Synchronization

/// Tasks of a simulation that were to go on from a thread that is not its own.
///
/// A foreign thread cannot hand a job to a simulation, which takes no lock; so the job is dropped, and the simulation finds here
/// why its task never went on.
enum Escapes {
    private static let escaped = Guarded<[UInt64: String]>([:])
    private static let count = Atomic<Int>(0)

    /// Asked for every job that is enqueued from a thread without a simulation.
    /// - Returns: Whether the job was one of a simulation, and is dropped.
    static func catches(_ job: UnownedJob, on executor: String) -> Bool {
        let id = RuntimeTask.id(of: job)
        guard interleaving_is_watched(id), RuntimeTask.isTask(job) else { return false }
        add(id, on: executor)
        return true
    }

    /// A task of a simulation goes on, or was to go on, on this thread.
    static func add(_ task: UInt64, on executor: String) {
        let thread = ThreadName.current
        escaped.withLock {
            $0[task] =
                "it went on from thread \(thread) towards \(executor), not from the simulation: something that the body awaits uses threads, sockets or an executor of its own"
        }
        count.add(1, ordering: .releasing)
    }

    /// What escaped of these tasks, if anything did.
    static func take(of tasks: TaskTable) -> String? {
        guard count.load(ordering: .acquiring) > 0 else { return nil }
        return escaped.withLock { escaped in
            for (index, entry) in tasks.entries.enumerated() {
                if let text = escaped.removeValue(forKey: entry.id) { return "task \(index): \(text)" }
            }
            return nil
        }
    }
}
