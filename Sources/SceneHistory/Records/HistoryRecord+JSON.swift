public import StrictJSON

extension HistoryRecord {
    /// Reads a record by the schema `protocol/record.schema.json`. Fields it does not know are passed over.
    ///
    /// - Throws: Which field is missing or of the wrong kind.
    public init(_ object: JSONObject) throws(JSONFieldError) {
        try self.init(JSONReader(object))
    }

    /// Reads a record by the schema `protocol/record.schema.json`. Fields it does not know are passed over.
    ///
    /// - Throws: Which field is missing or of the wrong kind.
    package init(_ part: JSONPart) throws(JSONFieldError) {
        do throws(JSONFieldError) {
            try self.init(JSONReader(part, keepsPath: false))
        } catch {
            // Where the fault lies is found out only where there is one.
            try self.init(JSONReader(part))
        }
    }

    private init(_ fields: JSONReader) throws(JSONFieldError) {
        host = try fields["host"].text()
        index = try fields["index"].integer(from: 1)
        time = try fields["monotonic"].integer()
        let kind = try fields["kind"].text()
        let needs = Self.subject(of: kind)
        scene = needs.contains(.scene) ? try fields["scene"].text() : try fields.optional("scene")?.text()
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
    }

    /// What a record of this kind must be about.
    private static func subject(of kind: String) -> Parts {
        switch kind {
        case "host.started", "session.committed": [.snapshot]
        case "scene.connected": [.scene, .snapshot]
        case "scene.activation", "scene.disconnected", "scene.discarded", "coordinator.attached",
            "coordinator.detached":
            [.scene]
        case "navigation.step", "scene.swept": [.scene, .snapshot]
        case "event.admitted": [.scene, .ticket, .event]
        case "dispatch.began", "dispatch.ended": [.scene, .ticket, .attempt, .event]
        case "dispatch.resolved", "dispatch.planned", "gate.parked", "gate.resumed", "intent.bubbled":
            [.scene, .ticket, .attempt, .event, .snapshot]
        case "gate.superseded", "gate.abandoned": [.scene, .ticket, .attempt, .event]
        default: []
        }
    }
}

extension HistoryRecord.Body {
    fileprivate init(kind: String, _ fields: JSONReader) throws(JSONFieldError) {
        switch kind {
        case "host.started": self = .hostStarted(holds: try Self.holds(fields["holds"]))
        case "host.quiet": self = .hostQuiet
        case "host.stopped": self = .hostStopped
        case "scene.connected":
            self = .sceneConnected(
                restored: try fields["restored"].bool(),
                window: try HistoryWindow(fields["window"])
            )
        case "scene.activation": self = .sceneActivation(from: try fields["from"].text(), to: try fields["to"].text())
        case "scene.disconnected": self = .sceneDisconnected
        case "scene.discarded": self = .sceneDiscarded
        case "scene.swept": self = .sceneSwept
        case "event.admitted": self = .eventAdmitted(call: try fields.optional("call")?.integer(from: 0))
        case "dispatch.began":
            let item: Item = try fields["item"].choice()
            self = .dispatchBegan(isResume: item == .resume)
        case "dispatch.resolved":
            self = .dispatchResolved(
                destination: try fields.optional("destination").map(HistoryDestination.init),
                verdict: try fields["verdict"].choice()
            )
        case "dispatch.planned": self = .dispatchPlanned(ops: try fields["ops"].elements().map(HistoryOp.init))
        case "dispatch.ended":
            self = .dispatchEnded(
                HistoryRecord.End(
                    outcome: try fields["outcome"].choice(),
                    reason: try fields.optional("reason")?.text(),
                    precondition: try fields.optional("precondition")?.text()
                )
            )
        case "navigation.step":
            self = .navigationStep(
                op: try HistoryOp(fields["op"]),
                cause: try fields["cause"].choice(),
                window: try HistoryWindow(fields["window"])
            )
        case "gate.parked", "gate.resumed", "gate.superseded", "gate.abandoned": self = try Self.gate(kind, fields)
        case "intent.bubbled":
            self = .intentBubbled(
                name: try fields["name"].text(),
                chain: try fields["chain"].texts(),
                handler: try fields.optional("handler")?.text()
            )
        case "session.committed":
            self = .sessionCommitted(user: try fields.optional("user")?.text(), holds: try Self.holds(fields["holds"]))
        case "coordinator.attached", "coordinator.detached":
            let (flow, parent) = (try fields["flow"].text(), try fields["parent"].text())
            self =
                kind == "coordinator.attached"
                ? .coordinatorAttached(flow: flow, parent: parent) : .coordinatorDetached(flow: flow, parent: parent)
        case "manifest.loaded":
            self = .manifestLoaded(holds: try fields.optional("holds").map(Self.holds))
        case "adapter.skipped":
            self = .adapterSkipped(adapter: try fields["adapter"].text(), reason: try fields["reason"].text())
        case "violation":
            self = .violation(
                rule: try fields["rule"].text(),
                cause: try fields["cause"].text(),
                detail: try fields["detail"].text()
            )
        case "gap": self = .gap(count: try fields["count"].integer(from: 1))
        default: self = .other(kind: kind)
        }
    }

