public import StrictJSON

extension HistoryRecord {
    /// Reads a record by the schema `protocol/record.schema.json`. Fields it does not know are passed over.
    ///
    /// - Throws: Which field is missing or of the wrong kind.
    public init(_ object: JSONObject) throws(RecordFormatError) {
        var text: [UInt8] = []
        JSONValue.object(object).write(to: &text)
        let document: JSONDocument
        do throws(JSONError) {
            document = try JSONDocument(parsing: text, limits: JSONLimits(depth: 512))
        } catch {
            throw RecordFormatError(field: "", expected: "a record", found: "an object \(error.reason)")
        }
        try self.init(document.root)
    }

    /// Reads a record by the schema `protocol/record.schema.json`. Fields it does not know are passed over.
    ///
    /// - Throws: Which field is missing or of the wrong kind.
    package init(_ part: JSONPart) throws(RecordFormatError) {
        do throws(RecordFormatError) {
            try self.init(RecordFields(object: part, path: nil))
        } catch {
            // Where the fault lies is found out only where there is one.
            try self.init(RecordFields(object: part, path: ""))
        }
    }

    private init(_ fields: RecordFields) throws(RecordFormatError) {
        host = try fields.text("host")
        index = try fields.integer("index", atLeast: 1)
        time = try fields.integer("monotonic", atLeast: .min)
        let kind = try fields.text("kind")
        let needs = Self.subject(of: kind)
        scene = needs.contains(.scene) ? try fields.text("scene") : try fields.optionalText("scene")
        ticket =
            needs.contains(.ticket)
            ? try fields.integer("ticket", atLeast: 1) : try fields.optionalInteger("ticket", atLeast: 1)
        attempt =
            needs.contains(.attempt)
            ? try fields.integer("attempt", atLeast: 1) : try fields.optionalInteger("attempt", atLeast: 1)
        event = needs.contains(.event) ? try fields.text("event") : try fields.optionalText("event")
        connection = try fields.optionalInteger("connection", atLeast: 0)
        let isSnapshotNeeded = needs.contains(.snapshot)
        if isSnapshotNeeded || fields.object["revision"] != nil || fields.object["epoch"] != nil {
            snapshot = Snapshot(
                revision: try fields.integer("revision", atLeast: 0),
                epoch: try fields.integer("epoch", atLeast: 0)
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
    fileprivate init(kind: String, _ fields: RecordFields) throws(RecordFormatError) {
        switch kind {
        case "host.started": self = .hostStarted(holds: try fields.holds())
        case "host.quiet": self = .hostQuiet
        case "host.stopped": self = .hostStopped
        case "scene.connected":
            self = .sceneConnected(
                restored: try fields.bool("restored"),
                window: try HistoryWindow(fields.fields("window"))
            )
        case "scene.activation": self = .sceneActivation(from: try fields.text("from"), to: try fields.text("to"))
        case "scene.disconnected": self = .sceneDisconnected
        case "scene.discarded": self = .sceneDiscarded
        case "scene.swept": self = .sceneSwept
        case "event.admitted": self = .eventAdmitted(call: try fields.optionalInteger("call", atLeast: 0))
        case "dispatch.began":
            let item: Item = try fields.choice("item")
            self = .dispatchBegan(isResume: item == .resume)
        case "dispatch.resolved":
            self = .dispatchResolved(
                destination: fields.object["destination"] == nil ? nil : try fields.destination(),
                verdict: try fields.choice("verdict")
            )
        case "dispatch.planned": self = .dispatchPlanned(ops: try fields.list("ops", HistoryOp.init))
        case "dispatch.ended":
            self = .dispatchEnded(
                HistoryRecord.End(
                    outcome: try fields.choice("outcome"),
                    reason: try fields.optionalText("reason"),
                    precondition: try fields.optionalText("precondition")
                )
            )
        case "navigation.step":
            self = .navigationStep(
                op: try HistoryOp(fields.fields("op")),
                cause: try fields.choice("cause"),
                window: try HistoryWindow(fields.fields("window"))
            )
        case "gate.parked", "gate.resumed", "gate.superseded", "gate.abandoned": self = try Self.gate(kind, fields)
        case "intent.bubbled":
            self = .intentBubbled(
                name: try fields.text("name"),
                chain: try fields.texts("chain"),
                handler: try fields.optionalText("handler")
            )
        case "session.committed":
            self = .sessionCommitted(user: try fields.optionalText("user"), holds: try fields.holds())
        case "coordinator.attached", "coordinator.detached":
            let (flow, parent) = (try fields.text("flow"), try fields.text("parent"))
            self =
                kind == "coordinator.attached"
                ? .coordinatorAttached(flow: flow, parent: parent) : .coordinatorDetached(flow: flow, parent: parent)
        case "manifest.loaded":
            self = .manifestLoaded(holds: fields.object["holds"] == nil ? nil : try fields.holds())
        case "adapter.skipped":
            self = .adapterSkipped(adapter: try fields.text("adapter"), reason: try fields.text("reason"))
        case "violation":
            self = .violation(
                rule: try fields.text("rule"),
                cause: try fields.text("cause"),
                detail: try fields.text("detail")
            )
        case "gap": self = .gap(count: try fields.integer("count", atLeast: 1))
        default: self = .other(kind: kind)
        }
    }

    private static func gate(_ kind: String, _ fields: RecordFields) throws(RecordFormatError) -> Self {
        let precondition = try fields.text("precondition")
        let destination = try fields.destination()
        return switch kind {
        case "gate.parked":
            .gateParked(
                precondition: precondition,
                destination: destination,
                flow: try fields.optionalText("flow")
            )
        case "gate.superseded":
            .gateSuperseded(precondition: precondition, destination: destination, by: try fields.text("by"))
        case "gate.abandoned":
            .gateAbandoned(precondition: precondition, destination: destination, reason: try fields.text("reason"))
        default:
            .gateResumed(precondition: precondition, destination: destination, flow: try fields.optionalText("flow"))
        }
    }

    private enum Item: String, CaseIterable { case dispatch, resume }
}

extension RecordFields {
    fileprivate func holds() throws(RecordFormatError) -> [String: Bool] { try map("holds", "a boolean", \.boolValue) }

    fileprivate func destination(_ key: StaticString = "destination") throws(RecordFormatError) -> HistoryDestination {
        try HistoryDestination(fields(key))
    }
}

extension HistoryDestination {
    fileprivate init(_ fields: RecordFields) throws(RecordFormatError) {
        self.init(id: try fields.text("id"), parameters: try fields.map("parameters", "a string", \.stringValue))
    }
}

extension HistoryWindow.Tab {
    fileprivate init(_ fields: RecordFields) throws(RecordFormatError) {
        self.init(id: try fields.text("id"), stack: try fields.list("stack", HistoryDestination.init))
    }
}

extension HistoryWindow.Modal {
    fileprivate init(_ fields: RecordFields) throws(RecordFormatError) {
        self.init(
            flow: try fields.optionalText("flow"),
            style: try fields.text("style"),
            stack: try fields.list("stack", HistoryDestination.init)
        )
    }
}

extension HistoryWindow {
    fileprivate init(_ fields: RecordFields) throws(RecordFormatError) {
        layout = Layout(
            tabs: try fields.list("tabs", Tab.init),
            selectedTab: try fields.text("selectedTab"),
            modals: try fields.list("modals", Modal.init)
        )
        var described: [HistoryDestination] = []
        shown = try fields.list("shown") { fields throws(RecordFormatError) in
            described.append(try HistoryDestination(fields))
            return Shown(
                needs: try fields.texts("needs"),
                coordinator: try fields.text("coordinator"),
                repeats: try fields.optionalBool("repeats") ?? false
            )
        }
        let destinations = layout.destinations
        guard described == destinations else {
            throw RecordFormatError(
                field: "\(fields.path ?? "")shown",
                expected: "the \(destinations.count) destinations of the stacks in their order",
                found: "\(described.count): \(described.map(\.description).joined(separator: ", "))"
            )
        }
    }
}

extension HistoryOp {
    fileprivate init(_ fields: RecordFields) throws(RecordFormatError) {
        let name = try fields.text("name")
        switch name {
        case "dismissModals": self = .dismissModals(keeping: try fields.integer("keeping", atLeast: 0))
        case "selectTab": self = .selectTab(try fields.text("tab"))
        case "popTo":
            self = .popTo(tab: try fields.text("tab"), depth: try fields.integer("depth", atLeast: 1))
        case "push": self = .push(tab: try fields.text("tab"), try fields.destination())
        case "setStack":
            self = .setStack(tab: try fields.text("tab"), try fields.list("stack", HistoryDestination.init))
        case "update":
            self = .update(
                tab: try fields.text("tab"),
                depth: try fields.integer("depth", atLeast: 0),
                try fields.destination()
            )
        case "present": self = .present(try HistoryWindow.Modal(fields.fields("modal")))
        case "setModalStack":
            self = .setModalStack(
                index: try fields.integer("modal", atLeast: 0),
                try fields.list("stack", HistoryDestination.init)
            )
        case "updateModal":
            self = .updateModal(
                index: try fields.integer("modal", atLeast: 0),
                depth: try fields.integer("depth", atLeast: 0),
                try fields.destination()
            )
        case "setRoot":
            self = .setRoot(
                try fields.list("tabs", HistoryWindow.Tab.init),
                selected: try fields.text("selectedTab")
            )
        default: self = .other(name: name)
        }
    }
}
