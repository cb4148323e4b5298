import Interleaving

/// An actor of which every call is a scheduling point.
protocol Explored: Actor {
    nonisolated var executor: SimulatedExecutor { get }
}

extension Explored {
    nonisolated var unownedExecutor: UnownedSerialExecutor { executor.asUnownedSerialExecutor() }
}
