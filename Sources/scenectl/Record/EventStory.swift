internal import Basics
internal import CommandConsole
internal import SceneClient

/// What `why` prints: the records of one event as lines, from its admission to its outcome.
struct EventStory {
    private let records: [ClientRecord]
    /// The session's commits by revision.
    private let commits: [Int: ClientRecord]

    /// The records of each event among records of one event ID, which may name several: one of each sender, or a later one after
    /// the first has been forgotten. Scene and ticket tell them apart.
    static func events(in records: [ClientRecord]) -> [[ClientRecord]] {
        struct Place: Hashable {
            let scene: String?
            let ticket: Int
        }
        // A record without a ticket precedes one with it: a skipped adapter the admission, another the rest of the attempt.
        var admitted: [Int?: Place] = [:]
        var attempted: [String?: Place] = [:]
        var places: [Place?] = []
        for record in records.reversed() {
            if let ticket = record.ticket {
                let place = Place(scene: record.scene, ticket: ticket)
                places.append(place)
                if record.kind.known == .eventAdmitted {
                    admitted[record.connection] = place
                } else {
                    attempted[record.scene] = place
                }
            } else {
                places.append(
                    record.kind.known == .adapterSkipped ? admitted[record.connection] : attempted[record.scene]
                )
            }
        }
        var order: [Place?: Int] = [:]
        var events: [[ClientRecord]] = []
        for (record, place) in zip(records, places.reversed()) {
            if let event = order[place] {
                events[event].append(record)
            } else {
                order[place] = events.count
                events.append([record])
            }
        }
        return events
    }

    /// What tells the event from others of the same ID, such as `A #1`.
    var name: String {
        let ticketed = records.first { $0.ticket != nil }
        return "\(ticketed?.place ?? "") \(ticketed?.ticket.map { "#\($0)" } ?? "not admitted")"
            + (records.lazy.compactMap(\.connection).first.map { ", connection \($0)" } ?? "")
    }

    /// - Parameters:
    ///   - records: All records about the event, in order.
    ///   - commits: The records of the session's commits.
    init(_ records: [ClientRecord], commits: [ClientRecord]) {
        self.records = records
        self.commits = Dictionary(
            commits.compactMap { commit in commit.revision.map { ($0, commit) } },
            uniquingKeysWith: { $1 }
        )
    }

