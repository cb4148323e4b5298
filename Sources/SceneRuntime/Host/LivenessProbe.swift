internal import Basics

/// Asks parts of the program for a sign of life.
///
/// An actor that is held or waits for something answers, because its executor is free. One that blocks its executor does not.
package final class LivenessProbe: Sendable {
    /// Something that is asked.
    package struct Part: Sendable {
        fileprivate let name: String
        fileprivate let ask: @Sendable (_ answer: @escaping @Sendable () -> Void) -> Void

        /// - Parameters:
        ///   - name: what to call it if it does not answer.
        ///   - ask: returns at once, and has `answer` called when the part has run something.
        package init(_ name: String, ask: @escaping @Sendable (_ answer: @escaping @Sendable () -> Void) -> Void) {
            self.name = name
            self.ask = ask
        }
    }

    private struct State {
        /// Empty when all have answered: the empty name stands for those that are not asked yet.
        var silent: Set<String> = [""]
        var whenAnswered: (@Sendable () -> Void)?
    }

    private let state: Guarded<State>

    init(_ whenAnswered: @escaping @Sendable () -> Void) {
        state = Guarded(State(whenAnswered: whenAnswered))
    }

    /// The names of those that have not answered yet, sorted.
    package var silent: [String] { state.withLock { $0.silent.filter { !$0.isEmpty }.sorted() } }

    /// Waits for this part too.
    func expect(_ name: String) { state.withLock { _ = $0.silent.insert(name) } }

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
    /// Asks what a client's call passes through: the locks that all scenes share, the session and every scene, each on its own
    /// executor.
    ///
    /// Nothing is awaited: what is stuck never answers, which is what the probe is there to find.
    /// - Parameters:
    ///   - others: Further parts to ask.
    ///   - scenes: Whether the scenes are asked, and the app that gets what wakes no window. If not, only the locks are that they
    ///     share.
    ///   - actors: Where the tasks begin that ask the session and the scenes; `nil` for Swift's default.
    ///   - locks: Where the locks are taken. It blocks while one of them is held.
    ///   - whenAnswered: Called once, when all have answered.
    package func probe(
        _ others: [LivenessProbe.Part] = [],
        scenes asksScenes: Bool = true,
        actors: (any TaskExecutor)? = nil,
        locks: (any TaskExecutor)? = nil,
        _ whenAnswered: @escaping @Sendable () -> Void
    ) -> LivenessProbe {
        let probe = LivenessProbe(whenAnswered)
        for part in others {
            probe.expect(part.name)
            part.ask { probe.answered(part.name) }
        }
        let (session, store, list, log) = ("the session", "the session's lock", "the list of scenes", "the record log")
        for name in [session, store, list, log] { probe.expect(name) }
        probe.answered("")
        Task(executorPreference: actors) {
            await self.session.answer(probe, session)
        }
        // In the order in which locks are taken: those after one that is held are silent as well.
        Task(executorPreference: locks) {
            _ = self.store.snapshot
            probe.answered(store)
            let entries = self.directory.withLock { $0.inOrder }
            for entry in asksScenes ? entries : [] {
                let name = "scene \(entry.scene.id)"
                probe.expect(name)
                Task(executorPreference: actors) {
                    await entry.scene.answer(probe, name)
                }
            }
            if asksScenes {
                let app = "the app"
                probe.expect(app)
                Task(executorPreference: actors) {
                    await self.appReceiver.answer(probe, app)
                }
            }
            probe.answered(list)
            _ = self.records.newestIndex
            probe.answered(log)
        }
        return probe
    }
}

// Each answers on its own executor. For a function that does nothing there an optimized build does not go there.

extension Session {
    fileprivate func answer(_ probe: LivenessProbe, _ name: String) { probe.answered(name) }
}

extension AppReceiver {
    /// An event for the app passes through its mailbox.
    fileprivate func answer(_ probe: LivenessProbe, _ name: String) {
        _ = mailbox.lastTicket
        probe.answered(name)
    }
}

extension Scene {
    /// An event for the scene passes through its mailbox.
    fileprivate func answer(_ probe: LivenessProbe, _ name: String) {
        _ = mailbox.lastTicket
        probe.answered(name)
    }
}
