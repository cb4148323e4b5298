internal import CommandConsole
internal import StrictJSON

/// The routing engine's replies as text.
enum RoutingText {
    /// `proceed  home › product(id: p1)`, or `gated on signedIn (flow auth)  home › cart`.
    static func resolution(_ resolution: JSONValue) -> String {
        let target = target(resolution["target"] ?? .null)
        guard resolution["verdict"]?.stringValue == "gated" else {
            return "\(Terminal.styled("proceed", .green))  \(target)"
        }
        let precondition = resolution["precondition"]?.stringValue ?? ""
        let flow = resolution["flow"]?.stringValue.map { " (flow \($0))" } ?? ""
        return "\(Terminal.styled("gated", .yellow)) on \(precondition)\(flow), then  \(target)"
    }

    /// - Parameter isSupposed: Whether it is for another session than the present one, which alone decides what opening does.
    static func explanation(_ reply: JSONObject, isSupposed: Bool = false) -> [String] {
        var lines: [String] = []
        for step in reply["steps"]?.arrayValue ?? [] {
            let passed = step["passed"]?.boolValue ?? false
            let mark = passed ? Terminal.styled("✓", .green) : Terminal.styled("✗", .red)
            let kind = (step["kind"]?.stringValue ?? "").padded(to: 12)
            lines.append("\(mark) \(kind) \(step["subject"]?.stringValue ?? "")  \(faint(step["reason"]?.stringValue))")
        }
        if let omitted = reply["omittedRoutes"]?.integerValue, omitted > 0 {
            lines.append(faint("  \(omitted) routes for another scheme, domain or path are not shown"))
        }
        if let resolution = reply["resolution"], !resolution.isNull {
            lines.append("→ \(self.resolution(resolution))")
        } else {
            lines.append("→ \(Terminal.styled("refused", .red))  \(reply["error"]?.stringValue ?? "")")
        }
        lines.append(
            "Opened\(isSupposed ? " now, in the present session" : ""), it \(reply["opened"]?.stringValue ?? "")."
        )
        return lines
    }

    static func route(_ route: JSONValue, width: Int) -> String {
        var words = [
            (route["pattern"]?.stringValue ?? "").padded(to: width),
            Terminal.styled(route["destination"]?.stringValue ?? "", .bold),
        ]
        let captures = route["captures"]?.objectValue ?? [:]
        words += captures.map { faint("\($0.key): \($0.value.stringValue ?? "")") }
        let variants = texts(route["variants"])
        if !variants.isEmpty { words.append("or \(variants.joined(separator: ", "))") }
        let needs = texts(route["needs"])
        if !needs.isEmpty { words.append("needs \(needs.joined(separator: ", "))") }
        let markets = texts(route["markets"])
        if !markets.isEmpty { words.append("market \(markets.joined(separator: ", "))") }
        return words.joined(separator: "  ")
    }

    private static func target(_ target: JSONValue) -> String {
        guard let text = target.objectValue.flatMap(WrittenValue.init) else { return target.text() }
        return "\(text)" + (target["path"]?.arrayValue?.isEmpty == true ? " over what is shown" : "")
    }

    private static func texts(_ value: JSONValue?) -> [String] { (value?.arrayValue ?? []).compactMap(\.stringValue) }

    private static func faint(_ text: String?) -> String { Terminal.styled(text ?? "", .faint) }
}
