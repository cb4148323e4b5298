internal import Basics
internal import NIOCore
internal import SceneEntryPoints
internal import SceneNavigation
internal import SceneRouting
internal import SceneRuntime
internal import StrictJSON
internal import Varlink

/// `io.scened.Events`: decodes an event, submits it to the host, and replies when the event has come as far as the client
/// asked.
struct EventsService: Sendable {
    let running: RunningHost
    let adapters: AdapterRegistry
    /// Where the calls are noted.
    let inputs: InputLog
    /// The roles of a caller.
    let roles: @Sendable (VarlinkPeer) -> [Role]

    private var host: SceneHost { running.current }

    func service() throws -> VarlinkService {
        var service = try VarlinkService(interface: InterfaceText.events)
        try service.on("OpenURL") { request, responder in
            admit(request, responder) { parameters throws(JSONFieldError) in
                try .url(parameters.text("url"), sourceApplication: parameters["sourceApplication"]?.stringValue)
            }
        }
        try service.on("OpenURLs") { request, responder in admitSet(request, responder) }
        try service.on("ContinueActivity") { request, responder in
            admit(request, responder) { parameters throws(JSONFieldError) in
                try .activity(
                    activityType: parameters.text("activityType"),
                    webpageURL: parameters["webpageURL"]?.stringValue,
                    userInfo: parameters["userInfo"]?.objectValue,
                    title: parameters["title"]?.stringValue,
                    targetContentIdentifier: parameters["targetContentIdentifier"]?.stringValue,
                    persistentIdentifier: parameters["persistentIdentifier"]?.stringValue,
                    referrerURL: parameters["referrerURL"]?.stringValue,
                    handoff: parameters["handoff"]?.boolValue,
                    announced: parameters["announced"]?.boolValue,
                    failure: parameters["failure"]?.stringValue,
                    draggedFrom: parameters["draggedFrom"]?.stringValue
                )
            }
        }
        try service.on("Push") { request, responder in
            admit(request, responder) { parameters throws(JSONFieldError) in
                try .push(
                    payload: parameters["payload"]?.objectValue ?? [:],
                    interaction: parameters["interaction"]?.stringValue,
                    action: parameters["action"]?.stringValue,
                    text: parameters["text"]?.stringValue,
                    voip: parameters["voip"]?.boolValue
                )
            }
        }
        try service.on("TapWidget") { request, responder in
            admit(request, responder) { parameters throws(JSONFieldError) in
                try .widget(
                    kind: parameters.text("kind"),
                    family: parameters["family"]?.stringValue,
                    url: parameters["url"]?.stringValue,
                    userInfo: parameters["userInfo"]?.objectValue
                )
            }
        }
        try service.on("PerformShortcut") { request, responder in
            admit(request, responder) { parameters throws(JSONFieldError) in
                try .shortcut(
                    type: parameters.text("type"),
                    userInfo: parameters["userInfo"]?.objectValue,
                    targetContentIdentifier: parameters["targetContentIdentifier"]?.stringValue
                )
            }
        }
        try service.on("SendIntent") { request, responder in
            let parameters = request.parameters["parameters"]?.objectValue ?? [:]
            let texts = parameters.compactMap { name, value in value.stringValue.map { (name, $0) } }
            let intent = Intent(
                name: request.parameters.text("name"),
                parameters: Dictionary(texts) { first, _ in first }
            )
            admit(.intent(intent, from: request.parameters["from"]?.stringValue), request, responder)
        }
        try service.on("Gesture") { request, responder in
            act(request, responder) { parameters throws(AdmissionError) in
                try .gesture(
                    named: parameters.text("gesture"),
                    tab: parameters["tab"]?.stringValue,
                    cancelled: parameters["cancelled"]?.boolValue
                )
            }
        }
        try service.on("FinishFlow") { request, responder in
            act(request, responder) { parameters throws(AdmissionError) in
                try .finishFlow(
                    parameters.text("flow"),
                    result: parameters.text("result"),
                    user: parameters["user"]?.stringValue,
                    facts: FactValue.facts(parameters["facts"]?.objectValue ?? [:]),
                    values: Dictionary(
                        (parameters["values"]?.objectValue ?? [:]).compactMap { name, value in
                            value.stringValue.map { (name, $0) }
                        }
                    ) { first, _ in first }
                )
            }
        }
        try service.on("Get") { request, responder in
            let event = request.parameters.text("event")
            let host = host
            guard let receipt = host.receipt(event: event, sender: request.sender) else {
                responder.fail(VarlinkError("io.scened.Events.UnknownEvent", ["event": .string(event)]))
                return
            }
            let wait = host.wait(of: event, sender: request.sender)
            responder.reply { json in
                json.object { json in
                    json.name("receipt")
                    receipt.write(to: &json)
                    wait?.write(to: &json, of: host, for: request.sender)
                }
            }
        }
        return service
    }

