internal import DequeModule
internal import Basics
internal import SceneClient
internal import StrictJSON

/// One client's connection. It sends calls without waiting for earlier answers, up to a number in flight; further calls wait here.
final class LoadConnection: Sendable {
    /// A call and when it was due.
    private struct Waiting {
        let call: SoakCall
        let due: Duration
    }

    private struct State {
        var client: SceneClient?
        /// Counts the connections made so far.
        var generation = 0
        var inFlight = 0
        var waiting: Deque<Waiting> = []
        /// The windows that are being opened again.
        var opening: Set<String> = []
    }

    /// How many calls may wait, so that memory does not fill while the daemon is away. Further ones are counted as not sent.
    private static let mostWaiting = 20_000

    /// The client's number, from 0.
    let number: Int
    private let depth: Int
    /// How late an event may be sent; `nil` for no limit.
    private let patience: Duration?
    private let clock: any SoakClock
    private let counters: LoadCounters
    private let calls: RecentCalls?
    private let seen: SeenWindows?
    private let state = Guarded(State())
    private let lost: @Sendable (LoadConnection) -> Void

    /// - Parameters:
    ///   - depth: How many calls may be in flight.
    ///   - patience: How late an event may be sent; `nil` for no limit.
    ///   - calls: Remembers the calls sent, if given.
    ///   - seen: Remembers what windows show, if given.
    ///   - lost: Called each time the connection is lost.
    init(
        number: Int,
        depth: Int,
        patience: Duration?,
        clock: any SoakClock,
        counters: LoadCounters,
        calls: RecentCalls?,
        seen: SeenWindows?,
        lost: @escaping @Sendable (LoadConnection) -> Void
    ) {
        self.number = number
        self.depth = depth
        self.patience = patience
        self.clock = clock
        self.counters = counters
        self.calls = calls
        self.seen = seen
        self.lost = lost
    }

    /// How many calls wait for their reply.
    var inFlight: Int { state.withLock { $0.client == nil ? 0 : $0.inFlight } }

    /// How many calls wait to be sent.
    var waiting: Int { state.withLock(\.waiting.count) }

    /// Sends a call, or lets it wait for its turn. Never blocks.
    func submit(_ call: SoakCall, due: Duration) {
        state.withLock { state in
            guard state.waiting.count < Self.mostWaiting else { return }
            state.waiting.append(Waiting(call: call, due: due))
            sendOn(&state)
        }
    }

    /// Sends calls over this connection from now on.
    func attach(_ client: SceneClient) {
        state.withLock { state in
            state.client = client
            state.generation += 1
            state.inFlight = 0
            state.opening = []
            sendOn(&state)
        }
    }

    /// Gives up the connection. Calls in flight are cut off; those that wait keep waiting.
    func detach() -> SceneClient? {
        state.withLock { state in
            defer { state.client = nil }
            return state.client
        }
    }

    /// Drops the calls that still wait, which counts them as not sent.
    func giveUp() {
        state.withLock { $0.waiting = [] }
    }

    private func sendOn(_ state: inout State) {
        guard let client = state.client else { return }
        while state.inFlight < depth, let next = state.waiting.popFirst() {
            let now = clock.now
            if let patience, now - next.due > patience { continue }
            state.inFlight += 1
            counters.sent()
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
            seen?.note(reply)
            let outcome = reply["receipt"]?["outcome"]?.stringValue ?? "done"
            counters.answered(call.call.kind, due: call.due, sent: sent, at: now, .outcome(outcome))
        case .failure(.refused(let name, _)):
            let word = name.split(separator: ".").last.map(String.init) ?? name
            counters.answered(call.call.kind, due: call.due, sent: sent, at: now, .refusal(word))
            if word == "UnknownScene", let scene = call.call.scene { openAgain(scene) }
        case .failure:
            counters.cutOff()
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

    /// Opens a window that the app has closed, as a person does who goes on. That is no event, and is not counted. Where it fails, the
    /// next event of the window tries again.
    private func openAgain(_ scene: String) {
        guard let client = state.withLock({ $0.client != nil && $0.opening.insert(scene).inserted ? $0.client : nil })
        else { return }
        seen?.forget(scene)
        client.send("io.scened.Scenes.Connect", ["scene": .string(scene)]) { [state] _ in
            state.withLock { _ = $0.opening.remove(scene) }
        }
    }
}

/// Remembers the latest calls, for a script that repeats what led to a violation.
final class RecentCalls: Sendable {
    /// A call and when it was sent.
    struct Sent: Sendable {
        let at: Duration
        let call: SoakCall
    }

    private let limit: Int
    private let ring = Guarded<Deque<Sent>>([])

    init(limit: Int) { self.limit = limit }

    func sent(_ call: SoakCall, at time: Duration) {
        ring.withLock { ring in
            if ring.count >= limit { ring.removeFirst() }
            ring.append(Sent(at: time, call: call))
        }
    }

    /// The latest calls in the order sent.
    var newest: [Sent] { ring.withLock { Array($0) } }
}
