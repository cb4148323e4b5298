internal import SceneClient
internal import StrictJSON

/// A record as one line for a person.
enum RecordLine {
    static func text(_ record: JSONObject) -> String {
        let index = (record["index"]?.integerValue).map(String.init) ?? "?"
        let time = seconds(record["monotonic"]?.integerValue ?? 0)
        let scene = record["scene"]?.stringValue ?? ""
        let ticket = (record["ticket"]?.integerValue).map { "#\($0)" } ?? ""
        let attempt = (record["attempt"]?.integerValue).flatMap { $0 > 1 ? "/\($0)" : nil } ?? ""
        let kind = record["kind"]?.stringValue ?? "?"
        let place = "\(scene) \(ticket)\(attempt)"
        return
            "\(Terminal.styled(padLeft(index, 6), .faint)) \(padLeft(time, 10))  \(place.padded(to: 10)) "
            + "\(Terminal.styled(kind.padded(to: 20), style(of: kind))) \(detail(kind, record))"
    }

    static func detail(_ kind: String, _ record: JSONObject) -> String {
        func text(_ key: String) -> String { record[key]?.stringValue ?? "" }
        switch RecordKind(rawValue: kind) {
        case .hostStarted: return "\(text("app")), manifest \(text("manifestVersion"))"
        case .eventAdmitted:
            let cold = text("delivery") == EventDelivery.cold.rawValue ? text("delivery") : ""
            return [text("event"), text("eventKind"), text("name"), cold, destination(record["destination"])]
                .filter { !$0.isEmpty }.joined(separator: " ")
        case .dispatchBegan: return text("event") + (text("item") == DispatchKind.resume.rawValue ? " resumed" : "")
        case .dispatchResolved:
            return [destination(record["destination"]), text("verdict"), text("reason")].filter { !$0.isEmpty }
                .joined(separator: " ")
        case .dispatchPlanned:
            let ops = record["ops"]?.arrayValue ?? []
            return ops.isEmpty ? "nothing to do" : ops.map(op).joined(separator: ", ")
        case .dispatchEnded:
            return [text("event"), text("outcome"), text("precondition"), text("reason")].filter { !$0.isEmpty }
                .joined(separator: " ")
        case .navigationStep: return "\(op(record["op"] ?? .null)) (\(text("cause")))"
        case .gateParked, .gateResumed, .gateSuperseded, .gateAbandoned:
            return "\(destination(record["destination"])) on \(text("precondition")) \(text("reason"))\(text("by"))"
        case .intentBubbled:
            let chain = (record["chain"]?.arrayValue ?? []).compactMap(\.stringValue).joined(separator: " → ")
            let end = record["handler"]?.stringValue.map { "taken by \($0)" } ?? "taken by nobody"
            return "\(text("name")): \(chain), \(end) \(text("error"))"
        case .sessionCommitted:
            let revision = (record["revision"]?.integerValue).map(String.init) ?? "?"
            return "revision \(revision), " + (record["user"]?.stringValue.map { "user \($0)" } ?? "nobody signed in")
        case .sceneActivation: return "\(text("from")) → \(text("to"))"
        case .sceneConnected:
            return text("configuration") + (record["restored"]?.boolValue ?? false ? ", restored" : "")
        case .sceneSwept:
            let removed = record["removed"]?.arrayValue ?? []
            return removed.map { "\(destination($0["destination"])): \($0["reason"]?.stringValue ?? "")" }
                .joined(separator: ", ")
        case .coordinatorAttached, .coordinatorDetached: return "\(text("flow")) under \(text("parent"))"
        case .adapterSkipped: return "\(text("adapter")): \(text("reason"))"
        case .violation: return "\(text("rule")): \(text("detail"))"
        case .gap: return "\(record["count"]?.integerValue ?? 0) records are no longer retained"
        default: return ""
        }
    }

    static func op(_ value: JSONValue) -> String {
        let name = value["name"]?.stringValue ?? "?"
        if let place = value["destination"] { return "\(name) \(destination(place))" }
        if let tab = value["tab"]?.stringValue { return "\(name) \(tab)" }
        if let modal = value["modal"]?["flow"]?.stringValue { return "\(name) \(modal)" }
        return name
    }

    static func destination(_ value: JSONValue?) -> String {
        guard let id = value?["id"]?.stringValue else { return "" }
        let parameters = value?["parameters"]?.objectValue ?? [:]
        guard !parameters.isEmpty else { return id }
        return "\(id)(\(parameters.map { "\($0.key): \($0.value.stringValue ?? "")" }.joined(separator: ", ")))"
    }

    /// What a window shows, from the root of the selected tab up, then what is presented.
    static func trail(_ window: JSONObject) -> String {
        func names(_ stack: JSONValue?) -> String {
            (stack?.arrayValue ?? []).map { destination($0) }.joined(separator: " › ")
        }
        let tab = window["tabs"]?.arrayValue?.first { $0["id"] == window["selectedTab"] }
        let modals = (window["modals"]?.arrayValue ?? []).map { modal in
            "\(modal["flow"]?.stringValue ?? modal["style"]?.stringValue ?? "modal")[\(names(modal["stack"]))]"
        }
        return ([names(tab?["stack"])] + modals).joined(separator: " › ")
    }

    private static func seconds(_ nanoseconds: Int) -> String {
        let micros = String(nanoseconds / 1_000 % 1_000_000)
        return "\(nanoseconds / 1_000_000_000).\(String(repeating: "0", count: 6 - micros.count))\(micros)"
    }

    private static func padLeft(_ text: String, _ width: Int) -> String {
        String(repeating: " ", count: max(0, width - text.count)) + text
    }

    private static func style(of kind: String) -> Terminal.Style {
        switch RecordKind(rawValue: kind) {
        case .violation, .gap: .red
        case .adapterSkipped: .yellow
        case .dispatchEnded: .green
        case .gateParked, .gateResumed, .gateSuperseded, .gateAbandoned: .yellow
        case .sessionCommitted: .blue
        case .sceneConnected, .sceneActivation, .sceneDisconnected, .sceneDiscarded, .sceneSwept: .cyan
        default: .faint
        }
    }
}
