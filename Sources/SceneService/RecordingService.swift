internal import Basics
internal import SceneRuntime
internal import StrictJSON
internal import Varlink

/// `io.scened.Recording`: reads the calls that came in, so that they can be played again.
struct RecordingService: Sendable {
    let running: RunningHost
    let log: InputLog

    private static let greatestLimit = 1_000

    func service() throws -> VarlinkService {
        var service = try VarlinkService(interface: InterfaceText.recording)
        try service.on("Read") { request, responder in
            guard let part = ReplyPage(request, responder, upTo: Self.greatestLimit) else { return }
            let host = running.current.records.host
            let (inputs, next, missing) = log.read(after: part.after, limit: part.limit, of: host)
            responder.reply { json in
                json.object { json in
                    json.name("inputs")
                    let written = json.page(inputs) { $1.write(to: &$0) }
                    json.member("next", written < inputs.count ? inputs[written - 1].index : next)
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
            json.member("records", records)
            json.member("settled", isSettled)
            json.member("quiet", isQuiet)
            json.member("method", method)
            json.name("parameters")
            if isUndecided { json.value(.object([:])) } else { json.value(written: parameters) }
            json.member("error", error)
        }
    }
}
