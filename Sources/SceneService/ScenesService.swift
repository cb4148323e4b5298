internal import SceneNavigation
internal import SceneRuntime
internal import StrictJSON
internal import Varlink
internal import Basics

/// `io.scened.Scenes`: connects, shows, activates, disconnects and discards scenes.
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
                Self.reply(try host.scene(request.parameters.text("scene")), responder)
            } catch {
                responder.fail(error.wire)
            }
        }
        try service.on("List") { request, responder in
            guard request.call.more else {
                responder.reply { Self.write(host.scenes, to: &$0) }
                return
            }
            follow(request, responder)
        }
        return service
    }

    /// Starts a change and replies when it has had its turn.
    private func start(
        _ responder: VarlinkResponder,
        _ change: (@escaping @Sendable (Result<SceneStatus, SceneError>) -> Void) throws(SceneError) -> Void
    ) {
        do throws(SceneError) {
            try change { result in
                switch result {
                case .success(let status): Self.reply(status, responder)
                case .failure(let error): responder.fail(error.wire)
                }
            }
        } catch {
            responder.fail(error.wire)
        }
    }

    /// Streams all scenes first, then each that has changed. While the client is slow, changes merge into the newest state.
    private func follow(_ request: VarlinkRequest, _ responder: VarlinkResponder) {
        let host = self.host
        let changes = ChangedScenes()
        let produce: @Sendable (inout JSONText) -> Bool = { json in
            switch changes.take() {
            case .all: Self.write(host.scenes, to: &json)
            case .scenes(let ids): Self.write(changesOf: ids, in: host, to: &json)
            case .nothing: return false
            }
            return true
        }
        let pump = StreamPump(eventLoop: request.connection.eventLoop, responder: responder, writing: produce)
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
                return ["scenes": []]
            }
        }
        pump.signal()
    }

    private static func reply(_ status: SceneStatus, _ responder: VarlinkResponder) {
        responder.reply { json in
            json.object { json in
                json.name("scene")
                status.write(to: &json)
            }
        }
    }

    /// Writes the state of the scenes that still exist, and the IDs of those that do not.
    private static func write(changesOf ids: [String], in host: SceneHost, to json: inout JSONText) {
        var scenes: [SceneStatus] = []
        var discarded: [String] = []
        for id in ids {
            do throws(SceneError) {
                scenes.append(try host.scene(id))
            } catch {
                discarded.append(id)
            }
        }
        write(scenes, discarded: discarded, to: &json)
    }

    private static func write(_ scenes: [SceneStatus], discarded: [String] = [], to json: inout JSONText) {
        json.object { json in
            json.name("scenes")
            json.array(scenes) { $1.write(to: &$0) }
            if !discarded.isEmpty { json.member("discarded", discarded) }
        }
    }
}

/// The scenes that have changed since a follower was last sent changes; at first all of them.
final class ChangedScenes: Sendable {
    enum Change {
        case all
        case scenes([String])
        case nothing
    }

    private struct State {
        var isFirst = true
        var order: [String] = []
        var known: Set<String> = []
    }

    private let state = Guarded(State())

    func add(_ scene: String) {
        state.withLock { state in
            if state.known.insert(scene).inserted { state.order.append(scene) }
        }
    }

    /// Returns what has changed, each scene once, in the order in which they first changed, and forgets it.
    func take() -> Change {
        state.withLock { state in
            defer {
                state.isFirst = false
                state.order = []
                state.known = []
            }
            if state.isFirst { return .all }
            return state.order.isEmpty ? .nothing : .scenes(state.order)
        }
    }
}
