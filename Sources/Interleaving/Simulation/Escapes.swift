internal import CInterleaving
internal import Basics
internal import Synchronization

/// The tasks of simulations that a foreign thread tried to resume.
///
/// A simulation uses no locks, so a foreign thread cannot hand it a job: the job is dropped, and the simulation finds here why its
/// task never went on.
enum Escapes {
    private static let escaped = Guarded<[UInt64: String]>([:])
    private static let count = Atomic<Int>(0)

    /// Called for every job that is enqueued on a thread without a simulation.
    /// - Returns: Whether the job belongs to a simulation and has to be dropped.
    static func catches(_ job: UnownedJob, on executor: @autoclosure () -> String) -> Bool {
        let id = RuntimeTask.id(of: job)
        guard interleaving_is_watched(id), RuntimeTask.isTask(job) else { return false }
        add(id, on: executor())
        return true
    }

    /// Notes that this thread, which runs no simulation, resumed a simulation's task.
    static func add(_ task: UInt64, on executor: String) {
        let thread = ThreadName.current
        escaped.withLock(for: nil) {
            $0[task] =
                "thread \(thread), outside of the simulation, resumed it on \(executor): something that the body awaits uses its own threads, sockets or executor"
        }
        count.add(1, ordering: .releasing)
    }

    /// Removes and describes an escape of one of these tasks; nil if none escaped.
    static func take(of tasks: TaskTable) -> String? {
        guard count.load(ordering: .acquiring) > 0 else { return nil }
        return escaped.withLock(for: nil) { escaped in
            for (index, entry) in tasks.entries.enumerated() {
                if let text = escaped.removeValue(forKey: entry.id) { return "task \(index): \(text)" }
            }
            return nil
        }
    }
}

/// What a body handed to another thread.
struct ForeignWork: Hashable {
    /// Such as `DispatchQueue.async`.
    let name: String
    /// The address of the call; 0 if it is not known.
    let address: UInt
    /// An address in the function of XCTest, or of another library for tests, that was called; 0 if the body did it itself.
    let entry: UInt
    /// The address at which the step went on that handed it over; 0 if it is not known.
    let step: UInt

    /// What the run on this thread handed over first; nil if nothing.
    /// - Parameter log: The steps of that run.
    static func done(_ log: StepLog) -> ForeignWork? {
        var work = interleaving_foreign_work()
        guard interleaving_handed_over(&work), let name = work.name else { return nil }
        let step = (0..<log.count).contains(Int(work.step)) ? log.takePlaces()[Int(work.step)] : 0
        return ForeignWork(name: String(cString: name), address: work.place, entry: work.entry, step: step)
    }

    /// What it was and where, such as `DispatchQueue.async at Bridge.swift:31`.
    var description: String {
        let what = entry == 0 ? name : "\(FunctionName.at(entry) ?? "a function of XCTest") (\(name))"
        if let place = CodePlace.description(of: address) { return "\(what) \(place)" }
        // An asynchronous function keeps no frame of who called it.
        return CodePlace.description(of: step).map { "\(what), called by what goes on \($0)," } ?? what
    }

    /// Why a run that did it was not a simulation.
    var reproach: String {
        let instead =
            entry == 0
            ? "give the body a fake of it, or set 'allowsForeignThreads', and nothing is proved"
            : "await what fulfils the expectation itself"
        return "\(description) hands work to another thread, and when that does it is chance; \(instead)"
    }

    /// Whether it is a wait of XCTest, which takes no part in a simulation.
    var isWaitOfTest: Bool { entry != 0 }
}

/// The names of threads.
enum ThreadName {
    /// The name of this thread, in quotes.
    static var current: String {
        withUnsafeTemporaryAllocation(of: CChar.self, capacity: 32) { buffer in
            guard let base = buffer.baseAddress else { return "“”" }
            interleaving_thread_name(base, Int32(buffer.count))
            return "“\(marked(String(cString: base)))”"
        }
    }

    /// The most bytes that Linux keeps of a name. What sets a longer one cuts it before, as Foundation's `Thread.name` does, so the rest is lost.
    private static let most = 15

    /// A name with a mark where its end may be missing.
    static func marked(_ name: String) -> String {
        guard name.utf8.count >= most else { return name }
        // A character may have been cut in the middle.
        return (name.last == "\u{FFFD}" ? String(name.dropLast()) : name) + "…"
    }
}
