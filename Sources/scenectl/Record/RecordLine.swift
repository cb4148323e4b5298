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
        switch kind {
        case "host.started": return "\(text("app")), manifest \(text("manifestVersion"))"
        case "event.admitted":
            let cold = text("delivery") == "cold" ? "cold" : ""
            return [text("event"), text("eventKind"), text("name"), cold, destination(record["destination"])]
                .filter { !$0.isEmpty }.joined(separator: " ")
        case "dispatch.began": return text("event") + (text("item") == "resume" ? " resumed" : "")
        case "dispatch.resolved":
            return [destination(record["destination"]), text("verdict"), text("reason")].filter { !$0.isEmpty }
                .joined(separator: " ")
        case "dispatch.planned":
            let ops = record["ops"]?.arrayValue ?? []
            return ops.isEmpty ? "nothing to do" : ops.map(op).joined(separator: ", ")
        case "dispatch.ended":
            return [text("event"), text("outcome"), text("precondition"), text("reason")].filter { !$0.isEmpty }
                .joined(separator: " ")
        case "navigation.step": return "\(op(record["op"] ?? .null)) (\(text("cause")))"
        case "gate.parked", "gate.resumed", "gate.superseded", "gate.abandoned":
            return "\(destination(record["destination"])) on \(text("precondition")) \(text("reason"))\(text("by"))"
        case "intent.bubbled":
            let chain = (record["chain"]?.arrayValue ?? []).compactMap(\.stringValue).joined(separator: " → ")
            let end = record["handler"]?.stringValue.map { "taken by \($0)" } ?? "taken by nobody"
            return "\(text("name")): \(chain), \(end) \(text("error"))"
        case "session.committed":
            let revision = (record["revision"]?.integerValue).map(String.init) ?? "?"
            return "revision \(revision), " + (record["user"]?.stringValue.map { "user \($0)" } ?? "nobody signed in")
        case "scene.activation": return "\(text("from")) → \(text("to"))"
        case "scene.connected":
            return text("configuration") + (record["restored"]?.boolValue ?? false ? ", restored" : "")
        case "scene.swept":
            let removed = record["removed"]?.arrayValue ?? []
            return removed.map { "\(destination($0["destination"])): \($0["reason"]?.stringValue ?? "")" }
                .joined(separator: ", ")
        case "coordinator.attached", "coordinator.detached": return "\(text("flow")) under \(text("parent"))"
        case "adapter.skipped": return "\(text("adapter")): \(text("reason"))"
        case "violation": return "\(text("rule")): \(text("detail"))"
        case "gap": return "\(record["count"]?.integerValue ?? 0) records are no longer retained"
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
        switch kind {
        case "violation", "gap": .red
        case "adapter.skipped": .yellow
        case "dispatch.ended": .green
        case _ where kind.hasPrefix("gate."): .yellow
        case _ where kind.hasPrefix("session."): .blue
        case _ where kind.hasPrefix("scene."): .cyan
        default: .faint
        }
    }
}
