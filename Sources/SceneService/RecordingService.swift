internal import Basics
internal import SceneRuntime
internal import StrictJSON
internal import Varlink

/// `io.scened.Recording`: reads the calls that came in, so that they can be played again.
struct RecordingService: Sendable {
    let running: RunningHost
    let log: InputLog

    private static let greatestLimit = 1_000
    /// The size of a reply, in bytes, after which the rest is left to the next one.
    private static let replyBytes = 256 << 10

    func service() throws -> VarlinkService {
        var service = try VarlinkService(interface: InterfaceText.recording)
        try service.on("Read") { request, responder in
            let after = request.parameters["after"]?.integerValue ?? 0
            let limit = request.parameters["limit"]?.integerValue ?? Self.greatestLimit
            guard after >= 0 else { return _ = responder.fail(.invalidParameter("after")) }
            guard (1...Self.greatestLimit).contains(limit) else {
                return _ = responder.fail(.invalidParameter("limit"))
            }
            var (inputs, next, missing) = log.read(after: after, limit: limit, of: running.current.records.host)
            var bytes = 0
            let end = inputs.firstIndex { input in
                bytes += input.size
                return bytes > Self.replyBytes
            }
            if let end {
                // At least one, however large.
                inputs.removeSubrange(max(end, 1)...)
                next = inputs.last?.index ?? next
            }
            responder.reply { json in
                json.object { json in
                    json.name("inputs")
                    json.array(inputs) { $1.write(to: &$0) }
                    json.member("next", next)
                    json.member("missing", missing)
                }
            }
        }
        return service
    }

    /// The service with a log of its calls, except those that only read.
    func noting(_ service: VarlinkService) -> VarlinkService {
        var service = service
        let asking: Set<String> = ["Get", "List"]
        service.before(allBut: asking) { request, responder in log.append(request, responder, to: running.current) }
        return service
    }
}

extension InputLog.Input {
    fileprivate func write(to json: inout JSONText) {
        json.object { json in
            json.member("index", index)
            json.member("monotonic", time.nanoseconds)
            json.member("connection", connection)
            json.member("call", call)
            json.member("method", method)
            json.name("parameters")
            json.value(written: parameters)
            json.member("error", error)
        }
    }
}
