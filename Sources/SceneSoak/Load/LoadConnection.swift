internal import DequeModule
internal import Locking
internal import SceneClient
internal import StrictJSON

/// One client's connection: calls go out though earlier ones are unanswered, up to a depth; more wait here, with the time
/// they were due.
final class LoadConnection: Sendable {
    /// A call and when it was due.
    private struct Waiting {
        let call: SoakCall
        let due: Duration
    }

    private struct State {
        var client: SceneClient?
        /// Which of the connections that were made one after the other.
        var generation = 0
        var inFlight = 0
        var waiting: Deque<Waiting> = []
    }

    /// How many events may wait to be sent, so that a daemon that is gone for long fills no memory; what comes beyond is
    /// counted as not sent.
    private static let mostWaiting = 20_000

    /// The client's number, from 0.
    let number: Int
    private let depth: Int
    /// How late an event may be sent; `nil` for any time.
    private let patience: Duration?
    private let clock: any SoakClock
    private let tally: LoadTally
    private let calls: CallRing?
    private let state = Guarded(State())
    private let lost: @Sendable (LoadConnection) -> Void

    /// - Parameters:
    ///   - depth: How many calls may be unanswered at once.
    ///   - patience: How late an event may be sent; `nil` for any time.
    ///   - calls: Remembers what was sent, where somebody wants to know.
    ///   - lost: Called each time a connection has gone away by itself.
    init(
        number: Int,
        depth: Int,
        patience: Duration?,
        clock: any SoakClock,
        tally: LoadTally,
        calls: CallRing?,
        lost: @escaping @Sendable (LoadConnection) -> Void
    ) {
        self.number = number
        self.depth = depth
        self.patience = patience
        self.clock = clock
        self.tally = tally
        self.calls = calls
        self.lost = lost
    }

    /// How many calls wait for their reply.
    var inFlight: Int { state.withLock { $0.client == nil ? 0 : $0.inFlight } }

    /// How many calls wait to be sent.
    var waiting: Int { state.withLock(\.waiting.count) }

    var isConnected: Bool { state.withLock { $0.client != nil } }

    /// Sends a call, or has it wait for its turn. Never blocks.
    func submit(_ call: SoakCall, due: Duration) {
        state.withLock { state in
            guard state.waiting.count < Self.mostWaiting else { return tally.missed() }
            state.waiting.append(Waiting(call: call, due: due))
            sendOn(&state)
        }
    }

    /// From here on calls go over this connection.
    func attach(_ client: SceneClient) {
        state.withLock { state in
            state.client = client
            state.generation += 1
            state.inFlight = 0
            sendOn(&state)
        }
    }

    /// Gives up the connection; what is in flight is cut off, what waits goes on waiting.
    func detach() -> SceneClient? {
        state.withLock { state in
            defer { state.client = nil }
            return state.client
        }
    }

    /// Counts what still waits as not sent.
    func giveUp() {
        state.withLock { state in
            for _ in state.waiting { tally.missed() }
            state.waiting = []
        }
    }

    private func sendOn(_ state: inout State) {
        guard let client = state.client else { return }
        while state.inFlight < depth, let next = state.waiting.popFirst() {
            let now = clock.now
            if let patience, now - next.due > patience {
                tally.missed()
                continue
            }
            state.inFlight += 1
            tally.sent()
            calls?.sent(next.call, at: now)
            let generation = state.generation
            client.send(next.call.method, next.call.parameters) { [self] result in
                answered(next, sent: now, generation, result)
            }
        }
    }

    private func answered(
        _ call: Waiting,
        sent: Duration,
        _ generation: Int,
        _ result: Result<JSONObject, SceneClientError>
    ) {
        let now = clock.now
        var hasGone = false
        switch result {
        case .success(let reply):
            let outcome = reply["receipt"]?["outcome"]?.stringValue ?? "done"
            tally.answered(call.call.kind, due: call.due, sent: sent, at: now, .outcome(outcome))
        case .failure(.refused(let name, _)):
            let word = name.split(separator: ".").last.map(String.init) ?? name
            tally.answered(call.call.kind, due: call.due, sent: sent, at: now, .refusal(word))
        case .failure:
            tally.cutOff()
            hasGone = true
        }
        let isNews = state.withLock { state in
            guard state.generation == generation else { return false }
            state.inFlight -= 1
            guard hasGone else {
                sendOn(&state)
                return false
            }
            defer { state.client = nil }
            return state.client != nil
        }
        if isNews { lost(self) }
    }
}
