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
        /// The windows that the app has not opened.
        var windows: Set<String> = []
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
    /// - Parameter windows: The windows that the app has not opened.
    func attach(_ client: SceneClient, beside windows: Set<String>) {
        state.withLock { state in
            state.client = client
            state.windows = windows
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
        // Whoever opens a window waits for it.
        while state.inFlight < depth, state.opening.isEmpty, let next = state.waiting.popFirst() {
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
        send("Connect", scene, client) { [self] result in
            guard case .failure(let error) = result, case .tooManyScenes = error.refusal else { return opened(scene) }
            makeRoom(for: scene, client)
        }
    }

    private func opened(_ scene: String) {
        state.withLock { state in
            state.opening.remove(scene)
            sendOn(&state)
        }
    }

    /// Sends a call about a window that is no event; a script that repeats the soak needs it all the same.
    private func send(_ name: String, _ scene: String, _ client: SceneClient, then next: @escaping Answer) {
        let call = SoakCall(.disconnect, "io.scened.Scenes.\(name)", ["scene": .string(scene)])
        calls?.sent(call, at: clock.now)
        client.send(call.method, call.parameters, answer: next)
    }

    private typealias Answer = @Sendable (Result<JSONObject, SceneClientError>) -> Void

    /// Closes a window that the app has opened by itself, as a person does who wants another, and opens this one.
    private func makeRoom(for scene: String, _ client: SceneClient) {
        client.send("io.scened.Scenes.List", [:]) { [self] result in
            let all = ((try? result.get())?["scenes"]?.arrayValue ?? []).compactMap { $0["id"]?.stringValue }
            let ofApp = state.withLock { state in all.filter { !state.windows.contains($0) } }
            guard !ofApp.isEmpty else { return opened(scene) }
            // Other clients, who may look for room now, too, close others.
            let superfluous = ofApp[number % ofApp.count]
            seen?.forget(superfluous)
            send("Discard", superfluous, client) { [self] _ in
                send("Connect", scene, client) { [self] _ in opened(scene) }
            }
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
