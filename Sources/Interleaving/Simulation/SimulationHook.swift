internal import CAccess
internal import CInterleaving
@_exported public import SimulatedExecutors
internal import Synchronization

/// Takes the jobs of injected executors: on the thread of a simulation they run in it, and on another thread those of its tasks are dropped.
enum SimulationHook: EnqueueHook {
    /// Before any simulation, because its first job may need it.
    static let install: Void = {
        InstalledHook.install(SimulationHook.self)
        access_watch(
            { Simulator.withCurrent { $0.nameObject() } ?? 0 },
            { object, name, kind, way in
                Simulator.withCurrent { simulator in
                    let name = name == 0 ? UInt64(UInt(bitPattern: object)) : name
                    if way == UInt8(ACCESS_WITHIN_LOCK.rawValue) {
                        interleaving_forget_lock()
                    } else if simulator.stopped.isPossible || simulator.stopped.countsInWhole {
                        if way == UInt8(ACCESS_BY_TRYING.rawValue) { interleaving_see(UInt32(INTERLEAVING_TRY)) }
                        simulator.prepare(object, name, kind, isLocked: way == UInt8(ACCESS_BY_LOCK.rawValue))
                    }
                    if let kind = SharedAccess(rawValue: kind) { simulator.note(RunAccess(name, kind)) }
                }
            }
        )
    }()

    static func takes(_ job: UnownedJob, of executor: SimulatedExecutor) -> Bool {
        Simulator.withCurrent { simulator in
            simulator.enqueue(
                job,
                // What `asUnownedSerialExecutor` returns, without a call to the standard library.
                target: .serial(UnownedSerialExecutor(ordinary: executor)),
                executor: executor.number(in: simulator)
            )
            return true
        } ?? drops(job, of: executor)
    }

    /// Apart, so that a job of a simulation does not pay for the message.
    @inline(never)
    private static func drops(_ job: UnownedJob, of executor: SimulatedExecutor) -> Bool {
        Escapes.catches(job, on: "SimulatedExecutor “\(executor.name)”")
    }

    static func takes(_ job: UnownedJob, of executor: SimulatedTaskExecutor) -> Bool {
        guard let simulator = Simulator.current else { return Escapes.catches(job, on: "SimulatedTaskExecutor") }
        simulator.enqueue(job, target: .task(executor.asUnownedTaskExecutor()), executor: 0)
        return true
    }
}

extension SimulatedExecutor {
    /// Its number in the current run of a simulator; a new one if the run is not the same as last time.
    ///
    /// The run and the number share one word, the low 16 bits of which are the number, so that no thread sees one without the other.
    @inline(__always)
    fileprivate func number(in simulator: Simulator) -> Int {
        let known = mark.load(ordering: .relaxed)
        if known >> 16 == simulator.run { return Int(known & 0xffff) }
        let number = simulator.register(self, name: nameOfObject)
        mark.store(simulator.run << 16 | UInt64(number), ordering: .relaxed)
        return number
    }
}
