internal import CInterleaving

/// A number that a process shares with those it forks, and that each may lower.
final class SharedMinimum {
    private let memory: UnsafeMutableRawPointer

    /// Begins with the highest there is.
    /// - Throws: ``ExplorationError/noMemory(steps:)``
    init() throws(ExplorationError) {
        guard let memory = interleaving_map(MemoryLayout<Int64>.size) else { throw .noMemory(steps: 1) }
        self.memory = memory
        memory.storeBytes(of: Int64.max, as: Int64.self)
    }

    deinit {
        interleaving_unmap(memory, MemoryLayout<Int64>.size)
    }

    /// - Returns: The number, after it was lowered to another if that is lower.
    @discardableResult
    func lower(to other: Int = .max) -> Int {
        Int(interleaving_lower(memory, Int64(other)))
    }
}
