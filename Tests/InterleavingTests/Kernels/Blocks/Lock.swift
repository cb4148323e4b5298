import Interleaving

/// A lock that suspends who has to wait, first come, first served.
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