    private func act(
        _ request: VarlinkRequest,
        _ responder: VarlinkResponder,
        decode: (JSONObject) throws(AdmissionError) -> SceneAction
    ) {
        do throws(AdmissionError) {
            admit(try decode(request.parameters), request, responder)
        } catch {
            responder.fail(error.wire.suggesting(from: host))
        }
    }

    private func admit(_ action: SceneAction, _ request: VarlinkRequest, _ responder: VarlinkResponder) {
        let submission = Submission(
            action,
            scene: request.parameters["scene"]?.stringValue,
            eventID: request.parameters["event"]?.stringValue,
            sender: request.sender,
            connection: request.connection.id,
            call: request.number
        )
        admit(submission, nil, to: host, until: awaited(request), responder)
    }

    private func admit(
        _ request: VarlinkRequest,
        _ responder: VarlinkResponder,
        decode: (JSONObject) throws(JSONFieldError) -> EntryEvent
    ) {
        let parameters = request.parameters
        do throws(JSONFieldError) {
            let event = try decode(parameters)
            var submission = Submission(
                event,
                scene: parameters["scene"]?.stringValue,
                eventID: parameters["event"]?.stringValue,
                sender: request.sender,
                connection: request.connection.id,
                call: request.number
            )
            // What a finger does with a notification can change the session, as what it does in a window can.
            submission.mayAct = event.kind != .push || roles(request.connection.peer).contains(.act)
            admit(submission, request, responder)
        } catch {
            responder.fail(VarlinkError("io.scened.Events.Malformed", ["reason": .string(error.description)]))
        }
    }

    /// Asks the adapters of other processes first, if there are any for this event, and those that are the app's own code.
    ///
    /// Until the event has its ticket the connection starts no further call, not even after a `oneway` one. So the events of
    /// one connection keep their order, and no other connection waits.
    private func admit(_ submission: Submission, _ request: VarlinkRequest, _ responder: VarlinkResponder) {
        let awaited = awaited(request)
        // Keep the host that runs now: after a reset, an event still with its adapters must not get into the new one.
        let host = self.host
        var outside: [OutsideAdapter] = []
        if case .entry(let event) = submission.event, host.asksAdapters(about: event) {
            outside = adapters.adapters(for: event.kind)
        }
        guard case .entry(let event) = submission.event, !outside.isEmpty || adapters.ownQueue != nil,
            host.asksAdapters(about: event)
        else {
            return admit(submission, nil, to: host, until: awaited, responder)
        }
        do throws(AdmissionError) {
            // Do not ask adapters about an event that was admitted before.
            if let admission = try host.repeated(submission) {
                return reply(admission, of: host, at: awaited, responder)
            }
        } catch {
            return _ = responder.fail(error.wire.suggesting(from: host))
        }
        responder.holdConnection()
        var submission = submission
        if submission.eventID == nil { submission.eventID = host.makeEventID(sender: submission.sender) }
        adapters.inquire(
            AdapterInquiry(event, host.adapters, outside: outside),
            for: .event { [submission] in host.recordSkippedAdapter($0, reason: $1, submission: submission) },
            on: request.connection.eventLoop
        ) { [submission] adaptation in
            admit(submission, adaptation, to: host, until: awaited, responder)
        }
    }

