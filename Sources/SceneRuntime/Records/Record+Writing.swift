internal import Basics
internal import SceneNavigation
internal import SceneRouting
public import StrictJSON

extension Record {
    /// The record as one JSON object, the schema of `protocol/record.schema.json`.
    public var json: JSONObject { JSONText.value { write(to: &$0) }.objectValue ?? [:] }

    /// Writes ``json`` without building a tree of values, because every record is sent to every follower.
    package func write(to json: inout JSONText) {
        if case .kept(_, let text) = body { return json.value(written: Array(text.utf8)) }
        json.object { json in
            json.member("host", host)
            json.member("index", index)
            json.member("kind", kind.rawValue)
            json.member("monotonic", time.nanoseconds)
            let subject = subject
            json.member("scene", subject.scene)
            if isOfApp { json.member("receiver", "app") }
            json.member("ticket", subject.ticket)
            json.member("attempt", subject.attempt)
            json.member("event", subject.event)
            json.member("connection", subject.connection)
            json.member("revision", subject.revision)
            json.member("epoch", subject.epoch)
            body.write(to: &json)
        }
    }
}

extension Record.Body {
    fileprivate func write(to json: inout JSONText) {
        switch self {
        case .hostStarted(let start):
            json.member("format", Record.format)
            json.member("app", start.app)
            json.member("manifestVersion", start.manifestVersion)
            json.member("manifest", start.manifest)
            if start.hasCode { json.member("code", true) }
            json.name("settings")
            start.settings.write(to: &json)
            start.truths.write(to: &json)
            start.facts.write(to: &json)
        case .hostQuiet, .hostStopped, .sceneDisconnected, .sceneDiscarded, .kept: break
        case .hostRestarted(let restart):
            restart.host.write(to: &json)
            json.name("again")
            json.array(restart.again) { json, again in
                json.object { json in
                    json.member("scene", again.scene)
                    json.member("ticket", again.ticket)
                    json.member("attempt", again.attempt)
                }
            }
        case .hostSnapshot(let snapshot): snapshot.write(to: &json)
        case .appSnapshot(let snapshot):
            json.member("lastTicket", snapshot.lastTicket)
            snapshot.waiting.write(to: &json)
        case .sceneSnapshot(let snapshot): snapshot.write(to: &json)
        case .sceneConnected(let configuration, let restored, let given, let window):
            json.member("configuration", configuration)
            json.member("restored", restored)
            if given { json.member("given", true) }
            window.write(to: &json)
        case .sceneActivation(let from, let to):
            json.member("from", from.rawValue)
            json.member("to", to.rawValue)
        case .eventAdmitted(let arrival): arrival.write(to: &json)
        case .dispatchBegan(let kind): json.member("item", kind.rawValue)
        case .variantChosen(let user, let destination, let variant, let wall):
            json.name("user")
            if let user { json.value(user) } else { json.value(.null) }
            json.member("destination", destination)
            json.member("variant", variant)
            if let wall {
                json.name("wall")
                json.value(.number(wall))
            }
        case .dispatchResolved(
            let destination,
            let verdict,
            let reason,
            let wall,
            let isOverCurrent,
            let variant,
            let detail
        ):
            json.member("destination", destination)
            json.member("verdict", verdict.rawValue)
            json.member("reason", reason)
            json.member("detail", detail)
            if let wall {
                json.name("wall")
                json.value(.number(wall))
            }
            if isOverCurrent { json.member("overCurrent", true) }
            json.member("variant", variant)
        case .dispatchPlanned(let ops):
            json.name("ops")
            json.array(ops) { $1.write(to: &$0) }
        case .dispatchEnded(let outcome):
            json.member("outcome", outcome.name.rawValue)
            json.member("reason", outcome.reason)
            json.member("precondition", outcome.precondition)
        case .navigationStep(let op, let cause, let window):
            json.name("op")
            op.write(to: &json)
            json.member("cause", cause.rawValue)
            window.write(to: &json)
        case .intentBubbled(let name, let chain, let handler, let answer, let error):
            json.member("name", name)
            json.member("chain", chain)
            json.member("handler", handler)
            answer?.write(as: "answer", to: &json)
            json.member("error", error)
        case .sessionCommitted(let user, let origin, let truths, let facts):
            json.name("user")
            if let user { json.value(user) } else { json.value(.null) }
            json.name("origin")
            origin.write(to: &json)
            truths.write(to: &json)
            facts.write(to: &json)
        case .sceneSwept(let removed):
            json.name("removed")
            json.array(removed) { json, removal in
                json.object { json in
                    json.member("destination", removal.destination)
                    json.member("reason", removal.reason)
                }
            }
        case .holdCaught(let hold, let point, let kind):
            json.member("hold", hold)
            json.member("point", point.rawValue)
            json.member("item", kind.rawValue)
        case .holdReleased(let hold): json.member("hold", hold)
        case .coordinatorAttached(let flow, let parent, let inSwift):
            json.member("flow", flow)
            json.member("parent", parent)
            if inSwift { json.member("code", true) }
        case .coordinatorDetached(let flow, let parent):
            json.member("flow", flow)
            json.member("parent", parent)
        case .manifestLoaded(let version, let manifest, let truths):
            json.member("manifestVersion", version)
            json.member("manifest", manifest)
            truths.write(to: &json)
        case .adapterSkipped(let adapter, let reason, let call):
            json.member("adapter", adapter)
            json.member("reason", reason)
            json.member("call", call)
        case .windowRequested(let request):
            json.member("request", request.wish.rawValue)
            switch request {
            case .open(let destination, let configuration, let answer):
                json.member("destination", destination)
                json.member("configuration", configuration)
                json.member("opened", answer.scene)
                json.member("error", answer.error?.rawValue)
            case .close(let window?), .refresh(let window?):
                json.member("destination", window.destination)
                json.member("target", window.scene)
                if window.scene == nil { json.member("error", WindowError.requestDenied.rawValue) }
            case .close(nil), .refresh(nil): return
            }
        case .windowLocked(let reason): json.member("reason", reason.rawValue)
        case .windowUnlocked(let reason): json.member("reason", reason.rawValue)
        case .violation(let rule, let cause, let detail):
            json.member("rule", rule)
            json.member("cause", cause)
            json.member("detail", detail)
        case .gap(let count): json.member("count", count)
        case .gateParked, .gateResumed, .gateSuperseded, .gateAbandoned: writeGate(to: &json)
        }
    }

