internal import Basics
internal import NIOCore
internal import SceneRouting
internal import SceneRuntime
internal import StrictJSON
internal import Varlink

/// `io.scened.Control`: holds scenes at points, waits for quiet, advances the clock, and resets the host.
struct ControlService: Sendable {
    let running: RunningHost
    let inputs: InputLog
    let accounts: UserAccounts
    /// The users of the connections that have made holds, which are released when these close.
    private let holding = Guarded<[Int: UInt32]>([:])

    private var host: SceneHost { running.current }

    private static let name = "io.scened.Control"

    init(running: RunningHost, inputs: InputLog, accounts: UserAccounts) {
        self.running = running
        self.inputs = inputs
        self.accounts = accounts
    }

    /// How many holds one user may have: every step of a scene looks at each.
    private static let mostHolds = 256

    /// A day: longer than any test, short enough for every clock.
    private static let longestTimeout = 86_400_000

    /// A hundred years, in milliseconds.
    private static let longestAdvance = 100 * 366 * 86_400_000

    func service() throws -> VarlinkService {
        var service = try VarlinkService(interface: InterfaceText.control)
        try service.on("Hold") { request, responder in hold(request, responder) }
        try service.on("Release") { request, responder in
            let hold = request.parameters.text("hold")
            inputs.append(request, responder, to: host)
            if host.release(hold) {
                responder.reply()
            } else {
                responder.fail(Self.error("UnknownHold", ["hold": .string(hold)]))
            }
        }
        try service.on("Await") { request, responder in awaitCatch(request, responder) }
        try service.on("Quiesce") { request, responder in quiesce(request, responder) }
        try service.onAsync("Advance") { request in
            let host = host
            guard host.isVirtual else { throw Self.error("RealClock") }
            switch try Self.target(request.parameters, host) {
            case .by(let duration): await host.advance(by: duration)
            case .to(let time):
                guard await host.advance(to: time) == true else { throw Self.error("TimePassed", host.timeOnClock) }
            }
            var reply = host.timeOnClock
            // Rounded up, so that whoever advances to it finds it done.
            reply["next"] = host.nextDeadline.map { .integer(($0 + .microseconds(999)).milliseconds) }
            return reply
        }
        try service.onAsync("Reset") { request in
            guard !host.isDraining else { throw Self.error("Draining") }
            var beginning = RunningHost.Beginning()
            beginning.seed = request.parameters["seed"]?.integerValue.map { UInt64(bitPattern: Int64($0)) }
            if let start = request.parameters["start"]?.stringValue {
                guard host.isVirtual else { throw Self.error("RealClock") }
                beginning.date = try Self.date(start, "start")
            }
            let new = try await running.reset(beginning)
            return ["host": .string(new.records.host)]
        }
        return service
    }

    /// How far a clock is to be advanced.
    private enum Target {
        case by(Duration)
        case to(Duration)
    }

    /// Reads which of its parameters a call of `Advance` gives.
    private static func target(_ parameters: JSONObject, _ host: SceneHost) throws(VarlinkError) -> Target {
        let given = ["milliseconds", "time", "date"].filter { parameters[$0].map { !$0.isNull } ?? false }
        guard given.count == 1, let name = given.first else {
            let reason =
                given.isEmpty
                ? "expected one of milliseconds, time and date"
                : "is given together with \(given.dropFirst().joined(separator: " and ")); expected one of them"
            throw .invalidParameter(given.first ?? "milliseconds", reason: reason)
        }
        if name == "date" {
            let time = host.time(of: try date(parameters.text("date"), "date")) ?? .zero
            guard time <= .milliseconds(longestAdvance) else {
                throw .invalidParameter("date", reason: "is more than a hundred years after the start")
            }
            return .to(time)
        }
        let milliseconds = parameters[name]?.integerValue ?? 0
        guard (0...longestAdvance).contains(milliseconds) else {
            // As older daemons have it.
            throw name == "milliseconds"
                ? .invalidParameter(name)
                : .invalidParameter(name, reason: "is \(milliseconds); expected 0 to \(longestAdvance) milliseconds")
        }
        return name == "time" ? .to(.milliseconds(milliseconds)) : .by(.milliseconds(milliseconds))
    }

    private static func date(_ text: String, _ parameter: String) throws(VarlinkError) -> Double {
        if let seconds = Instant.seconds(text) { return seconds }
        throw .invalidParameter(parameter, reason: "'\(text.echoed)' is no date; expected \(Instant.expectation)")
    }

