internal import CInterleaving

/// The steps of the run that is made, in memory that a process shares with those it forks: what a run did is known also when
/// its process ended in it.
///
/// It has room for as many steps as a run may take, so that writing one is no more than that. Memory that no step was
/// written to is none.
final class StepLog {
    private let header: UnsafeMutablePointer<interleaving_log>
    private let steps: UnsafeMutablePointer<Step>
    /// Beside each step, where in the code it went on.
    private let places: UnsafeMutablePointer<UInt>
    private let size: Int
    @exclusivity(unchecked) private(set) var count = 0

    /// - Throws: ``ExplorationError/noMemory(steps:)``
    init(capacity: Int) throws(ExplorationError) {
        let first = (MemoryLayout<interleaving_log>.size + 63) & ~63
        let stride = MemoryLayout<Step>.stride + MemoryLayout<UInt>.stride
        let (bytes, overflow) = stride.multipliedReportingOverflow(by: capacity)
        guard !overflow, bytes < Int.max - first, let position = MemoryLayout<Step>.offset(of: \.position),
            let memory = interleaving_map(first + bytes)
        else { throw .noMemory(steps: capacity) }
        size = first + bytes
        header = memory.bindMemory(to: interleaving_log.self, capacity: 1)
        steps = (memory + first).bindMemory(to: Step.self, capacity: capacity)
        places = (memory + first + MemoryLayout<Step>.stride * capacity).bindMemory(to: UInt.self, capacity: capacity)
        header.pointee.first_step = Int64(first)
        header.pointee.stride = Int64(MemoryLayout<Step>.stride)
        header.pointee.position = Int64(position)
    }

    deinit {
        interleaving_unmap(header, size)
    }

    /// The steps. They change with the next.
    var span: Span<Step> {
        @_lifetime(borrow self)
        get {
            let span = Span(_unsafeStart: steps, count: count)
            return unsafe _overrideLifetime(span, borrowing: self)
        }
    }

    /// Of the process that wrote last, which may be another.
    var written: (iteration: Int, seed: UInt64, runs: Int, count: Int) {
        let log = header.pointee
        return (Int(log.iteration), log.seed, Int(log.runs), Int(log.count))
    }

    /// The steps that the process which wrote last, and is no more, had begun.
    func takeWritten() -> [Step] {
        Array(UnsafeBufferPointer(start: steps, count: Int(header.pointee.count)))
    }

    /// Where in the code the steps that were written last went on.
    func takePlaces() -> [UInt] {
        Array(UnsafeBufferPointer(start: places, count: Int(header.pointee.count)))
    }

    /// Begins a run.
    func begin(iteration: Int, seed: UInt64) {
        count = 0
        header.pointee.count = 0
        header.pointee.iteration = Int64(iteration)
        header.pointee.seed = seed
        header.pointee.runs &+= 1
    }

    /// The caller keeps to the capacity.
    @inline(__always)
    func append(_ step: Step, at place: UInt) {
        (steps + count).initialize(to: step)
        places[count] = place
        count &+= 1
        header.pointee.count = Int64(count)
    }

    /// From here on a trap on this thread names the run that this log is of.
    func watch() { interleaving_set_log(header) }
}
