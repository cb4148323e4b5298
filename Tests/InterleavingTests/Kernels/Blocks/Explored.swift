import Interleaving

/// An actor whose calls are all scheduling points.
protocol Explored: Actor {
    nonisolated var executor: SimulatedExecutor { get }
}

extension Explored {
    nonisolated var unownedExecutor: UnownedSerialExecutor { executor.asUnownedSerialExecutor() }
}

/// A variable that tasks share: reading it and writing it are separate scheduling points.
actor Cell<Value: Sendable>: Explored {
    nonisolated let executor = SimulatedExecutor(name: "cell")
    private var stored: Value

    init(_ value: Value) {
        stored = value
    }

    /// An async function of its own, because a compiler that sees the whole module reads a stored property in place, and where nothing else
    /// happens before the next call of the actor, it does not leave the actor in between.
    var value: Value {
        get async { stored }
    }

    func set(_ value: Value) {
        stored = value
    }

    /// Reads and writes in one step.
    func update<Result: Sendable>(_ change: @Sendable (inout Value) throws -> Result) rethrows -> Result {
        try change(&stored)
    }
}

/// A lock that suspends tasks that have to wait: first come, first served.
actor Lock: Explored {
    nonisolated let executor = SimulatedExecutor(name: "lock")
    private var isHeld = false
    private var waiting: [CheckedContinuation<Void, Never>] = []

    func acquire() async {
        guard isHeld else {
            isHeld = true
            return
        }
        await withCheckedContinuation { waiting.append($0) }
    }

    func release() {
        if waiting.isEmpty { isHeld = false } else { waiting.removeFirst().resume() }
    }
}

extension Lock {
    nonisolated func whileHeld<Result: Sendable>(_ body: () async throws -> Result) async rethrows -> Result {
        await acquire()
        let result: Result
        do {
            result = try await body()
        } catch {
            await release()
            throw error
        }
        await release()
        return result
    }
}

/// A condition variable: a signal wakes a task that waits now, and is lost if none does.
actor Signal: Explored {
    nonisolated let executor = SimulatedExecutor(name: "signal")
    private var waiting: [CheckedContinuation<Void, Never>] = []

    func wait() async {
        await withCheckedContinuation { waiting.append($0) }
    }

    func wakeOne() {
        if !waiting.isEmpty { waiting.removeFirst().resume() }
    }
}