    private func writeGate(to json: inout JSONText) {
        func write(_ precondition: String, _ destination: Destination, _ name: StaticString, _ value: String?) {
            json.member("precondition", precondition)
            json.member("destination", destination)
            json.member(name, value)
        }
        switch self {
        case .gateParked(let precondition, let parameters, let destination, let flow):
            write(precondition, destination, "flow", flow)
            if !parameters.isEmpty { json.member("parameters", parameters) }
        case .gateResumed(let precondition, let destination, let flow): write(precondition, destination, "flow", flow)
        case .gateSuperseded(let precondition, let destination, let event):
            write(precondition, destination, "by", event)
        case .gateAbandoned(let precondition, let destination, let reason):
            write(precondition, destination, "reason", reason)
        default: break
        }
    }
}

extension Record.HostSnapshot {
    fileprivate func write(to json: inout JSONText) {
        json.member("format", Record.format)
        json.member("app", app)
        json.member("manifestVersion", manifestVersion)
        json.member("manifest", manifest)
        if hasCode { json.member("code", true) }
        json.member("appVersion", appVersion)
        json.member("user", user)
        truths.write(to: &json)
        facts.write(to: &json)
        json.member("scenes", scenes)
    }
}

extension Record.SceneSnapshot {
    fileprivate func write(to json: inout JSONText) {
        json.member("configuration", configuration)
        json.member("connected", isConnected)
        json.member("activation", activation.rawValue)
        if isLocked { json.member("locked", true) }
        window.write(to: &json)
        json.member("judgedIn", judgedIn)
        json.name("coordinators")
        json.array(coordinators) { json, coordinator in
            json.object { json in
                json.member("flow", coordinator.flow)
                json.member("parent", coordinator.parent)
                if coordinator.inSwift { json.member("code", true) }
            }
        }
        json.member("lastTicket", lastTicket)
        waiting.write(to: &json)
        json.name("parked")
        json.array(parked) { json, parked in
            json.object { json in
                parked.event.writeMembers(to: &json)
                json.member("attempt", parked.attempt)
                json.member("precondition", parked.precondition)
                if !parked.parameters.isEmpty { json.member("parameters", parked.parameters) }
                json.member("destination", parked.destination)
                json.member("variant", parked.variant)
                json.member("flow", parked.flow)
                json.member("user", parked.user)
                json.member("parkedIn", parked.parkedIn)
            }
        }
        json.member("gateFlows", gateFlows)
        if !startedFlows.isEmpty { json.member("startedFlows", startedFlows) }
    }
}

