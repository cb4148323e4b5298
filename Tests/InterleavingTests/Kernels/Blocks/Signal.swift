import Interleaving

/// A condition variable: a signal wakes who waits now, and is forgotten if nobody does.
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
