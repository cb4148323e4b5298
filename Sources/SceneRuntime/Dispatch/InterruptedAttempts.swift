internal import Basics
internal import DequeModule
internal import SceneVocabulary

/// Has events whose attempts the host's end has interrupted again and again begin one at a time: then what ends the host interrupts
/// nobody else any more, and is given up before long (<doc:Keeping#What-ends-the-host>).
package final class InterruptedAttempts: Sendable {
    private struct State {
        var isTaken = false
        var waiting: Deque<CheckedContinuation<Void, Never>> = []
    }

    /// After how many interruptions, one after the other, an event begins alone.
    private static let fewest = 2

    private let state = Guarded(State())

    package init() {}

    /// Carries out an attempt, alone if too many before it were interrupted.
    ///
    /// - Parameter interruptions: How many, one after the other.
    func carryOut(after interruptions: Int, _ body: () async -> Void) async {
        // What is given up does nothing.
        guard (Self.fewest..<Interruptions.most).contains(interruptions) else { return await body() }
        await enter()
        await body()
        leave()
    }

    private func enter() async {
        await withCheckedContinuation { continuation in
            let isFree = state.withLock { state in
                if state.isTaken {
                    state.waiting.append(continuation)
                    return false
                }
                state.isTaken = true
                return true
            }
            if isFree { continuation.resume() }
        }
    }

    private func leave() {
        let next = state.withLock { state in
            if state.waiting.isEmpty { state.isTaken = false }
            return state.waiting.popFirst()
        }
        next?.resume()
    }
}