    private static func gate(_ kind: String, _ fields: JSONReader) throws(JSONFieldError) -> Self {
        let precondition = try fields["precondition"].text()
        let destination = try HistoryDestination(fields["destination"])
        return switch kind {
        case "gate.parked":
            .gateParked(
                precondition: precondition,
                destination: destination,
                flow: try fields.optional("flow")?.text()
            )
        case "gate.superseded":
            .gateSuperseded(precondition: precondition, destination: destination, by: try fields["by"].text())
        case "gate.abandoned":
            .gateAbandoned(precondition: precondition, destination: destination, reason: try fields["reason"].text())
        default:
            .gateResumed(
                precondition: precondition,
                destination: destination,
                flow: try fields.optional("flow")?.text()
            )
        }
    }

    private static func holds(_ fields: JSONReader) throws(JSONFieldError) -> [String: Bool] {
        try fields.mapMembers { truth throws(JSONFieldError) in try truth.bool() }
    }

    private enum Item: String, CaseIterable { case dispatch, resume }
}

extension HistoryDestination {
    fileprivate init(_ fields: JSONReader) throws(JSONFieldError) {
        self.init(
            id: try fields["id"].text(),
            parameters: try fields["parameters"].textMembers()
        )
    }
}

extension HistoryWindow.Tab {
    fileprivate init(_ fields: JSONReader) throws(JSONFieldError) {
        self.init(id: try fields["id"].text(), stack: try fields["stack"].elements().map(HistoryDestination.init))
    }
}

extension HistoryWindow.Modal {
    fileprivate init(_ fields: JSONReader) throws(JSONFieldError) {
        self.init(
            flow: try fields.optional("flow")?.text(),
            style: try fields["style"].text(),
            stack: try fields["stack"].elements().map(HistoryDestination.init)
        )
    }
}

extension HistoryWindow {
    fileprivate init(_ fields: JSONReader) throws(JSONFieldError) {
        layout = Layout(
            tabs: try fields["tabs"].elements().map(Tab.init),
            selectedTab: try fields["selectedTab"].text(),
            modals: try fields["modals"].elements().map(Modal.init)
        )
        var described: [HistoryDestination] = []
        shown = try fields["shown"].elements().map { fields throws(JSONFieldError) in
            described.append(try HistoryDestination(fields))
            return Shown(
                needs: try fields["needs"].texts(),
                coordinator: try fields["coordinator"].text(),
                repeats: try fields.optional("repeats")?.bool() ?? false
            )
        }
        let destinations = layout.destinations
        guard described == destinations else {
            throw try fields["shown"].error(
                "the \(destinations.count) destinations of the stacks in their order",
                found: "\(described.count): \(described.map(\.description).joined(separator: ", "))"
            )
        }
    }
}

extension HistoryOp {
    fileprivate init(_ fields: JSONReader) throws(JSONFieldError) {
        let name = try fields["name"].text()
        switch name {
        case "dismissModals": self = .dismissModals(keeping: try fields["keeping"].integer(from: 0))
        case "selectTab": self = .selectTab(try fields["tab"].text())
        case "popTo":
            self = .popTo(tab: try fields["tab"].text(), depth: try fields["depth"].integer(from: 1))
        case "push": self = .push(tab: try fields["tab"].text(), try HistoryDestination(fields["destination"]))
        case "setStack":
            self = .setStack(tab: try fields["tab"].text(), try fields["stack"].elements().map(HistoryDestination.init))
        case "update":
            self = .update(
                tab: try fields["tab"].text(),
                depth: try fields["depth"].integer(from: 0),
                try HistoryDestination(fields["destination"])
            )
        case "present": self = .present(try HistoryWindow.Modal(fields["modal"]))
        case "setModalStack":
            self = .setModalStack(
                index: try fields["modal"].integer(from: 0),
                try fields["stack"].elements().map(HistoryDestination.init)
            )
        case "updateModal":
            self = .updateModal(
                index: try fields["modal"].integer(from: 0),
                depth: try fields["depth"].integer(from: 0),
                try HistoryDestination(fields["destination"])
            )
        case "setRoot":
            self = .setRoot(
                try fields["tabs"].elements().map(HistoryWindow.Tab.init),
                selected: try fields["selectedTab"].text()
            )
        default: self = .other(name: name)
        }
    }
}