    /// The lines; times are since the event was admitted.
    var lines: [String] {
        let start = records.first?.time ?? .zero
        return records.flatMap { record -> [String] in
            let time = Self.milliseconds(record.time - start)
            return told(record).enumerated().map { offset, part in
                let margin = offset == 0 ? RecordLine.padLeft(time, 10) : String(repeating: " ", count: 10)
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

    private func told(_ record: ClientRecord) -> [Part] {
        switch record.kind.known {
        case .eventAdmitted: return door(record)
        case .adapterSkipped:
            let text = "adapter \(record.adapter ?? ""): \(record.reason ?? "")"
            return [Part(word: "skipped", text: text, style: .yellow)]
        case .sceneConnected:
            return [Part(word: "window", text: "\(record.scene ?? "") is connected for it", style: .cyan)]
        case .dispatchBegan:
            return [Part(word: "turn", text: "attempt \(record.attempt ?? 1)")]
        case .dispatchResolved:
            let verdict =
                switch record.verdict {
                case .known(.gated): "gated: needs \(record.reason ?? "")"
                case .known(.refused): "refused: \(record.reason ?? "")"
                case .known(.proceed), .other, nil: "may proceed"
                }
            let fallback = isFallback(record) ? "the fallback " : ""
            let place = [record.destination?.description, RecordLine.variant(record)].compactMap { $0 }
                .joined(separator: " ")
            var parts = [Part(word: "resolved", text: "\(fallback)\(place) \(verdict)\(Self.revision(record))")]
            if let detail = record.detail { parts.append(Part(word: "", text: detail)) }
            return parts
        case .variantChosen:
            let text =
                "\(record.variant?.id ?? "") of \(record.destination?.id ?? ""), for \(record.user ?? "nobody") from now on"
            return [Part(word: "chosen", text: text + Self.revision(record), style: .cyan)]
        case .dispatchPlanned:
            let ops = (record.ops ?? []).map(RecordLine.op)
            return [Part(word: "planned", text: ops.isEmpty ? "nothing to do" : ops.joined(separator: ", "))]
        case .navigationStep:
            let by = record.cause.flatMap { $0 == .dispatch ? nil : " (\($0))" } ?? ""
            return [
                Part(word: "step", text: RecordLine.op(record.op) + by),
                Part(word: "", text: "shows \(record.window.map { WindowText($0).front.description } ?? "")"),
            ]
        case .gateParked:
            let flow = record.flow.map { " behind the flow \($0)" } ?? ""
            return [Part(word: "parked", text: "until \(record.need ?? "") holds\(flow)", style: .yellow)]
        case .gateResumed:
            // A flow that ended lets an event try again, whether or not what it needs holds by now; so does a reload that took
            // its gate away.
            let cause = record.flow.map { "\($0) is complete" } ?? "\(record.precondition ?? "") holds or is not needed"
            let text = cause + since(record)
            return [Part(word: "resumed", text: text, style: .yellow)]
        case .gateSuperseded:
            return [Part(word: "superseded", text: "by \(record.successor ?? "")", style: .red)]
        case .gateAbandoned: return [Part(word: "abandoned", text: record.reason ?? "", style: .red)]
        case .windowRequested:
            return [Part(word: "window", text: RecordLine.detail(record), style: .cyan)]
        case .windowUnlocked:
            return [Part(word: "unlocked", text: "\(record.scene ?? "") is locked no longer", style: .cyan)]
        case .holdCaught:
            let point = record.point?.description ?? ""
            return [Part(word: "held", text: "at \(point), by the hold \(record.hold ?? "")", style: .yellow)]
        case .holdReleased:
            return [Part(word: "goes on", text: "let by the hold \(record.hold ?? "")", style: .yellow)]
        case .dispatchEnded: return [ending(record)]
        case .sessionCommitted: return [Part(word: "committed", text: commit(record), style: .blue)]
        default: return [Part(word: "\(record.kind)", text: RecordLine.detail(record))]
        }
    }

    /// Whether a resolution is that of the app's fallback: an event from outside is resolved to where it was admitted for, or, once
    /// it is refused, to the fallback.
    private func isFallback(_ record: ClientRecord) -> Bool {
        guard let admitted = records.first(where: { $0.kind == .eventAdmitted }), admitted.isExternal else {
            return false
        }
        return record.destination?.id != admitted.destination?.id
    }

    /// Why the event's window takes it: `, the active window`.
    private static func choice(_ record: ClientRecord) -> String {
        switch record.choice {
        case .known(.named): ", the window named"
        case .known(.preferred): ", the window that prefers it"
        case .known(.active): ", the active window"
        case .known(.recent): ", the window active most recently"
        case .known(.oldest): ", the oldest window"
        case .known(.new): ", a new window"
        case .other(let word): ", \(word)"
        case nil: ""
        }
    }

    private func door(_ record: ClientRecord) -> [Part] {
        let ticket = record.ticket.map { " #\($0)" } ?? ""
        let delivery = record.delivery.map { ", \($0)" } ?? ""
        let silent = record.isSilent ? ", silent" : ""
        // The intent that an action of a notification hands to the app.
        let intent = record.eventKind == "push" ? record.name.map { " \($0)" } ?? "" : ""
        let drag = record.draggedFrom.map { " dragged from \($0)" } ?? ""
        let text =
            "\(record.eventKind ?? "")\(intent)\(drag) to \(record.place ?? "")\(ticket)\(delivery)\(silent)\(Self.choice(record))"
        var parts = [Part(word: "admitted", text: text)]
        if let set = record.setPlace {
            parts.append(Part(word: "set", text: "\(set.place) of \(set.count) that were delivered together"))
        }
        if !record.options.isEmpty {
            let follows =
                record.options == ["handoffUserActivityType"] ? "; the activity or its failure follows" : ""
            parts.append(Part(word: "options", text: record.options.joined(separator: ", ") + follows))
        }
        if let adapter = record.adapter { parts.append(Part(word: "adapter", text: adapter)) }
        if let route = record.route { parts.append(Part(word: "route", text: route)) }
        if let place = record.destination { parts.append(Part(word: "wants", text: "\(place)")) }
        return parts
    }

    private func ending(_ record: ClientRecord) -> Part {
        let why = [record.precondition.map { "needs \($0)" }, record.reason].compactMap { $0 }.joined(separator: " ")
        return Part(
            word: record.outcome?.description ?? "",
            text: why + Self.revision(record),
            style: Printing.style(of: record.outcome?.known)
        )
    }

    /// The commit that opened the gate.
    private func since(_ record: ClientRecord) -> String {
        record.revision.flatMap { commits[$0] }.map { ": \(commit($0))" } ?? ""
    }

    private func commit(_ record: ClientRecord) -> String {
        let user = record.user.map { "\($0) is signed in" } ?? "nobody is signed in"
        let stale = record.isStale ? ", the sign-in is stale" : ""
        return "revision \(record.revision ?? 0), \(user)\(stale)\(record.originScene.map { ", from \($0)" } ?? "")"
    }

    private static func revision(_ record: ClientRecord) -> String {
        record.revision.map { "  (revision \($0))" } ?? ""
    }

    private static func milliseconds(_ time: Duration) -> String {
        let micros = String(time.nanoseconds / 1_000 % 1_000)
        return "\(time.nanoseconds / 1_000_000).\(String(repeating: "0", count: 3 - micros.count))\(micros) ms"
    }
}
