internal import Basics

/// Asks the session and every scene for a sign of life.
///
/// An actor that is held or waits for something answers, because its executor is free. One that blocks its executor does not.
package final class LivenessProbe: Sendable {
    private struct State {
        var silent: Set<String>
        var whenAnswered: (@Sendable () -> Void)?
    }

    private let state: Guarded<State>

    init(_ names: [String], _ whenAnswered: @escaping @Sendable () -> Void) {
        state = Guarded(State(silent: Set(names), whenAnswered: whenAnswered))
    }

    /// The names of those that have not answered yet, sorted.
    package var silent: [String] { state.withLock { $0.silent.sorted() } }

    func answered(_ name: String) {
        let notify = state.withLock { state -> (@Sendable () -> Void)? in
            state.silent.remove(name)
            guard state.silent.isEmpty else { return nil }
            defer { state.whenAnswered = nil }
            return state.whenAnswered
        }
        notify?()
    }
}

extension SceneHost {
    /// Asks the session and every scene to run something, each on its own executor.
    /// - Parameter whenAnswered: Called once, when all have answered.
    package func probe(_ whenAnswered: @escaping @Sendable () -> Void) -> LivenessProbe {
        let scenes = directory.withLock { $0.inOrder.map(\.scene) }
        let session = "the session"
        let probe = LivenessProbe([session] + scenes.map { "scene \($0.id)" }, whenAnswered)
        // Not awaited: an actor that is stuck never answers, which is what the probe is there to find.
        Task { [self] in
            await self.session.answer()
            probe.answered(session)
        }
        for scene in scenes {
            Task {
                await scene.answer()
                probe.answered("scene \(scene.id)")
            }
        }
        return probe
    }
}

extension Session {
    fileprivate func answer() {}
}

extension Scene {
    fileprivate func answer() {}
}
