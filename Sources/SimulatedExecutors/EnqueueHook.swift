internal import Synchronization

/// What is asked first about each job of these executors. Only what runs simulations installs it, so in production there is none.
package protocol EnqueueHook: SendableMetatype {
    /// Takes a job if it has to run in a simulation, or belongs to one and has to be dropped.
    /// - Returns: Whether nobody else may run it.
    static func takes(_ job: UnownedJob, of executor: SimulatedExecutor) -> Bool
    /// As above, for a job that no actor runs.
    static func takes(_ job: UnownedJob, of executor: SimulatedTaskExecutor) -> Bool
}

/// The hook of this process.
package enum InstalledHook {
    /// Keeps what has more than one word where it can be read with one.
    private final class Box: Sendable {
        let hook: any EnqueueHook.Type

        init(_ hook: any EnqueueHook.Type) { self.hook = hook }
    }

    /// It stays for ever, so whoever reads it need not retain it.
    private static let box = Atomic<Unmanaged<Box>?>(nil)

    /// Installs a hook for the rest of the process's life; the first one counts.
    package static func install(_ hook: any EnqueueHook.Type) {
        let new = Unmanaged.passRetained(Box(hook))
        if !box.compareExchange(expected: nil, desired: new, ordering: .acquiringAndReleasing).exchanged {
            new.release()
        }
    }

    @inline(__always)
    static var current: (any EnqueueHook.Type)? {
        box.load(ordering: .acquiring)?._withUnsafeGuaranteedRef { $0.hook }
    }
}
