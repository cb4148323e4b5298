internal import Basics
package import SceneClient
internal import StrictJSON

/// A record as one line of text.
package enum RecordLine {
    /// The line: its index, the time, where it was, the kind and its details.
    package static func text(_ record: ClientRecord) -> String {
        let ticket = record.ticket.map { "#\($0)" } ?? ""
        let attempt = record.attempt.flatMap { $0 > 1 ? "/\($0)" : nil } ?? ""
        let place = "\(record.place ?? "") \(ticket)\(attempt)"
        return
            "\(Terminal.styled(padLeft("\(record.index)", 6), .faint)) \(padLeft(seconds(record.time), 10))  "
            + "\(place.padded(to: 10)) "
            + "\(Terminal.styled("\(record.kind)".padded(to: 20), style(of: record.kind.known))) \(detail(record))"
    }

    /// The details of a record, by its kind.
    package static func detail(_ record: ClientRecord) -> String {
        func words(_ words: (any CustomStringConvertible)?...) -> String {
            words.compactMap { $0?.description }.filter { !$0.isEmpty }.joined(separator: " ")
        }
        switch record.kind.known {
        case .manifestLoaded: return "manifest \(record.manifestVersion ?? "")"
        case .hostStarted: return "\(record.app ?? ""), manifest \(record.manifestVersion ?? "")"
        case .eventAdmitted:
            let cold = record.delivery.flatMap { $0 == .cold ? $0 : nil }
            // That somebody named the window, the line says by naming it.
            let choice = record.choice.flatMap { $0 == .named ? nil : $0 }
            return words(record.event, record.eventKind, record.name, cold, choice, record.destination)
        case .dispatchBegan: return words(record.event, record.item.flatMap { $0 == .resume ? "resumed" : nil })
        case .dispatchResolved:
            return words(
                record.destination,
                variant(record),
                record.verdict,
                record.reason,
                record.detail.map { "(\($0))" }
            )
        case .variantChosen:
            return words(record.destination, variant(record), "for", record.user ?? "nobody")
        case .dispatchPlanned:
            let ops = record.ops ?? []
            return ops.isEmpty ? "nothing to do" : ops.map(op).joined(separator: ", ")
        case .dispatchEnded: return words(record.event, record.outcome, record.precondition, record.reason)
        case .navigationStep: return "\(op(record.op)) (\(record.cause?.description ?? ""))"
        case .gateParked, .gateResumed, .gateSuperseded, .gateAbandoned:
            return words(record.destination, "on", record.need, record.reason, record.successor)
        case .intentBubbled:
            let end = record.handler.map { "handled by \($0)" } ?? "not handled"
            let answer = record.answer.map { "answered \(JSONValue.object($0).text())" }
            return "\(record.name ?? ""): \(record.chain.joined(separator: " → ")), "
                + [end, answer, record.error].compactMap(\.self).joined(separator: ", ")
        case .windowRequested:
            return request(record)
        case .windowLocked, .windowUnlocked: return record.reason ?? ""
        case .sessionCommitted:
            return "revision \(record.revision ?? 0), " + (record.user.map { "user \($0)" } ?? "nobody signed in")
                + (record.isStale ? ", sign-in stale" : "")
        case .sceneActivation: return record.activations.map { "\($0.from) → \($0.to)" } ?? ""
        case .sceneConnected: return (record.configuration ?? "") + (record.isRestored ? ", restored" : "")
        case .sceneSwept: return record.removed.map { "\($0.destination): \($0.reason)" }.joined(separator: ", ")
        case .holdCaught: return words(record.hold, "holds the", record.item, "at", record.point)
        case .holdReleased: return "\(record.hold ?? "") lets it go on"
        case .coordinatorAttached, .coordinatorDetached:
            return "\(record.flow ?? "") under \(record.parent ?? "")"
        case .adapterSkipped: return "\(record.adapter ?? ""): \(record.reason ?? "")"
        case .violation: return "\(record.rule ?? ""): \(record.detail ?? "")"
        case .gap: return "\(record.missing ?? 0) records are no longer retained"
        case .hostRestarted:
            let again = record.again.count
            return "goes on: \(again == 0 ? "no event" : again == 1 ? "1 event" : "\(again) events") again, "
                + (record.user.map { "user \($0)" } ?? "nobody signed in")
        case .hostSnapshot:
            return "manifest \(record.manifestVersion ?? ""), "
                + (record.user.map { "user \($0)" } ?? "nobody signed in")
        case .appSnapshot, .sceneSnapshot:
            return words(record.configuration, record.lastTicket.map { "ticket \($0)" })
        case .hostQuiet, .hostStopped, .sceneDisconnected, .sceneDiscarded, nil: return ""
        }
    }

    /// What the app asks of its windows: `closes B, for account(id: a1)`.
    private static func request(_ record: ClientRecord) -> String {
        let asked: String
        switch record.request {
        case .known(.close): asked = "closes"
        case .known(.refresh): asked = "refreshes"
        default:
            let destination = record.destination?.description ?? ""
            return "a window for \(destination) is \(record.opened ?? record.error ?? "")"
        }
        guard let destination = record.destination else { return "\(asked) the window" }
        let window = record.target ?? "no window: \(record.error ?? "")"
        return "\(asked) \(window), for \(destination)"
    }

    /// What is shown for a destination that has variants, and in place of which: `as offerPlus(id: 7)`.
    package static func variant(_ record: ClientRecord) -> String? { record.variant.map { "as \($0)" } }

    /// An op with its object: `push product(id: p1)`.
    package static func op(_ op: ClientOp?) -> String {
        guard let op else { return "?" }
        let what = op.destination?.description ?? op.tab ?? op.flow
        return what.map { "\(op.name) \($0)" } ?? "\(op.name)"
    }

    private static func seconds(_ time: Duration) -> String {
        let micros = String(time.nanoseconds / 1_000 % 1_000_000)
        return "\(time.components.seconds).\(String(repeating: "0", count: 6 - micros.count))\(micros)"
    }

    /// The text at the right of so many columns.
    package static func padLeft(_ text: String, _ width: Int) -> String {
        String(repeating: " ", count: max(0, width - text.count)) + text
    }

    private static func style(of kind: RecordKind?) -> Terminal.Style {
        switch kind {
        case .violation, .gap: .red
        case .adapterSkipped, .holdCaught, .holdReleased: .yellow
        case .dispatchEnded: .green
        case .gateParked, .gateResumed, .gateSuperseded, .gateAbandoned: .yellow
        case .sessionCommitted: .blue
        case .sceneConnected, .sceneActivation, .sceneDisconnected, .sceneDiscarded, .sceneSwept, .windowRequested,
            .variantChosen, .windowLocked, .windowUnlocked:
            .cyan
        default: .faint
        }
    }
}
