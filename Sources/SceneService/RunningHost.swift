package import SceneRuntime
internal import Basics
internal import Varlink

/// Holds the host that the socket API serves. It is the same while the daemon runs, unless a client resets it.
package final class RunningHost: Sendable {
    private struct State {
        var host: SceneHost
        /// The callbacks of streams about the current host, by token.
        var followers: [Int: @Sendable () -> Void] = [:]
        var lastToken = 0
    }

    /// The calls that wait for something other than an event.
    let waits = WaitingCalls()
    private let state: Guarded<State>
    private let makeHost: @Sendable (_ old: SceneHost, _ beginning: Beginning) throws -> SceneHost

    /// What a new host begins with.
    package struct Beginning: Hashable, Sendable {
        /// The seed of what it leaves to chance; `nil` draws one.
        package var seed: UInt64?
        /// The date on a virtual clock, in seconds since 1970-01-01T00:00:00Z; `nil` for the one that is configured.
        package var date: Double?

        package init(seed: UInt64? = nil, date: Double? = nil) {
            self.seed = seed
            self.date = date
        }
    }

    /// - Parameter makeHost: Makes a new host with the settings of `old`, for ``reset(_:)``.
    package init(
        _ host: SceneHost,
        makeHost: @escaping @Sendable (_ old: SceneHost, _ beginning: Beginning) throws -> SceneHost
    ) {
        state = Guarded(State(host: host))
        self.makeHost = makeHost
    }

    /// The host now.
    package var current: SceneHost { state.withLock { $0.host } }

    /// Replaces the current host by a new one. The old one is stopped, everything that it had admitted is abandoned, and
    /// streams about it end.
    /// - Returns: The new host.
    package func reset(_ beginning: Beginning = Beginning()) async throws -> SceneHost {
        let new = try makeHost(current, beginning)
        let (old, followers) = state.withLock { state in
            let old = state.host
            state.host = new
            defer { state.followers = [:] }
            return (old, state.followers.values)
        }
        await old.drain(within: .zero)
        for follower in followers { follower() }
        return new
    }

    /// Calls `finish`, which ends a stream about `host`, when the daemon stops or the host is replaced.
    func end(_ responder: VarlinkResponder, following host: SceneHost, _ finish: @escaping @Sendable () -> Void) {
        let token: Int? = state.withLock { state in
            guard state.host === host else { return nil }
            state.lastToken += 1
            state.followers[state.lastToken] = finish
            return state.lastToken
        }
        guard let token else { return finish() }
        responder.onClose { self.forget(token) }
        responder.onDrain {
            self.forget(token)
            finish()
        }
    }

    private func forget(_ token: Int) {
        state.withLock { $0.followers[token] = nil }
    }
}
