internal import SceneRouting
internal import SceneRuntime
internal import StrictJSON
internal import Varlink

/// `io.scened.Session`: commits to the shared session and shows it.
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
            guard (1...256).contains(user.utf8.count) else { throw VarlinkError.invalidParameter("user") }
            let lifetime = request.parameters["expiresInMilliseconds"]?.integerValue
            if let lifetime, lifetime < 1 { throw VarlinkError.invalidParameter("expiresInMilliseconds") }
            let facts = try facts(request, "facts")
            return try await commit(request) { origin in
                try await host.session.signIn(
                    user: user,
                    facts: facts,
                    expiresAfter: lifetime.map { .milliseconds($0) },
                    origin: origin
                )
            }
        }
        try service.onAsync("SignOut") { request in
            try await commit(request) { await host.session.signOut(origin: $0) }
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

    /// The session now and after every commit, as fast as the client reads.
    ///
    /// A commit is told under the session's lock. Nothing is sent from there: sending can close the connection, which
    /// ends the listening, which needs the lock.
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
            throw VarlinkError("io.scened.Session.UnknownScene", ["scene": .string(scene ?? "")])
        }
    }

    private func facts(_ request: VarlinkRequest, _ parameter: String) throws -> [String: FactValue] {
        try FactValue.facts(request.parameters[parameter]?.objectValue ?? [:], interface: Self.name)
    }

    private static let name = "io.scened.Session"
}
