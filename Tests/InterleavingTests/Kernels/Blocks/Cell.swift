import Interleaving

/// A variable that tasks share: reading it and writing it are separate scheduling points.
actor Cell<Value: Sendable>: Explored {
    nonisolated let executor = SimulatedExecutor(name: "cell")
    private(set) var value: Value

    init(_ value: Value) {
        self.value = value
    }

    func set(_ value: Value) {
        self.value = value
    }

    /// Reads and writes in one step.
    func update<Result: Sendable>(_ change: @Sendable (inout Value) throws -> Result) rethrows -> Result {
        try change(&value)
    }
}