    private func admit(
        _ submission: Submission,
        _ adaptation: Result<Adaptation, EntryRefusal>?,
        to host: SceneHost,
        until awaited: Awaited,
        _ responder: VarlinkResponder
    ) {
        do throws(AdmissionError) {
            let admission = try host.admit(submission, adaptation: adaptation)
            if case .entry(let event) = submission.event, let call = submission.call {
                note(host.secrets(in: event, adaptation), submission.connection, call, host)
            }
            reply(admission, of: host, at: awaited, responder)
        } catch {
            responder.fail(error.wire.suggesting(from: host))
        }
    }

    /// Notes what was secret in an event that is admitted.
    private func note(_ secrets: SentSecrets, _ connection: Int?, _ call: Int, _ host: SceneHost) {
        guard host.conceals, let connection else { return }
        inputs.decide(connection: connection, call: call, secrets, of: host)
    }

    // MARK: - Several URLs at once

    private func admitSet(_ request: VarlinkRequest, _ responder: VarlinkResponder) {
        let parameters = request.parameters
        let urls = (parameters["urls"]?.arrayValue ?? []).compactMap(\.stringValue)
        var submission: SetSubmission
        do throws(JSONFieldError) {
            submission = SetSubmission(
                try URLSet(
                    urls,
                    sourceApplication: parameters["sourceApplication"]?.stringValue
                ),
                order: parameters["order"]?.arrayValue?.compactMap(\.integerValue),
                scene: parameters["scene"]?.stringValue,
                eventID: parameters["event"]?.stringValue,
                sender: request.sender,
                connection: request.connection.id,
                call: request.number
            )
        } catch {
            return _ = responder.fail(Self.refusal(of: urls, error))
        }
        let awaited = awaited(request)
        let host = self.host
        let outside = adapters.adapters(for: .url)
        guard !outside.isEmpty || adapters.ownQueue != nil else {
            return admit(submission, nil, to: host, until: awaited, responder)
        }
        do throws(AdmissionError) {
            if let admissions = try host.repeated(submission) {
                return reply(admissions, of: host, at: awaited, responder)
            }
        } catch {
            return _ = responder.fail(error.wire.suggesting(from: host))
        }
        responder.holdConnection()
        if submission.eventID == nil { submission.eventID = host.makeEventID(sender: submission.sender) }
        inquire(submission, [], outside, host, on: request.connection.eventLoop) { [submission] adaptations in
            admit(submission, adaptations, to: host, until: awaited, responder)
        }
    }

    /// Why URLs are no set. What is wrong with one of them is said as of any other that the door refuses.
    private static func refusal(of urls: [String], _ error: JSONFieldError) -> VarlinkError {
        guard error.path.steps.first == .member("urls"), case .element(let index)? = error.path.steps.last,
            urls.indices.contains(index)
        else {
            return VarlinkError("io.scened.Events.Malformed", ["reason": .string(error.description)])
        }
        let own = JSONFieldError(path: "url", expected: error.expected, found: error.found)
        return AdmissionError.member(
            place: index + 1,
            url: urls[index],
            .route(.malformed(reason: own.description))
        ).wire
    }

    /// Asks the adapters of other processes about one URL of a set after the other, then calls `finish`.
    private func inquire(
        _ submission: SetSubmission,
        _ adaptations: [Result<Adaptation, EntryRefusal>],
        _ outside: [OutsideAdapter],
        _ host: SceneHost,
        on eventLoop: any EventLoop,
        _ finish: @escaping @Sendable ([Result<Adaptation, EntryRefusal>]) -> Void
    ) {
        guard adaptations.count < submission.urls.events.count else { return finish(adaptations) }
        let member = submission.member(adaptations.count)
        adapters.inquire(
            AdapterInquiry(submission.urls.events[adaptations.count], host.adapters, outside: outside),
            for: .event { host.recordSkippedAdapter($0, reason: $1, submission: member) },
            on: eventLoop
        ) { adaptation in
            inquire(submission, adaptations + [adaptation], outside, host, on: eventLoop, finish)
        }
    }

