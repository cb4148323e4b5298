internal import SceneNavigation
internal import SceneRuntime
internal import StrictJSON
internal import Varlink

/// `io.scened.Scenes`: opens windows, shows them, changes their life and ends it.
struct ScenesService: Sendable {
    let running: RunningHost

    private var host: SceneHost { running.current }

    func service() throws -> VarlinkService {
        var service = try VarlinkService(interface: InterfaceText.scenes)
        try service.on("Connect") { request, responder in
            let saved: WindowState?
            do throws(JSONFieldError) {
                saved = try request.parameters["window"].map { json throws(JSONFieldError) in
                    try WindowState(json: json)
                }
            } catch {
                return _ = responder.fail(VarlinkError("io.scened.Scenes.Malformed", ["reason": .string("\(error)")]))
            }
            start(responder) { then throws(SceneError) in
                try host.connect(
                    scene: request.parameters["scene"]?.stringValue,
                    configuration: request.parameters["configuration"]?.stringValue,
                    restoring: saved,
                    then: then
                )
            }
        }
        try service.on("SetActivation") { request, responder in
            guard let activation = Activation(rawValue: request.parameters.text("activation")) else {
                return _ = responder.fail(.invalidParameter("activation"))
            }
            start(responder) { then throws(SceneError) in
                try host.setActivation(activation, of: request.parameters.text("scene"), then: then)
            }
        }
        try service.on("Disconnect") { request, responder in
            start(responder) { then throws(SceneError) in
                try host.disconnect(scene: request.parameters.text("scene"), then: then)
            }
        }
        try service.on("Discard") { request, responder in
            start(responder) { then throws(SceneError) in
                try host.discard(scene: request.parameters.text("scene")) { then(.success($0)) }
            }
        }
        try service.on("Get") { request, responder in
            do throws(SceneError) {
                responder.reply(["scene": try host.scene(request.parameters.text("scene")).json])
            } catch {
                responder.fail(error.wire)
            }
        }
        try service.on("List") { request, responder in
            guard request.call.more else {
                responder.reply(Self.list(host.scenes))
                return
            }
            follow(request, responder)
        }
        return service
    }

    /// Replies when the change has had its turn.
    private func start(
        _ responder: VarlinkResponder,
        _ change: (@escaping @Sendable (Result<SceneStatus, SceneError>) -> Void) throws(SceneError) -> Void
    ) {
        do throws(SceneError) {
            try change { result in
                switch result {
                case .success(let status): responder.reply(["scene": status.json])
                case .failure(let error): responder.fail(error.wire)
                }
            }
        } catch {
            responder.fail(error.wire)
        }
    }

    /// First all, then each that changed. Changes that come while the client is slow merge into the newest state.
    private func follow(_ request: VarlinkRequest, _ responder: VarlinkResponder) {
        let host = self.host
        let changes = ChangedScenes()
        let pump = StreamPump(eventLoop: request.connection.eventLoop, responder: responder) {
            switch changes.take() {
            case .all: Self.list(host.scenes)
            case .scenes(let ids): Self.changes(of: ids, in: host)
            case .nothing: nil
            }
        }
        let token = host.records.listen { record in
            guard let scene = record.subject.scene else { return }
            changes.add(scene)
            pump.signal()
        }
        responder.onClose { host.records.stopListening(token) }
        running.end(responder, following: host) {
            // Until then the listener keeps the pump alive.
            pump.finish {
                host.records.stopListening(token)
                return Self.list([])
            }
        }
        pump.signal()
    }

    /// Those of the scenes that are still there, and the names of those that are not.
    private static func changes(of ids: [String], in host: SceneHost) -> JSONObject {
        var scenes: [SceneStatus] = []
        var discarded: [JSONValue] = []
        for id in ids {
            do throws(SceneError) {
                scenes.append(try host.scene(id))
            } catch {
                discarded.append(.string(id))
            }
        }
        var reply = list(scenes)
        if !discarded.isEmpty { reply["discarded"] = .array(discarded) }
        return reply
    }

    private static func list(_ scenes: [SceneStatus]) -> JSONObject { ["scenes": .array(scenes.map(\.json))] }
}
