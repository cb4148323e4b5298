internal import SceneClient
internal import StrictJSON

/// One event's way from the door to its outcome, told to a person by its records.
struct EventStory {
    private let records: [JSONObject]
    /// The commits that matter to it, by revision.
    private let commits: [Int: JSONObject]

    /// - Parameters:
    ///   - records: All records about the event, in order.
    ///   - commits: The records of the session's commits.
    init(_ records: [JSONObject], commits: [JSONObject]) {
        self.records = records
        self.commits = Dictionary(
            commits.compactMap { commit in commit["revision"]?.integerValue.map { ($0, commit) } },
            uniquingKeysWith: { $1 }
        )
    }

    /// The lines; times are since the event was admitted.
    var lines: [String] {
        let start = records.first?["monotonic"]?.integerValue ?? 0
        return records.flatMap { record -> [String] in
            let time = Self.milliseconds((record["monotonic"]?.integerValue ?? 0) - start)
            return told(record).enumerated().map { offset, part in
                let margin = offset == 0 ? Self.padLeft(time, 10) : String(repeating: " ", count: 10)
                let word = Terminal.styled(part.word.padded(to: 10), offset == 0 ? part.style : .faint)
                return "\(Terminal.styled(margin, .faint))  \(word)  \(part.text)"
            }
        }
    }

    private struct Part {
        let word: String
        let text: String
        var style = Terminal.Style.faint
    }

    private func told(_ record: JSONObject) -> [Part] {
        func text(_ key: String) -> String { record[key]?.stringValue ?? "" }
        switch RecordKind(rawValue: text("kind")) {
        case .eventAdmitted: return door(record)
        case .adapterSkipped:
            return [Part(word: "skipped", text: "adapter \(text("adapter")): \(text("reason"))", style: .yellow)]
        case .sceneConnected:
            return [Part(word: "window", text: "\(text("scene")) is brought back for it", style: .cyan)]
        case .dispatchBegan:
            let attempt = record["attempt"]?.integerValue ?? 1
            return [
                Part(word: "turn", text: attempt > 1 ? "attempt \(attempt): the same door again" : "its turn has come")
            ]
        case .dispatchResolved:
            let place = RecordLine.destination(record["destination"])
            let verdict =
                switch RouteVerdict(rawValue: text("verdict")) {
                case .gated: "gated: needs \(text("reason"))"
                case .refused: "refused: \(text("reason"))"
                default: "may proceed"
                }
            return [Part(word: "resolved", text: "\(place) \(verdict)\(Self.revision(record))")]
        case .dispatchPlanned:
            let ops = (record["ops"]?.arrayValue ?? []).map(RecordLine.op)
            return [
                Part(word: "planned", text: ops.isEmpty ? "nothing: it is shown already" : ops.joined(separator: ", "))
            ]
        case .navigationStep:
            let by = text("cause") == NavigationCause.dispatch.rawValue ? "" : " (\(text("cause")))"
            let window = record["window"]?.objectValue ?? [:]
            return [
                Part(word: "step", text: RecordLine.op(record["op"] ?? .null) + by),
                Part(word: "", text: "shows \(RecordLine.trail(window))"),
            ]
        case .gateParked:
            let flow = text("flow").isEmpty ? "" : " behind the flow \(text("flow"))"
            return [Part(word: "parked", text: "until \(text("precondition")) holds\(flow)", style: .yellow)]
        case .gateResumed:
            return [Part(word: "resumed", text: "\(text("precondition")) holds\(since(record))", style: .yellow)]
        case .gateSuperseded: return [Part(word: "superseded", text: "by \(text("by"))", style: .red)]
        case .gateAbandoned: return [Part(word: "abandoned", text: text("reason"), style: .red)]
        case .dispatchEnded: return [ending(record)]
        case .sessionCommitted: return [Part(word: "committed", text: commit(record), style: .blue)]
        default: return [Part(word: text("kind"), text: RecordLine.detail(text("kind"), record))]
        }
    }

    private func door(_ record: JSONObject) -> [Part] {
        func text(_ key: String) -> String { record[key]?.stringValue ?? "" }
        let ticket = record["ticket"]?.integerValue.map { " #\($0)" } ?? ""
        let delivery = text("delivery").isEmpty ? "" : ", \(text("delivery"))"
        var parts = [Part(word: "admitted", text: "\(text("eventKind")) to \(text("scene"))\(ticket)\(delivery)")]
        let options = (record["options"]?.arrayValue ?? []).compactMap(\.stringValue)
        if !options.isEmpty {
            let follows = options == ["handoffUserActivityType"] ? "; the activity, or its failure, follows" : ""
            parts.append(Part(word: "options", text: options.joined(separator: ", ") + follows))
        }
        if record["adapter"] != nil { parts.append(Part(word: "adapter", text: text("adapter"))) }
        if record["route"] != nil { parts.append(Part(word: "route", text: text("route"))) }
        if let place = record["destination"] {
            parts.append(Part(word: "wants", text: RecordLine.destination(place)))
        }
        return parts
    }

    private func ending(_ record: JSONObject) -> Part {
        let outcome = record["outcome"]?.stringValue ?? ""
        let why = [record["precondition"]?.stringValue.map { "needs \($0)" }, record["reason"]?.stringValue]
            .compactMap { $0 }.joined(separator: " ")
        return Part(word: outcome, text: why + Self.revision(record), style: Printing.style(of: outcome))
    }

    /// Which commit opened the gate.
    private func since(_ record: JSONObject) -> String {
        guard let revision = record["revision"]?.integerValue, let commit = commits[revision] else { return "" }
        return ": \(self.commit(commit))"
    }

    private func commit(_ record: JSONObject) -> String {
        let user = record["user"]?.stringValue.map { "\($0) is signed in" } ?? "nobody is signed in"
        let scene = record["origin"]?["scene"]?.stringValue.map { ", from \($0)" } ?? ""
        return "revision \(record["revision"]?.integerValue ?? 0), \(user)\(scene)"
    }

    private static func revision(_ record: JSONObject) -> String {
        record["revision"]?.integerValue.map { "  (revision \($0))" } ?? ""
    }

    private static func milliseconds(_ nanoseconds: Int) -> String {
        let micros = String(nanoseconds / 1_000 % 1_000)
        return "\(nanoseconds / 1_000_000).\(String(repeating: "0", count: 3 - micros.count))\(micros) ms"
    }

    private static func padLeft(_ text: String, _ width: Int) -> String {
        String(repeating: " ", count: max(0, width - text.count)) + text
    }
}
