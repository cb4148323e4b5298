internal import SceneModel
internal import SceneVocabulary
package import StrictJSON

extension HistoryRecord {
    /// Reads a record by the schema `protocol/record.schema.json`. Unknown fields are ignored.
    ///
    /// - Throws: an error that names the field that is missing or has the wrong type.
    package init(_ object: JSONObject) throws(JSONFieldError) {
        try self.init(JSONReader(object))
    }

    /// Reads a record that is still JSON text; see ``init(_:)``.
    package init(_ part: JSONPart) throws(JSONFieldError) {
        do throws(JSONFieldError) {
            try self.init(JSONReader(part, keepsPath: false))
        } catch {
            // Reads again with paths, which are only needed for the error.
            try self.init(JSONReader(part))
        }
    }

    private init(_ fields: JSONReader) throws(JSONFieldError) {
        host = try fields["host"].text()
        index = try fields["index"].integer(from: 1)
        time = try fields["monotonic"].integer()
        let kind = try fields["kind"].text()
        let needs = RecordKind(rawValue: kind).map(Self.subject) ?? []
        let receiver = needs.contains(.receiver) ? try fields.optional("receiver") : nil
        let isOfApp = try receiver?.choice(of: [Receiver.app]) != nil
        scene =
            isOfApp
            ? Self.app
            : needs.contains(.scene) ? try fields["scene"].text() : try fields.optional("scene")?.text()
        ticket =
            needs.contains(.ticket)
            ? try fields["ticket"].integer(from: 1) : try fields.optional("ticket")?.integer(from: 1)
        attempt =
            needs.contains(.attempt)
            ? try fields["attempt"].integer(from: 1) : try fields.optional("attempt")?.integer(from: 1)
        event = needs.contains(.event) ? try fields["event"].text() : try fields.optional("event")?.text()
        connection = try fields.optional("connection")?.integer(from: 0)
        let isSnapshotNeeded = needs.contains(.snapshot)
        let given = (revision: try fields.optional("revision"), epoch: try fields.optional("epoch"))
        if isSnapshotNeeded || given.revision != nil || given.epoch != nil {
            snapshot = Snapshot(
                revision: try fields["revision"].integer(from: 0),
                epoch: try fields["epoch"].integer(from: 0)
            )
        } else {
            snapshot = nil
        }
        body = try Body(kind: kind, fields)
    }

    private struct Parts: OptionSet {
        let rawValue: Int

        static let scene = Parts(rawValue: 1)
        static let ticket = Parts(rawValue: 2)
        static let attempt = Parts(rawValue: 4)
        static let event = Parts(rawValue: 8)
        static let snapshot = Parts(rawValue: 16)
        /// It may be about the app itself instead of a scene.
        static let receiver = Parts(rawValue: 32)
    }

    private enum Receiver: String, CaseIterable { case app }

    /// The fields that a record of this kind must have.
    private static func subject(of kind: RecordKind) -> Parts {
        switch kind {
        case .hostStarted, .hostRestarted, .hostSnapshot: [.snapshot]
        case .sessionCommitted: [.snapshot, .receiver]
        case .sceneConnected, .sceneSnapshot: [.scene, .snapshot]
        case .sceneActivation, .sceneDisconnected, .sceneDiscarded, .coordinatorAttached,
            .coordinatorDetached:
            [.scene]
        case .navigationStep, .sceneSwept, .windowLocked, .windowUnlocked: [.scene, .snapshot]
        case .appSnapshot, .holdCaught, .holdReleased: [.scene, .receiver]
        case .eventAdmitted: [.scene, .receiver, .ticket, .event]
        case .dispatchBegan, .dispatchEnded: [.scene, .receiver, .ticket, .attempt, .event]
        case .dispatchResolved, .dispatchPlanned, .gateParked, .gateResumed, .intentBubbled, .variantChosen:
            [.scene, .ticket, .attempt, .event, .snapshot]
        case .windowRequested: [.scene, .receiver, .ticket, .attempt, .event, .snapshot]
        case .gateSuperseded, .gateAbandoned: [.scene, .ticket, .attempt, .event]
        case .hostQuiet, .hostStopped, .manifestLoaded, .adapterSkipped, .violation, .gap: []
        }
    }
}