    private func admit(
        _ submission: SetSubmission,
        _ adaptations: [Result<Adaptation, EntryRefusal>]?,
        to host: SceneHost,
        until awaited: Awaited,
        _ responder: VarlinkResponder
    ) {
        do throws(AdmissionError) {
            let admissions = try host.admit(submission, adaptations: adaptations)
            if let call = submission.call {
                var secrets = SentSecrets()
                for (index, event) in submission.urls.events.enumerated() {
                    let adaptation = adaptations.flatMap { $0.indices.contains(index) ? $0[index] : nil }
                    secrets.add(host.secrets(in: event, adaptation))
                }
                note(secrets, submission.connection, call, host)
            }
            reply(admissions, of: host, at: awaited, responder)
        } catch {
            responder.fail(error.wire.suggesting(from: host))
        }
    }

    /// Replies when every event of a set has reached the stage.
    private func reply(
        _ admissions: [SceneHost.Admission],
        of host: SceneHost,
        at awaited: Awaited,
        _ responder: VarlinkResponder
    ) {
        let warnings = admissions.enumerated().flatMap { index, admission in
            admission.warnings.map { "urls[\(index)].\($0)" }
        }
        if awaited.tellsAdmission {
            let receipts = admissions.map { host.admissionReceipt($0) }
            tell(responder) { json in
                json.name("receipts")
                json.array(receipts) { json, receipt in receipt.write(to: &json) }
            }
        }
        let reached = Guarded<[Receipt?]>(Array(repeating: nil, count: admissions.count))
        for (index, admission) in admissions.enumerated() {
            let token = host.whenReached(awaited.stage, admission) { receipt in
                let all = reached.withLock { reached -> [Receipt]? in
                    reached[index] = receipt
                    let receipts = reached.compactMap(\.self)
                    return receipts.count == reached.count ? receipts : nil
                }
                if let all { Self.reply(all, warnings, responder) }
            }
            if let token { responder.onClose { host.stopWaiting(token, for: admission) } }
        }
    }

    private static func reply(_ receipts: [Receipt], _ warnings: [String], _ responder: VarlinkResponder) {
        responder.reply { json in
            json.object { json in
                json.name("receipts")
                json.array(receipts) { json, receipt in receipt.write(to: &json) }
                write(warnings, to: &json)
            }
        }
    }

    private static func write(_ warnings: [String], to json: inout JSONText) {
        guard !warnings.isEmpty else { return }
        json.name("warnings")
        json.array(warnings) { json, warning in json.value(warning) }
    }

    // MARK: - Replies

    private func reply(
        _ admission: SceneHost.Admission,
        of host: SceneHost,
        at awaited: Awaited,
        _ responder: VarlinkResponder
    ) {
        let warnings = admission.warnings
        if awaited.tellsAdmission {
            let receipt = host.admissionReceipt(admission)
            tell(responder) { json in
                json.name("receipt")
                receipt.write(to: &json)
            }
        }
        let token = host.whenReached(awaited.stage, admission) { Self.reply($0, warnings, responder) }
        // The event goes on when its client disconnects, but nobody waits for it.
        guard let token else { return }
        responder.onClose { host.stopWaiting(token, for: admission) }
    }

    /// Sends a reply to a call with `more` before the last one.
    private func tell(_ responder: VarlinkResponder, _ write: (inout JSONText) -> Void) {
        // The last reply comes when the event has got so far, also if the daemon is stopping.
        responder.onDrain {}
        _ = responder.send { json in
            json.object(write)
            return true
        }
    }

    private static func reply(_ receipt: Receipt, _ warnings: [String], _ responder: VarlinkResponder) {
        responder.reply { json in
            json.object { json in
                json.name("receipt")
                receipt.write(to: &json)
                write(warnings, to: &json)
            }
        }
    }

    /// What a call waits for.
    private struct Awaited {
        let stage: ReceiptStage
        /// Whether it is told first that the event is admitted.
        let tellsAdmission: Bool
    }

    /// The stage to wait for. An event sent `oneway` waits for nothing, so that the next one on its connection need not wait.
    private func awaited(_ request: VarlinkRequest) -> Awaited {
        let stage =
            request.call.oneway
            ? .admitted : request.parameters["wait"]?.stringValue.flatMap(ReceiptStage.init) ?? .settled
        return Awaited(stage: stage, tellsAdmission: request.call.more && stage != .admitted)
    }
}