extension [Record.OpenEvent] {
    /// Writes the member `waiting`.
    fileprivate func write(to json: inout JSONText) {
        json.name("waiting")
        json.array(self) { json, event in
            json.object { json in
                event.writeMembers(to: &json)
                event.action?.write(to: &json)
                json.member("destination", event.destination)
            }
        }
    }
}

extension Record.OpenEvent {
    fileprivate func writeMembers(to json: inout JSONText) {
        json.member("ticket", ticket)
        json.member("event", event)
        json.member("connection", connection)
        json.member("source", source.rawValue)
        json.member("eventKind", kind)
        json.member("name", action?.name)
        if isSilent { json.member("silent", true) }
        if isHeardInSwift { json.member("code", true) }
        json.member("addressee", addressee)
        json.member("admittedIn", admittedIn)
    }
}

extension Record.Arrival {
    fileprivate func write(to json: inout JSONText) {
        json.member("eventKind", kind)
        json.member("name", name)
        json.member("source", source.rawValue)
        json.member("choice", choice?.rawValue)
        json.member("delivery", delivery?.rawValue)
        if isSilent { json.member("silent", true) }
        if isHeardInSwift { json.member("code", true) }
        if let options { json.member("options", options) }
        json.member("draggedFrom", draggedFrom)
        if let place {
            json.name("set")
            json.object { json in
                json.member("place", place.place)
                json.member("count", place.count)
                json.member("given", place.given)
            }
        }
        json.member("call", call)
        json.member("adapter", adapter)
        json.member("addressee", addressee)
        json.member("route", route)
        json.member("destination", destination)
        action?.write(to: &json)
    }
}

extension SceneAction {
    /// Writes the member `act`: what it comes with, besides its kind and its name. A gesture comes with nothing mostly.
    func write(to json: inout JSONText) {
        switch self {
        case .intent(let intent, let reporter):
            json.name("act")
            json.object { json in
                json.name("parameters")
                json.object { json in
                    for (name, value) in intent.parameters.sorted(by: { $0.key < $1.key }) {
                        json.member(named: name, value)
                    }
                }
                json.member("from", reporter)
            }
        case .gesture(.selectTab(let tab)):
            json.name("act")
            json.object { $0.member("tab", tab) }
        case .gesture(let gesture):
            guard gesture.isCancelled else { return }
            json.name("act")
            json.object { $0.member("cancelled", true) }
        case .finishFlow(_, let result):
            json.name("act")
            json.object { json in
                guard case .completed(let completion) = result else { return json.member("result", "cancelled") }
                json.member("result", "completed")
                json.member("user", completion.user)
                completion.facts.write(to: &json)
                if !completion.values.isEmpty { json.member("values", completion.values) }
            }
        }
    }
}

