internal import Synchronization

/// The number of an executor in one run of one simulator.
///
/// The run and the number share one word, so that no thread can see one without the other.
struct RunNumber: ~Copyable {
    /// The low 16 bits are the number, the others the run.
    private let word = Atomic<UInt64>(0)

    /// The number, made anew when the run is another than last time.
    @inline(__always)
    func value(in simulator: Simulator, make: () -> Int) -> Int {
        let known = word.load(ordering: .relaxed)
        if known >> 16 == simulator.run { return Int(known & 0xffff) }
        let number = make()
        word.store(simulator.run << 16 | UInt64(number), ordering: .relaxed)
        return number
    }
}
