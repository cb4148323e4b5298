internal import Basics
internal import SceneClient

/// The connections of a soak's clients, which reconnect when the daemon comes back.
final class LoadClients: Sendable {
    private let settings: SoakSettings
    private let opener: WindowOpener
    private let clock: any SoakClock
    private let state = Guarded(State())
    let connections: [LoadConnection]

    private struct State {
        var failure: SoakFailure?
        var isClosed = false
        var handler: (@Sendable (LoadConnection) -> Void)?
    }

    init(
        settings: SoakSettings,
        opener: WindowOpener,
        clock: any SoakClock,
        counters: LoadCounters,
        calls: RecentCalls?,
        seen: SeenWindows?
    ) {
        self.settings = settings
        self.opener = opener
        self.clock = clock
        // An event that is less late than this is late because of the system's timer, not of a stall.
        let interval = max(Duration.seconds(1 / settings.plan.rate), Duration.milliseconds(1))
        let state = self.state
        connections = (0..<settings.plan.clients).map { number in
            LoadConnection(
                number: number,
                depth: settings.plan.inFlight,
                patience: settings.plan.catchesUp ? nil : interval,
                clock: clock,
                counters: counters,
                calls: calls,
                seen: seen
            ) { connection in state.withLock(\.handler)?(connection) }
        }
        state.withLock { state in
            state.handler = { [weak self] connection in
                guard let self else { return }
                Task { await self.reconnect(connection) }
            }
        }
    }

    /// Why the soak cannot continue; `nil` while it can.
    var failure: SoakFailure? { state.withLock(\.failure) }

    /// How many events wait to be sent.
    var waiting: Int { connections.reduce(0) { $0 + $1.waiting } }

    /// Hands a call to a user's connection. Never blocks.
    func submit(_ user: Int, _ call: SoakCall, _ due: Duration) {
        connections[user % connections.count].submit(call, due: due)
    }

    /// Connects every client for the first time.
    /// - Parameter windows: The windows that there are.
    func connect(beside windows: Set<String>) async throws(SceneClientError) {
        for connection in connections {
            connection.attach(try await SceneClient(path: settings.socket), beside: windows)
        }
    }

    /// Connects again, and retries until the daemon answers or has been away for too long.
    func reconnect(_ connection: LoadConnection) async {
        let deadline = clock.now + settings.patience
        while !state.withLock({ $0.isClosed }) {
            do {
                let client = try await SceneClient(path: settings.socket)
                let windows = try await opener.prepare(client).windows
                return connection.attach(client, beside: windows)
            } catch {
                guard clock.now < deadline else {
                    return state.withLock { $0.failure = $0.failure ?? .daemonGone(patience: settings.patience) }
                }
                try? await Task.sleep(for: .milliseconds(20))
            }
        }
    }

    /// Drops the calls that still wait, which counts them as not sent.
    func giveUp() {
        for connection in connections { connection.giveUp() }
    }

    /// Closes every connection for good.
    func close() async {
        state.withLock { $0.isClosed = true }
        for connection in connections { await connection.detach()?.close() }
    }
}
