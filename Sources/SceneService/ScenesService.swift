internal import SceneRuntime
internal import StrictJSON
internal import Varlink

/// `io.scened.Scenes`: opens windows and shows them.
struct ScenesService: Sendable {
    let host: SceneHost

    func service() throws -> VarlinkService {
        var service = try VarlinkService(interface: InterfaceText.scenes)
        try service.on("Connect") { request, responder in
            answer(responder) { () throws(SceneError) in
                try host.connect(
                    scene: request.parameters["scene"]?.stringValue,
                    configuration: request.parameters["configuration"]?.stringValue
                )
            }
        }
        try service.on("Get") { request, responder in
            answer(responder) { () throws(SceneError) in try host.scene(request.parameters.text("scene")) }
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

    private func answer(_ responder: VarlinkResponder, _ body: () throws(SceneError) -> SceneStatus) {
        do throws(SceneError) {
            responder.reply(["scene": try body().json])
        } catch {
            responder.fail(error.wire)
        }
    }

    /// First all, then each that changed. Changes that come while the client is slow merge into the newest state.
    private func follow(_ request: VarlinkRequest, _ responder: VarlinkResponder) {
        let changes = ChangedScenes()
        let pump = StreamPump(eventLoop: request.connection.eventLoop, responder: responder) {
            switch changes.take() {
            case .all: Self.list(host.scenes)
            case .scenes(let ids):
                Self.list(ids.compactMap { id in try? host.scene(id) })
            case .nothing: nil
            }
        }
        let token = host.records.listen { record in
            guard let scene = record.subject.scene else { return }
            changes.add(scene)
            pump.signal()
        }
        responder.onClose { host.records.stopListening(token) }
        responder.onDrain {
            // Until then the listener keeps the pump alive.
            pump.finish {
                host.records.stopListening(token)
                return Self.list([])
            }
        }
        pump.signal()
    }

    private static func list(_ scenes: [SceneStatus]) -> JSONObject { ["scenes": .array(scenes.map(\.json))] }
}
