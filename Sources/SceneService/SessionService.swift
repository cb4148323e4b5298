internal import SceneRouting
internal import SceneRuntime
internal import StrictJSON
internal import Varlink
internal import Basics

/// `io.scened.Session`: shows the session and commits to it.
struct SessionService: Sendable {
    let running: RunningHost

    private var host: SceneHost { running.current }

    func service() throws -> VarlinkService {
        var service = try VarlinkService(interface: InterfaceText.session)
        try service.on("Get") { request, responder in
            guard request.call.more else {
                responder.reply(["session": host.session.snapshot.json])
                return
            }
            follow(request, responder)
        }
        try service.onAsync("SignIn") { request in
            let user = request.parameters.text("user")
            let lifetime = request.parameters["expiresInMilliseconds"]?.integerValue
            if let lifetime, lifetime < 1 { throw VarlinkError.invalidParameter("expiresInMilliseconds") }
            let freshness = request.parameters["staleInMilliseconds"]?.integerValue
            if let freshness, freshness < 1 { throw VarlinkError.invalidParameter("staleInMilliseconds") }
            let facts = try facts(request, "facts")
            return try await commit(request) { origin in
                try await host.session.signIn(
                    user: user,
                    facts: facts,
                    expiresAfter: lifetime.map { .milliseconds($0) },
                    staleAfter: freshness.map { .milliseconds($0) },
                    origin: origin
                )
            }
        }
        try service.onAsync("SignOut") { request in
            try await commit(request) { await host.session.signOut(origin: $0) }
        }
        try service.onAsync("MarkStale") { request in
            try await commit(request) { await host.session.markStale(origin: $0) }
        }
        try service.onAsync("Commit") { request in
            let set = try facts(request, "set")
            let remove = request.parameters["remove"]?.arrayValue?.compactMap(\.stringValue) ?? []
            return try await commit(request) { origin in
                try await host.session.commit(
                    set: set,
                    remove: remove,
                    expectedRevision: request.parameters["expectedRevision"]?.integerValue,
                    origin: origin
                )
            }
        }
        return service
    }

    /// Streams the session now and after every commit, as fast as the client reads.
    ///
    /// The listener runs under the session's lock and must not send anything: sending can close the connection, which stops
    /// listening, which needs the lock.
    private func follow(_ request: VarlinkRequest, _ responder: VarlinkResponder) {
        let host = self.host
        let unread = UnreadSnapshots()
        let pump = StreamPump(eventLoop: request.connection.eventLoop, responder: responder) {
            unread.next().map { snapshot, gap in
                var reply: JSONObject = ["session": snapshot.json]
                if gap > 0 { reply["gap"] = .integer(gap) }
                return reply
            }
        }
        let token = host.session.listen { snapshot in
            unread.add(snapshot)
            pump.signal()
        }
        responder.onClose { host.session.stopListening(token) }
        running.end(responder, following: host) {
            host.session.stopListening(token)
            responder.reply(["session": host.session.snapshot.json])
        }
    }

    private func commit(
        _ request: VarlinkRequest,
        _ body: (CommitOrigin) async throws -> SessionSnapshot
    ) async throws -> JSONObject {
        guard !host.isDraining else { throw VarlinkError("io.scened.Session.Draining") }
        let scene = request.parameters["scene"]?.stringValue
        do {
            if let scene { _ = try host.scene(scene) }
            let origin = CommitOrigin(scene: scene, connection: request.connection.id)
            return ["session": try await body(origin).json]
        } catch let error as SessionError {
            throw error.wire(interface: Self.name)
        } catch is SceneError {
            throw VarlinkError("io.scened.Session.UnknownScene", ["scene": .string(scene ?? "")]).suggesting(from: host)
        }
    }

    private func facts(_ request: VarlinkRequest, _ parameter: String) throws -> [String: FactValue] {
        try FactValue.facts(request.parameters[parameter]?.objectValue ?? [:], interface: Self.name)
    }

    private static let name = "io.scened.Session"
}

/// The snapshots that a follower of the session has not been sent yet, oldest first.
///
/// If the follower falls too far behind, the oldest are forgotten, and it is told how many.
final class UnreadSnapshots: Sendable {
    /// How many may wait.
    private static let limit = 256

    private struct State {
        var waiting: [SessionSnapshot] = []
        /// How many have been forgotten since the last one was sent.
        var forgotten = 0
    }

    private let state = Guarded(State())

    func add(_ snapshot: SessionSnapshot) {
        state.withLock { state in
            if state.waiting.count == Self.limit {
                state.waiting.removeFirst()
                state.forgotten += 1
            }
            state.waiting.append(snapshot)
        }
    }

    /// Removes and returns the oldest, with how many before it were forgotten.
    func next() -> (snapshot: SessionSnapshot, gap: Int)? {
        state.withLock { state in
            guard !state.waiting.isEmpty else { return nil }
            defer { state.forgotten = 0 }
            return (state.waiting.removeFirst(), state.forgotten)
        }
    }
}
