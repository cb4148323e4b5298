internal import CommandConsole
internal import StrictJSON

/// A trial as text.
enum TrialText {
    static func lines(_ trial: JSONObject, explain: Bool) -> [String] {
        func text(_ key: String) -> String { trial[key]?.stringValue ?? "" }
        var lines: [String] = []
        if explain {
            for passed in trial["passed"]?.arrayValue ?? [] {
                let isSkipped = passed["skipped"]?.boolValue ?? false
                let mark = isSkipped ? Terminal.styled("!", .yellow) : Terminal.styled("✗", .red)
                lines.append(
                    "\(mark) \((passed["adapter"]?.stringValue ?? "").padded(to: 20)) \(passed["reason"]?.stringValue ?? "")"
                )
            }
        }
        switch (trial["request"], trial["adapter"]?.stringValue) {
        case (.some(let request), let adapter):
            lines.append("\(Terminal.styled("✓", .green)) \((adapter ?? "").padded(to: 20)) takes the \(text("kind"))")
            for (name, value) in trial["extracted"]?.objectValue ?? [:] {
                lines.append("  extracted  \(name) = \(value.text())")
            }
            lines.append("  request    \(self.request(request))")
            if let user = trial["user"]?.stringValue { lines.append("  for        \(user.quotedForMessage)") }
        case (nil, .some(let adapter)):
            lines.append(
                "\(Terminal.styled("✗", .red)) \(adapter.padded(to: 20)) refuses the \(text("kind")): \(text("reason"))"
            )
        case (nil, nil):
            let passed = trial["passed"]?.arrayValue ?? []
            let reason = explain && !passed.isEmpty ? "" : ": \(text("reason"))"
            if text("decision") != "delivered" { lines.append("no adapter takes the \(text("kind"))\(reason)") }
        }
        for warning in trial["warnings"]?.arrayValue ?? [] {
            lines.append("  \(Terminal.styled("warning", .yellow))    \(warning.stringValue ?? "")")
        }
        return lines + ["→ \(decision(trial))"]
    }

    private static func decision(_ trial: JSONObject) -> String {
        func text(_ key: String) -> String { trial[key]?.stringValue ?? "" }
        switch text("decision") {
        case "delivered": return "\(Terminal.styled("delivered", .green)), nothing to navigate"
        case "proceed":
            return RoutingText.resolution(["verdict": "proceed", "target": trial["target"] ?? .null])
        case "gated":
            return RoutingText.resolution(
                [
                    "verdict": "gated", "precondition": .string(text("precondition")),
                    "target": trial["target"] ?? .null,
                ]
            )
        default: return "\(Terminal.styled("refused", .red))  \(text("error")): \(text("message"))"
        }
    }

    static func request(_ request: JSONValue) -> String {
        request.objectValue.flatMap(WrittenValue.init)?.description ?? request.text()
    }
}
