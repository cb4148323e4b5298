internal import CInterleaving

/// What the concurrency runtime knows about a task and Swift code cannot ask otherwise.
///
/// The runtime exports the functions. The offsets are those that debuggers use (the runtime's `RuntimeInternals.h`); if they become
/// wrong, the probe's programs that end in a deadlock or a leak fail.
enum RuntimeTask {
    @inline(__always)
    static func id(of job: UnownedJob) -> UInt64 {
        interleaving_task_id(unsafeBitCast(job, to: UnsafeRawPointer.self))
    }

    static func id(of task: UnsafeRawPointer) -> UInt64 {
        interleaving_task_id(task)
    }

    /// The ID of the task that runs on this thread; 0 if none does.
    @inline(__always)
    static var currentID: UInt64 {
        interleaving_running_task_id()
    }

    /// The task that runs on this thread; nil if none does.
    @inline(__always)
    static var current: UnownedJob? {
        swift_task_getCurrent().map { unsafeBitCast($0, to: UnownedJob.self) }
    }

    /// Whether a job is a piece of a task; other jobs are turns of default actors, or go on after `Task.yield`.
    @inline(__always)
    static func isTask(_ job: UnownedJob) -> Bool { kind(of: job) == 0 }

    /// Whether a job is a piece of a task that its parent waits for: an `async let` or a member of a group.
    static func isChild(_ job: UnownedJob) -> Bool {
        interleaving_is_child(unsafeBitCast(job, to: UnsafeRawPointer.self))
    }

    /// Whether a job is a turn of a default actor, in which one task after the other may go on.
    static func isTurn(_ job: UnownedJob) -> Bool { Layout.turns.contains(kind(of: job)) }

    @inline(__always)
    private static func kind(of job: UnownedJob) -> UInt8 {
        UInt8(truncatingIfNeeded: interleaving_job_flags(unsafeBitCast(job, to: UnsafeRawPointer.self)))
    }

    /// The address at which a job goes on that has not begun; where that is in the runtime, such as at the end of a sleep, its caller's; 0 if it
    /// belongs to no task.
    @inline(__always)
    static func place(of job: UnownedJob) -> UInt {
        isTask(job) ? place(of: unsafeBitCast(job, to: UnsafeRawPointer.self), isSuspended: true) : 0
    }

    /// The address at which a task goes on, likewise if it waits for something; else the one at which it last did. The task's memory must still
    /// exist.
    static func place(of task: UnsafeRawPointer) -> UInt {
        place(of: task, isSuspended: task.load(fromByteOffset: Layout.status, as: UInt32.self) & Layout.dependent != 0)
    }

    /// - Parameter isSuspended: Whether its frames are as it has left them, so that they can be looked at.
    @inline(__always)
    private static func place(of task: UnsafeRawPointer, isSuspended: Bool) -> UInt {
        let context = task.loadUnaligned(fromByteOffset: Layout.context, as: UnsafeRawPointer?.self)
        var place = task.loadUnaligned(fromByteOffset: Layout.resume, as: UInt.self)
        if place == interleaving_arrival { place = interleaving_place_of_arrival(context) }
        return isSuspended ? interleaving_users_place(place, context) : place
    }

    /// Retains the object of a task.
    /// - Returns: nil for a task in its parent's frame (`async let`), which has no reference count.
    static func retain(_ job: UnownedJob) -> UnsafeRawPointer? {
        let object = unsafeBitCast(job, to: UnsafeRawPointer.self)
        return interleaving_retain(object) ? object : nil
    }

    static func release(_ task: UnsafeRawPointer) {
        interleaving_release(task)
    }

    static func cancel(_ task: UnsafeRawPointer) {
        interleaving_cancel(task)
    }

    /// Whether a task has ended. The task must be retained.
    static func isComplete(_ task: UnsafeRawPointer) -> Bool {
        task.load(fromByteOffset: Layout.status, as: UInt32.self) & Layout.complete != 0
    }

    /// Whether a task was cancelled. The task's memory must still exist.
    static func isCancelled(_ task: UnsafeRawPointer) -> Bool {
        task.load(fromByteOffset: Layout.status, as: UInt32.self) & Layout.cancelled != 0
    }

    /// The name that a task was created with. The task must not have ended.
    static func name(of task: UnsafeRawPointer) -> String? {
        var next = task.load(fromByteOffset: Layout.record, as: UnsafeRawPointer?.self)
        while let record = next {
            if record.load(as: UInt8.self) == Layout.nameRecord {
                return record.load(fromByteOffset: Layout.name, as: UnsafePointer<CChar>?.self).map {
                    String(cString: $0)
                }
            }
            next = record.load(fromByteOffset: Layout.nextRecord, as: UnsafeRawPointer?.self)
        }
        return nil
    }

    /// What a task waits for, which the runtime records to escalate priorities.
    enum StepDependency {
        case task(UnsafeRawPointer)
        case continuation
        case group
        case unknown

        /// - Parameter find: Finds the number of a task.
        func reason(_ find: (UnsafeRawPointer) -> Int?) -> WaitingTask.Reason {
            switch self {
            case .task(let other): .task(find(other))
            case .continuation: .continuation
            case .group: .group
            case .unknown: .unknown
            }
        }
    }

    /// What a task waits for. The task's memory must still exist.
    static func dependency(of task: UnsafeRawPointer) -> StepDependency {
        let status = task.load(fromByteOffset: Layout.status, as: UInt32.self)
        guard status & Layout.dependent != 0,
            let record = task.load(fromByteOffset: Layout.record, as: UnsafeRawPointer?.self)
        else { return .unknown }
        switch record.load(fromByteOffset: Layout.dependencyKind, as: UInt32.self) {
        case 1:
            let other = record.load(fromByteOffset: Layout.dependency, as: UnsafeRawPointer?.self)
            return other.map { .task($0) } ?? .unknown
        case 2: return .continuation
        case 3: return .group
        default: return .unknown
        }
    }

    /// Offsets in bytes, 64-bit.
    enum Layout {
        /// The kinds of jobs that default actors enqueue.
        static let turns: ClosedRange<UInt8> = 192...194
        static let resume = 56
        static let context = 64
        static let status = 96
        static let record = 104
        /// The first byte of a record is its kind.
        static let nameRecord: UInt8 = 6
        static let nextRecord = 8
        static let name = 16
        static let dependency = 16
        static let dependencyKind = 32

        static let cancelled: UInt32 = 0x100
        static let complete: UInt32 = 0x2000
        static let dependent: UInt32 = 0x4000
    }
}