extension HistoryRecord.Body {
    fileprivate init(kind name: String, _ fields: JSONReader) throws(JSONFieldError) {
        guard let kind = RecordKind(rawValue: name) else {
            self = .other(kind: name)
            return
        }
        switch kind {
        case .hostStarted:
            self = .hostStarted(
                HistoryRecord.Start(
                    format: try fields.optional("format")?.integer(from: 1) ?? 1,
                    app: HistoryRecord.AppVersion(
                        name: try fields.optional("app")?.text(),
                        version: try fields.optional("manifestVersion")?.text(),
                        digest: try fields.optional("manifest")?.text()
                    ),
                    hasCode: try fields.optional("code")?.bool() ?? false,
                    appVersion: try fields.optional("settings")?.optional("appVersion")?.text(),
                    holds: try Self.holds(fields),
                    facts: try Self.facts(fields)
                )
            )
        case .hostRestarted: self = .hostRestarted(try HistoryRestart(fields))
        case .hostQuiet: self = .hostQuiet
        case .hostStopped: self = .hostStopped
        case .sceneConnected:
            self = .sceneConnected(
                configuration: try fields["configuration"].text(),
                restored: try fields["restored"].bool(),
                given: try fields.optional("given")?.bool() ?? false,
                window: try HistoryWindow(fields["window"])
            )
        case .sceneActivation: self = .sceneActivation(from: try fields["from"].choice(), to: try fields["to"].choice())
        case .sceneDisconnected: self = .sceneDisconnected
        case .sceneDiscarded: self = .sceneDiscarded
        case .hostSnapshot: self = .hostSnapshot(try HistorySnapshot(fields))
        case .appSnapshot:
            self = .appSnapshot(
                HistoryAppSnapshot(
                    lastTicket: try fields["lastTicket"].integer(from: 0),
                    waiting: try HistorySceneSnapshot.waiting(fields)
                )
            )
        case .sceneSnapshot: self = .sceneSnapshot(try HistorySceneSnapshot(fields))
        case .sceneSwept:
            self = .sceneSwept(
                removed: try fields["removed"].elements().map { removal throws(JSONFieldError) in
                    HistoryRecord.Removal(
                        destination: try Destination(removal["destination"]),
                        reason: try removal["reason"].text()
                    )
                }
            )
        case .holdCaught:
            self = .holdCaught(
                hold: try fields["hold"].text(),
                point: try fields["point"].choice(),
                kind: try fields["item"].choice()
            )
        case .holdReleased: self = .holdReleased(hold: try fields["hold"].text())
        case .eventAdmitted:
            self = .eventAdmitted(
                HistoryRecord.Arrival(
                    call: try fields.optional("call")?.integer(from: 0),
                    isAct: try fields.optional("source")?.choice(of: EventSource.allCases) == .internal,
                    kind: try fields.optional("eventKind")?.text(),
                    name: try fields.optional("name")?.text(),
                    isSilent: try fields.optional("silent")?.bool() ?? false,
                    isHeardInSwift: try fields.optional("code")?.bool() ?? false,
                    addressee: try fields.optional("addressee")?.text(),
                    adapter: try fields.optional("adapter")?.text(),
                    destination: try fields.optional("destination").map(Destination.init),
                    route: try fields.optional("route")?.text(),
                    draggedFrom: try fields.optional("draggedFrom")?.text(),
                    set: try fields.optional("set").map { set throws(JSONFieldError) in
                        HistoryRecord.SetPlace(
                            place: try set["place"].integer(from: 1),
                            count: try set["count"].integer(from: 1),
                            given: try set["given"].integer(from: 1)
                        )
                    },
                    choice: try fields.optional("choice")?.choice(),
                    act: try fields.optional("act").map(Act.init)
                )
            )
        case .dispatchBegan:
            let item = try fields["item"].choice(of: [DispatchKind.dispatch, .resume])
            self = .dispatchBegan(isResume: item == .resume)
        case .dispatchResolved:
            self = .dispatchResolved(
                destination: try fields.optional("destination").map(Destination.init),
                verdict: try fields["verdict"].choice(),
                reason: try fields.optional("reason")?.text(),
                wall: try fields.optional("wall")?.number(),
                isOverCurrent: try fields.optional("overCurrent")?.bool() ?? false,
                variant: try fields.optional("variant").map(Destination.init)
            )
        case .variantChosen:
            self = .variantChosen(
                user: try fields.optional("user")?.text(),
                destination: try Destination(fields["destination"]),
                variant: try Destination(fields["variant"]),
                wall: try fields.optional("wall")?.number()
            )
        case .dispatchPlanned: self = .dispatchPlanned(ops: try fields["ops"].elements().map(HistoryOp.init))
        case .dispatchEnded:
            self = .dispatchEnded(
                HistoryRecord.End(
                    // No attempt ends admitted.
                    outcome: try fields["outcome"].choice(of: OutcomeName.allCases.filter { $0 != .admitted }),
                    reason: try fields.optional("reason")?.text(),
                    precondition: try fields.optional("precondition")?.text()
                )
            )
        case .navigationStep:
            self = .navigationStep(
                op: try HistoryOp(fields["op"]),
                cause: try fields["cause"].choice(),
                window: try HistoryWindow(fields["window"])
            )
        case .gateParked, .gateResumed, .gateSuperseded, .gateAbandoned: self = try Self.gate(kind, fields)
        case .intentBubbled:
            self = .intentBubbled(
                HistoryRecord.Bubbling(
                    name: try fields["name"].text(),
                    chain: try fields["chain"].texts(),
                    handler: try fields.optional("handler")?.text(),
                    answer: try fields.optional("answer")?.mapMembers { value throws(JSONFieldError) in
                        value.value ?? .null
                    },
                    error: try fields.optional("error")?.text()
                )
            )
        case .windowRequested: self = .windowRequested(try HistoryRecord.WindowRequest(fields))
        case .windowLocked: self = .windowLocked(try fields["reason"].choice())
        case .windowUnlocked: self = .windowUnlocked(try fields["reason"].choice())
        case .sessionCommitted:
            let origin = try fields.optional("origin")
            self = .sessionCommitted(
                user: try fields.optional("user")?.text(),
                truths: try Self.truths(fields),
                origin: HistoryRecord.Origin(
                    scene: try origin?.optional("scene")?.text(),
                    event: try origin?.optional("event")?.text(),
                    connection: try origin?.optional("connection")?.integer(from: 0)
                ),
                facts: try Self.facts(fields)
            )
        case .coordinatorAttached, .coordinatorDetached:
            let (flow, parent) = (try fields["flow"].text(), try fields["parent"].text())
            self =
                kind == .coordinatorAttached
                ? .coordinatorAttached(
                    flow: flow,
                    parent: parent,
                    inSwift: try fields.optional("code")?.bool() ?? false
                ) : .coordinatorDetached(flow: flow, parent: parent)
        case .manifestLoaded:
            self = .manifestLoaded(
                version: try fields.optional("manifestVersion")?.text(),
                digest: try fields.optional("manifest")?.text(),
                truths: try fields.optional("holds") == nil ? nil : Self.truths(fields)
            )
        case .adapterSkipped:
            self = .adapterSkipped(adapter: try fields["adapter"].text(), reason: try fields["reason"].text())
        case .violation:
            self = .violation(
                rule: try fields["rule"].text(),
                cause: try fields["cause"].text(),
                detail: try fields["detail"].text()
            )
        case .gap: self = .gap(count: try fields["count"].integer(from: 1))
        }
    }

