public import StrictJSON
internal import SceneNavigation
internal import SceneRouting

extension Record {
    /// The record as one JSON object, the schema of `protocol/record.schema.json`.
    public var json: JSONObject {
        var object: JSONObject = [
            "host": .string(host), "index": .integer(index), "kind": .string(kind),
            "monotonic": .integer(time.nanoseconds),
        ]
        object["scene"] = subject.scene.map(JSONValue.string)
        object["ticket"] = subject.ticket.map(JSONValue.integer)
        object["attempt"] = subject.attempt.map(JSONValue.integer)
        object["event"] = subject.event.map(JSONValue.string)
        object["connection"] = subject.connection.map(JSONValue.integer)
        object["revision"] = subject.revision.map(JSONValue.integer)
        object["epoch"] = subject.epoch.map(JSONValue.integer)
        body.write(to: &object)
        return object
    }

    /// The record's kind as written: `event.admitted`, `navigation.step` and so on.
    public var kind: String { body.kind.rawValue }
}

extension Record.Body {
    fileprivate func write(to object: inout JSONObject) {
        switch self {
        case .hostStarted(let app, let version, let settings, let truths):
            object["app"] = .string(app)
            object["manifestVersion"] = .string(version)
            object["settings"] = .object(settings.json)
            object["holds"] = truths.json
        case .hostQuiet, .hostStopped, .sceneDisconnected, .sceneDiscarded: break
        case .sceneConnected(let configuration, let restored, let window):
            object["configuration"] = .string(configuration)
            object["restored"] = .bool(restored)
            object["window"] = window.json
        case .sceneActivation(let from, let to):
            object["from"] = .string(from.rawValue)
            object["to"] = .string(to.rawValue)
        case .eventAdmitted(let arrival):
            object["eventKind"] = .string(arrival.kind)
            object["name"] = arrival.name.map(JSONValue.string)
            object["source"] = .string(arrival.source.rawValue)
            object["delivery"] = .string(arrival.delivery.rawValue)
            object["options"] = arrival.options.map { .array($0.map(JSONValue.string)) }
            object["call"] = arrival.call.map(JSONValue.integer)
            object["adapter"] = arrival.adapter.map(JSONValue.string)
            object["route"] = arrival.route.map(JSONValue.string)
            object["destination"] = arrival.destination?.json
        case .dispatchBegan(let kind):
            object["item"] = .string(kind.rawValue)
        case .dispatchResolved(let destination, let verdict, let reason):
            object["destination"] = destination?.json
            object["verdict"] = .string(verdict)
            object["reason"] = reason.map(JSONValue.string)
        case .dispatchPlanned(let ops):
            object["ops"] = .array(ops.map(\.json))
        case .dispatchEnded(let outcome):
            object["outcome"] = .string(outcome.name)
            object["reason"] = outcome.reason.map(JSONValue.string)
            object["precondition"] = outcome.precondition.map(JSONValue.string)
        case .navigationStep(let op, let cause, let window):
            object["op"] = op.json
            object["cause"] = .string(cause.rawValue)
            object["window"] = window.json
        case .gateParked(let precondition, let destination, let flow):
            object.setGate(precondition, destination)
            object["flow"] = .string(flow)
        case .gateResumed(let precondition, let destination, let flow):
            object.setGate(precondition, destination)
            object["flow"] = flow.map(JSONValue.string)
        case .gateSuperseded(let precondition, let destination, let event):
            object.setGate(precondition, destination)
            object["by"] = .string(event)
        case .gateAbandoned(let precondition, let destination, let reason):
            object.setGate(precondition, destination)
            object["reason"] = .string(reason)
        case .intentBubbled(let name, let chain, let handler, let error):
            object["name"] = .string(name)
            object["chain"] = .array(chain.map(JSONValue.string))
            object["handler"] = handler.map(JSONValue.string)
            object["error"] = error.map(JSONValue.string)
        case .sessionCommitted(let user, let origin, let truths):
            object["user"] = user.map(JSONValue.string) ?? .null
            object["origin"] = .object(origin.json)
            object["holds"] = truths.json
        case .sceneSwept(let removed):
            object["removed"] = .array(
                removed.map { .object(["destination": $0.destination.json, "reason": .string($0.reason)]) }
            )
        case .coordinatorAttached(let flow, let parent), .coordinatorDetached(let flow, let parent):
            object["flow"] = .string(flow)
            object["parent"] = .string(parent)
        case .manifestLoaded(let version, let truths):
            object["manifestVersion"] = .string(version)
            object["holds"] = truths.json
        case .adapterSkipped(let adapter, let reason, let call):
            object["adapter"] = .string(adapter)
            object["reason"] = .string(reason)
            object["call"] = call.map(JSONValue.integer)
        case .violation(let rule, let cause, let detail):
            object["rule"] = .string(rule)
            object["cause"] = .string(cause)
            object["detail"] = .string(detail)
        case .gap(let count):
            object["count"] = .integer(count)
        }
    }
}

extension JSONObject {
    fileprivate mutating func setGate(_ precondition: String, _ destination: Destination) {
        self["precondition"] = .string(precondition)
        self["destination"] = destination.json
    }
}

extension [Record.Truth] {
    /// Each name with whether it holds.
    fileprivate var json: JSONValue { .object(JSONObject(map { ($0.name, .bool($0.holds)) })) }
}

extension CommitOrigin {
    fileprivate var json: JSONObject {
        var object = JSONObject()
        object["scene"] = scene.map(JSONValue.string)
        object["event"] = event.map(JSONValue.string)
        object["connection"] = connection.map(JSONValue.integer)
        return object
    }
}

extension HostSettings {
    fileprivate var json: JSONObject {
        var object: JSONObject = [
            "mailboxCapacity": .integer(mailboxCapacity),
            "transitionMilliseconds": .integer(transitionDuration.milliseconds),
            "retainedRecords": .integer(retainedRecords), "retainedEvents": .integer(retainedEvents),
            "drainTimeoutMilliseconds": .integer(drainTimeout.milliseconds),
        ]
        object["appVersion"] = appVersion.map(JSONValue.string)
        return object
    }
}