    private func hold(_ request: VarlinkRequest, _ responder: VarlinkResponder) {
        let parameters = request.parameters
        guard let point = HoldPoint(rawValue: parameters.text("point")) else {
            return _ = responder.fail(.invalidParameter("point"))
        }
        let (host, connection) = (self.host, request.connection)
        let user = connection.peer.userID
        let input = inputs.append(request, responder, to: host)
        // One at a time, so that the number of holds cannot change between looking and holding.
        let (hold, isFirst): (Result<String?, SceneError>?, Bool) = holding.withLock { holding in
            guard host.holdOwners.count(where: { holding[$0] == user }) < Self.mostHolds else { return (nil, false) }
            let hold = Result { () throws(SceneError) in
                try host.hold(
                    point,
                    scene: parameters["scene"]?.stringValue,
                    event: parameters["event"]?.stringValue,
                    kind: parameters["kind"]?.stringValue.flatMap(DispatchKind.init),
                    name: parameters["hold"]?.stringValue,
                    owner: connection.id
                )
            }
            guard case .success(.some) = hold else { return (hold, false) }
            return (hold, holding.updateValue(user, forKey: connection.id) == nil)
        }
        if isFirst {
            // Nobody else may know their IDs.
            connection.closed.whenComplete { _ in
                holding.withLock { $0[connection.id] = nil }
                let host = self.host
                for hold in host.holds(of: connection.id) {
                    inputs.append(releaseOf: hold, connection: connection.id, to: host)
                    host.release(hold)
                }
            }
        }
        switch hold {
        case .success(nil):
            responder.fail(Self.error("HoldExists", ["hold": parameters["hold"] ?? .null]))
        case .success(let hold?):
            inputs.add(["hold": .string(hold)], to: input, of: host)
            responder.reply(["hold": .string(hold)])
        case .failure(let error): responder.fail(Self.wire(error).suggesting(from: host))
        case nil:
            accounts.refused(user, "holds")
            responder.fail(Self.error("TooManyHolds", ["limit": .integer(Self.mostHolds)]))
        }
    }

    private func awaitCatch(_ request: VarlinkRequest, _ responder: VarlinkResponder) {
        let hold = request.parameters.text("hold")
        guard let timeout = timeout(request, responder), mayWait(request, responder) else { return }
        let token = host.whenCaught(by: hold) { caught in
            var reply: JSONObject = ["point": .string(caught.point.rawValue)]
            reply["scene"] = caught.scene.map(JSONValue.string)
            reply["ticket"] = caught.ticket.map(JSONValue.integer)
            reply["event"] = caught.event.map(JSONValue.string)
            responder.reply(reply)
        } onReleased: {
            responder.fail(Self.error("UnknownHold", ["hold": .string(hold)]))
        }
        guard let token else {
            return _ = responder.fail(Self.error("UnknownHold", ["hold": .string(hold)]))
        }
        giveUp(request, responder, after: timeout) { host.stopAwaiting(token, of: hold) }
    }

    private func quiesce(_ request: VarlinkRequest, _ responder: VarlinkResponder) {
        let scene = request.parameters["scene"]?.stringValue
        guard let timeout = timeout(request, responder), mayWait(request, responder) else { return }
        do throws(SceneError) {
            if let scene { _ = try host.scene(scene) }
            let token = host.whenQuiet(scene) { responder.reply() }
            giveUp(request, responder, after: timeout) { host.stopWaiting(token) }
        } catch {
            responder.fail(Self.wire(error).suggesting(from: host))
        }
    }

    /// Reads the timeout of a call.
    /// - Returns: The timeout, or `.some(nil)` for none; `nil` if the call has been answered with an error.
    private func timeout(_ request: VarlinkRequest, _ responder: VarlinkResponder) -> Int?? {
        guard let timeout = request.parameters["timeoutMilliseconds"]?.integerValue else { return .some(nil) }
        guard (0...Self.longestTimeout).contains(timeout) else {
            responder.fail(.invalidParameter("timeoutMilliseconds"))
            return nil
        }
        return .some(timeout)
    }

    /// Counts the call among the waits of its user until it ends. If the user has too many, answers that and returns `false`.
    private func mayWait(_ request: VarlinkRequest, _ responder: VarlinkResponder) -> Bool {
        let user = request.connection.peer.userID
        guard accounts.take(.waits, for: user) else {
            responder.fail(Self.error("TooManyWaits", ["limit": .integer(accounts.limit(.waits))]))
            return false
        }
        responder.onEnd { [accounts] in accounts.giveBack(.waits, of: user) }
        return true
    }

    /// Stops waiting after the timeout, or when the client goes away.
    /// - Parameter stop: Stops the wait and returns whether it was still waiting.
    private func giveUp(
        _ request: VarlinkRequest,
        _ responder: VarlinkResponder,
        after timeout: Int?,
        stop: @escaping @Sendable () -> Bool
    ) {
        running.waits.count(request, responder, hasTimer: timeout != nil)
        responder.onClose { _ = stop() }
        responder.onDrain { if stop() { responder.fail(Self.error("Draining")) } }
        guard let timeout else { return }
        let timer = request.connection.eventLoop.scheduleTask(in: .milliseconds(Int64(timeout))) {
            if stop() { responder.fail(Self.error("TimedOut")) }
        }
        responder.onClose { timer.cancel() }
        responder.onAnswer { _ in timer.cancel() }
        // It may be answered already.
        if !responder.isOpen { timer.cancel() }
    }

    private static func wire(_ error: SceneError) -> VarlinkError {
        switch error {
        case .unknownScene(let scene): self.error("UnknownScene", ["scene": .string(scene)])
        case .draining: self.error("Draining")
        case .sceneExists, .unknownConfiguration, .tooManyScenes, .invalidSceneID, .illegalActivation, .queueFull:
            .invalidParameter("scene")
        }
    }

    private static func error(_ word: String, _ parameters: JSONObject = [:]) -> VarlinkError {
        VarlinkError("\(name).\(word)", parameters)
    }
}

extension SceneHost {
    /// The time on the clock: in milliseconds since the start, and as a date.
    var timeOnClock: JSONObject { ["now": .integer(uptime.milliseconds), "date": .string(Instant.text(date))] }
}
