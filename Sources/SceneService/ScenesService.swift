internal import SceneNavigation
internal import SceneRuntime
internal import StrictJSON
internal import Varlink
internal import Basics
internal import DequeModule

/// `io.scened.Scenes`: connects, shows, activates, disconnects and discards scenes.
struct ScenesService: Sendable {
    let running: RunningHost

    private var host: SceneHost { running.current }

    func service() throws -> VarlinkService {
        var service = try VarlinkService(interface: InterfaceText.scenes)
        try service.on("Connect") { request, responder in
            let saved: WindowState?
            let owner: WindowOwner?
            do throws(JSONFieldError) {
                let (window, whose) = (request.parameters["window"], request.parameters["owner"])
                saved = try window.map { json throws(JSONFieldError) in try WindowState(json: json) }
                owner = try whose.map { json throws(JSONFieldError) in try WindowOwner(json: json) }
            } catch {
                return _ = responder.fail(VarlinkError("io.scened.Scenes.Malformed", ["reason": .string("\(error)")]))
            }
            if let size = saved?.footprint, size > Window.maximumFootprint {
                let reason = "window: takes \(size) bytes; a window may take \(Window.maximumFootprint)"
                return _ = responder.fail(VarlinkError("io.scened.Scenes.Malformed", ["reason": .string(reason)]))
            }
            start(responder) { then throws(SceneError) in
                try host.connect(
                    scene: request.parameters["scene"]?.stringValue,
                    configuration: request.parameters["configuration"]?.stringValue,
                    restoring: saved,
                    of: owner,
                    inBackground: request.parameters["background"]?.boolValue ?? false,
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
                responder.fail(error.wire.suggesting(from: host))
            }
        }
        try service.on("List") { request, responder in
            guard let part = ReplyPage(request, responder) else { return }
            guard request.call.more else {
                responder.reply {
                    _ = Self.write(host.scenes(after: part.after, limit: part.limit), part.after, to: &$0)
                }
                return
            }
            follow(part, request, responder)
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
                case .failure(let error): responder.fail(error.wire.suggesting(from: host))
                }
            }
        } catch {
            responder.fail(error.wire.suggesting(from: host))
        }
    }

    /// Streams all scenes first, page by page, then each that has changed. While the client is slow, changes merge into the
    /// newest state.
    private func follow(_ part: ReplyPage, _ request: VarlinkRequest, _ responder: VarlinkResponder) {
        let host = self.host
        let changes = ChangedScenes()
        let listing = Guarded((next: part.after, isFirst: true, isOver: false))
        let produce: @Sendable (inout JSONText) -> Bool = { json in
            listing.withLock { listing in
                if !listing.isOver {
                    let scenes = host.scenes(after: listing.next, limit: part.limit)
                    listing.isOver = scenes.isEmpty
                    if listing.isFirst || !listing.isOver {
                        listing.isFirst = false
                        listing.next = Self.write(scenes, listing.next, to: &json)
                        if scenes.count < part.limit, scenes.last?.number == listing.next { listing.isOver = true }
                        return true
                    }
                }
                return Self.write(changes, atMost: part.limit, listing.next, in: host, to: &json)
            }
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
                return ["scenes": [], "next": .integer(listing.withLock { $0.next })]
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

    /// Writes the state of the changed scenes that still exist, and the IDs of those that do not. What does not fit stays
    /// among the changes.
    /// - Returns: Whether there were any.
    private static func write(
        _ changes: ChangedScenes,
        atMost limit: Int,
        _ next: Int,
        in host: SceneHost,
        to json: inout JSONText
    ) -> Bool {
        let ids = changes.take(atMost: limit)
        guard !ids.isEmpty else { return false }
        var scenes: [SceneStatus] = []
        var discarded: [String] = []
        for id in ids {
            do throws(SceneError) {
                scenes.append(try host.scene(id))
            } catch {
                discarded.append(id)
            }
        }
        json.object { json in
            json.name("scenes")
            let written = json.page(scenes) { $1.write(to: &$0) }
            changes.putBack(scenes[written...].map(\.id))
            if !discarded.isEmpty { json.member("discarded", discarded) }
            json.member("next", next)
        }
        return true
    }

    /// Writes as many of the scenes after the one with the number `after` as fit in a page.
    /// - Returns: The number of the last, which the next page begins after.
    private static func write(_ scenes: [SceneStatus], _ after: Int, to json: inout JSONText) -> Int {
        var next = after
        json.object { json in
            json.name("scenes")
            let written = json.page(scenes) { $1.write(to: &$0) }
            next = scenes[..<written].last?.number ?? after
            json.member("next", next)
        }
        return next
    }
}

/// The scenes that have changed since a follower was last sent changes, in the order in which they first changed.
final class ChangedScenes: Sendable {
    private struct State {
        var order: Deque<String> = []
        var known: Set<String> = []
    }

    private let state = Guarded(State())

    func add(_ scene: String) {
        state.withLock { state in
            if state.known.insert(scene).inserted { state.order.append(scene) }
        }
    }

    /// Removes and returns the first that have changed, each once.
    func take(atMost limit: Int) -> [String] {
        state.withLock { state in
            let taken = Array(state.order.prefix(limit))
            state.order.removeFirst(taken.count)
            state.known.subtract(taken)
            return taken
        }
    }

    /// Puts back what was taken and not sent, to come first.
    func putBack(_ scenes: [String]) {
        state.withLock { state in
            for scene in scenes.reversed() where state.known.insert(scene).inserted { state.order.prepend(scene) }
        }
    }
}
