internal import CInterleaving

/// The steps of the current run, in memory that a process shares with its forks: if a run ends its process, its steps are still
/// known.
///
/// It has room for as many steps as a run may take, so that appending is a plain write. Pages that are never written take no memory.
final class StepLog {
    private let header: UnsafeMutablePointer<interleaving_log>
    private let steps: UnsafeMutablePointer<RunStep>
    /// For each step, the address at which it went on.
    private let places: UnsafeMutablePointer<UInt>
    private let size: Int
    @exclusivity(unchecked) private(set) var count = 0

    /// - Throws: ``ExplorationError/noMemory(steps:)``
    init(capacity: Int) throws(ExplorationError) {
        let first = (MemoryLayout<interleaving_log>.size + 63) & ~63
        let stride = MemoryLayout<RunStep>.stride + MemoryLayout<UInt>.stride
        let (bytes, overflow) = stride.multipliedReportingOverflow(by: capacity)
        guard !overflow, bytes < Int.max - first, let position = MemoryLayout<RunStep>.offset(of: \.position),
            let memory = interleaving_map(first + bytes)
        else { throw .noMemory(steps: capacity) }
        size = first + bytes
        header = memory.bindMemory(to: interleaving_log.self, capacity: 1)
        steps = (memory + first).bindMemory(to: RunStep.self, capacity: capacity)
        places = (memory + first + MemoryLayout<RunStep>.stride * capacity).bindMemory(
            to: UInt.self,
            capacity: capacity
        )
        header.pointee.first_step = Int64(first)
        header.pointee.stride = Int64(MemoryLayout<RunStep>.stride)
        header.pointee.position = Int64(position)
    }

    deinit {
        interleaving_unmap(header, size)
    }

    /// The steps. The next run overwrites them.
    var span: Span<RunStep> {
        @_lifetime(borrow self)
        get {
            let span = Span(_unsafeStart: steps, count: count)
            return unsafe _overrideLifetime(span, borrowing: self)
        }
    }

    /// What the last writer, possibly another process, has done so far.
    var written: (iteration: Int, seed: UInt64, runs: Int, count: Int) {
        let log = header.pointee
        return (Int(log.iteration), log.seed, Int(log.runs), Int(log.count))
    }

    /// Where the last writer stopped jobs.
    var granularity: SimulationSettings.Granularity {
        SimulationSettings.Granularity.allCases.first { $0.version == Int(header.pointee.version) } ?? .jobs
    }

    /// The steps of the last writer, which must have ended if it was another process.
    func takeWritten() -> [RunStep] {
        Array(UnsafeBufferPointer(start: steps, count: Int(header.pointee.count)))
    }

    /// The addresses at which the steps of the last writer went on.
    func takePlaces() -> [UInt] {
        Array(UnsafeBufferPointer(start: places, count: Int(header.pointee.count)))
    }

    /// Begins a run.
    func begin(iteration: Int, seed: UInt64, granularity: SimulationSettings.Granularity) {
        count = 0
        header.pointee.count = 0
        header.pointee.iteration = Int64(iteration)
        header.pointee.seed = seed
        header.pointee.version = Int64(granularity.version)
        header.pointee.runs &+= 1
        header.pointee.life = 1
    }

    /// Shows that the run goes on without a step.
    func goOn() { header.pointee.life &+= 1 }

    /// Ends a run.
    func end() { header.pointee.life = 0 }

    /// Adds a step. The caller must not exceed the capacity.
    @inline(__always)
    func append(_ step: RunStep, at place: UInt) {
        (steps + count).initialize(to: step)
        places[count] = place
        count &+= 1
        header.pointee.count = Int64(count)
    }

    /// From here on, a trap on this thread names the run in this log.
    func watch() { interleaving_set_log(header) }

    /// A thread that watches the runs of this thread, which end if a step of them does not.
    /// - Parameter leaves: Whether such a run can be left.
    func watched(leaves: Bool, for limit: Duration) -> OpaquePointer? {
        interleaving_watch_runs(header, leaves, Int64(limit.milliseconds))
    }
}