extension Record.WindowRecord {
    /// Writes the member `window`: what is shown, and for each destination, bottom first, what it needs, who owns it, since
    /// when it is shown, whether it is personal and whether it repeats.
    fileprivate func write(to json: inout JSONText) {
        json.name("window")
        let state = self.state
        json.object { json in
            state.writeMembers(to: &json)
            json.name("shown")
            json.array { json in
                let details = zip(zip(state.destinations, coordinators), zip(epochs, isPersonal))
                for ((destination, coordinator), (since, isPersonal)) in details {
                    json.object { json in
                        destination.writeMembers(to: &json)
                        json.member("needs", traits.needs(of: destination.id))
                        json.member("coordinator", coordinator)
                        json.member("since", since)
                        if isPersonal { json.member("personal", true) }
                        if traits.repeats(destination.id) { json.member("repeats", true) }
                    }
                }
            }
        }
    }
}

extension NavOp {
    /// Writes the op's name and parameters.
    fileprivate func write(to json: inout JSONText) {
        json.object { json in
            json.member("name", name.rawValue)
            switch self {
            case .dismissModals(let keeping): json.member("keeping", keeping)
            case .selectTab(let tab): json.member("tab", tab)
            case .popTo(let tab, let depth):
                json.member("tab", tab)
                json.member("depth", depth)
            case .push(let tab, let destination):
                json.member("tab", tab)
                json.member("destination", destination)
            case .setStack(let tab, let stack):
                json.member("tab", tab)
                json.member("stack", stack)
            case .update(let tab, let depth, let destination):
                json.member("tab", tab)
                json.member("depth", depth)
                json.member("destination", destination)
            case .present(let modal):
                json.name("modal")
                modal.write(to: &json)
            case .setModalStack(let index, let stack):
                json.member("modal", index)
                json.member("stack", stack)
            case .updateModal(let index, let depth, let destination):
                json.member("modal", index)
                json.member("depth", depth)
                json.member("destination", destination)
            case .setRoot(let tabs, let selected):
                json.name("tabs")
                json.array(tabs) { $1.write(to: &$0) }
                json.member("selectedTab", selected)
            }
        }
    }
}

extension [Record.Truth] {
    /// Writes the member `holds`, an object with a boolean for each name.
    fileprivate func write(to json: inout JSONText) {
        json.name("holds")
        json.object { json in
            for truth in self { json.member(named: truth.name, truth.holds) }
        }
    }
}

extension [String: FactValue] {
    /// Writes a member, an object with the value of each.
    fileprivate func write(as name: StaticString = "facts", to json: inout JSONText) {
        mapValues(Optional.some).write(as: name, to: &json)
    }
}

extension [String: FactValue?] {
    /// Writes a member, an object with the value of each, or null.
    fileprivate func write(as name: StaticString = "facts", to json: inout JSONText) {
        json.name(name)
        json.object { json in
            for (name, value) in sorted(by: { $0.key < $1.key }) { json.member(named: name, value?.json ?? .null) }
        }
    }
}

extension Record.Truths {
    /// Writes the member `holds` and, if the sign-in is stale, `stale`, a list of names.
    fileprivate func write(to json: inout JSONText) {
        all.write(to: &json)
        if let stale { json.member("stale", stale) }
    }
}

extension CommitOrigin {
    fileprivate func write(to json: inout JSONText) {
        json.object { json in
            json.member("scene", scene)
            json.member("event", event)
            json.member("connection", connection)
        }
    }
}

extension HostSettings {
    fileprivate func write(to json: inout JSONText) {
        json.object { json in
            json.member("mailboxCapacity", mailboxCapacity)
            json.member("transitionMilliseconds", transitionDuration.milliseconds)
            json.member("retainedRecords", retainedRecords)
            json.member("retainedEvents", retainedEvents)
            json.member("drainTimeoutMilliseconds", drainTimeout.milliseconds)
            json.member("appVersion", appVersion)
        }
    }
}