    private static func gate(_ kind: RecordKind, _ fields: JSONReader) throws(JSONFieldError) -> Self {
        let precondition = try fields["precondition"].text()
        let destination = try Destination(fields["destination"])
        return switch kind {
        case .gateParked:
            .gateParked(
                precondition: precondition,
                parameters: try fields.optional("parameters")?.textMembers() ?? [:],
                destination: destination,
                flow: try fields["flow"].text()
            )
        case .gateSuperseded:
            .gateSuperseded(precondition: precondition, destination: destination, by: try fields["by"].text())
        case .gateAbandoned:
            .gateAbandoned(precondition: precondition, destination: destination, reason: try fields["reason"].text())
        default:
            .gateResumed(
                precondition: precondition,
                destination: destination,
                flow: try fields.optional("flow")?.text()
            )
        }
    }

    static func truths(_ fields: JSONReader) throws(JSONFieldError) -> HistoryRecord.Truths {
        HistoryRecord.Truths(holds: try holds(fields), stale: try fields.optional("stale")?.texts())
    }

    static func facts(_ fields: JSONReader) throws(JSONFieldError) -> [String: JSONValue]? {
        // Daemons that name no manifest carry no facts.
        if try fields.optional("manifest") != nil { _ = try fields["facts"].members() }
        return try fields.optional("facts")?.mapMembers { fact throws(JSONFieldError) in fact.value ?? .null }
    }

    private static func holds(_ fields: JSONReader) throws(JSONFieldError) -> [String: Bool] {
        try fields["holds"].mapMembers { truth throws(JSONFieldError) in try truth.bool() }
    }
}

extension HistoryRecord.WindowRequest {
    init(_ fields: JSONReader) throws(JSONFieldError) {
        let wish: WindowWish = try fields["request"].choice()
        let error: WindowError? = try fields.optional("error")?.choice()
        let named: NamedWindow? =
            if wish != .open, let destination = try fields.optional("destination") {
                NamedWindow(
                    destination: try Destination(destination),
                    // Either there is a window or an error says why not.
                    scene: error == nil ? try fields["target"].text() : nil
                )
            } else {
                nil
            }
        switch wish {
        case .open: break
        case .close:
            self = .close(named)
            return
        case .refresh:
            self = .refresh(named)
            return
        }
        self = .open(
            try Destination(fields["destination"]),
            configuration: try fields.optional("configuration")?.text(),
            // Either there is a window or an error says why not.
            opened: error == nil ? try fields["opened"].text() : try fields.optional("opened")?.text(),
            error: error
        )
    }
}

extension Act {
    init(_ fields: JSONReader) throws(JSONFieldError) {
        self.init(
            parameters: try fields.optional("parameters")?.textMembers(),
            reporter: try fields.optional("from")?.text(),
            tab: try fields.optional("tab")?.text(),
            isCancelled: try fields.optional("cancelled")?.bool() ?? false
        )
        if let result = try fields.optional("result") {
            let name: FlowResultName = try result.choice()
            self.result =
                switch name {
                case .cancelled: .cancelled
                case .completed:
                    .completed(
                        user: try fields.optional("user")?.text(),
                        facts: try HistoryRecord.Body.facts(fields) ?? [:],
                        values: try fields.optional("values")?.textMembers() ?? [:]
                    )
                }
        }
    }

    private enum FlowResultName: String, CaseIterable { case completed, cancelled }
}

/// Where an event came from, as records say it.
enum EventSource: String, CaseIterable {
    case external, `internal`
}
