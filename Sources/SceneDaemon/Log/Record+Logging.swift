internal import Logging
internal import SceneNavigation
internal import SceneRouting
internal import SceneRuntime
internal import SceneVocabulary
internal import StrictJSON
internal import Systemd

extension Record {
    /// `info` for a scene's life and the outcome of each event, `debug` for the steps between.
    var level: Logger.Level {
        // The app's own code may be what has ended the daemon.
        if case .dispatchEnded(.abandoned(reason: Interruptions.reason)) = body { return .warning }
        return switch kind {
        case .violation: DaemonMessage.violation.level
        case .gap: DaemonMessage.recordsMissed.level
        case .adapterSkipped: .warning
        case .hostStarted, .hostRestarted, .hostStopped, .manifestLoaded: .notice
        case .sceneConnected, .sceneDisconnected, .sceneDiscarded, .dispatchEnded, .gateParked, .gateResumed,
            .gateSuperseded, .gateAbandoned, .intentBubbled, .sessionCommitted, .sceneSwept, .windowRequested,
            .variantChosen, .windowLocked, .windowUnlocked, .holdCaught, .holdReleased:
            .info
        case .hostQuiet, .hostSnapshot, .appSnapshot, .sceneSnapshot, .sceneActivation, .eventAdmitted, .dispatchBegan,
            .dispatchResolved, .dispatchPlanned,
            .navigationStep, .coordinatorAttached, .coordinatorDetached:
            .debug
        }
    }

    /// The record as a short sentence.
    var summary: String {
        switch body {
        case .hostRestarted(let restart):
            "the host goes on" + (restart.again.isEmpty ? "" : ", \(restart.again.count) events again")
        case .dispatchEnded(let outcome):
            "\(subject.event ?? "event") \(outcome.name)" + (outcome.precondition.map { ", needs \($0)" } ?? "")
                + (outcome.reason.map { ": \($0)" } ?? "")
        case .gateParked(let precondition, let parameters, let destination, _):
            "\(destination) waits for \(Destination(id: precondition, parameters: parameters))"
        case .gateResumed(let precondition, let destination, nil):
            "\(destination) resumes: \(precondition) holds or is not needed"
        case .gateResumed(_, let destination, let flow?): "\(destination) resumes: \(flow) is complete"
        case .intentBubbled(let name, _, let handler, _, _):
            "\(name) is handled by \(handler ?? "nobody")"
        case .gateSuperseded(_, let destination, let event): "\(destination) is superseded by \(event)"
        case .gateAbandoned(_, let destination, let reason): "\(destination) is abandoned: \(reason)"
        case .sessionCommitted(let user, _, let truths, _):
            "session committed, \(user.map { "user \($0)" } ?? "nobody signed in")"
                + (truths.stale == nil ? "" : ", sign-in stale")
        case .sceneSwept(let removed):
            "swept " + removed.map { "\($0.destination): \($0.reason)" }.joined(separator: ", ")
        case .variantChosen(let user, let destination, let variant, _):
            "\(variant) is chosen for \(destination) and \(user ?? "nobody")"
        case .windowRequested(.open(let destination, _, let answer)):
            "a window for \(destination): " + (answer.scene ?? answer.error?.rawValue ?? "")
        case .windowRequested(.close(nil)): "the app closes its window"
        case .windowRequested(.refresh(nil)): "the app refreshes its window"
        case .windowRequested(.close(let window?)): "the app closes \(window)"
        case .windowRequested(.refresh(let window?)): "the app refreshes \(window)"
        case .windowLocked(let reason): "the window is locked: \(reason)"
        case .windowUnlocked(let reason): "the window is locked no longer: \(reason)"
        case .sceneConnected(let configuration, let restored, _, _):
            "\(restored ? "reconnected" : "connected") as \(configuration)"
        case .violation(let rule, _, let detail): "violation of \(rule): \(detail)"
        case .adapterSkipped(let adapter, let reason, _): "adapter \(adapter) was skipped: \(reason)"
        case .gap(let count): "\(count) records were not logged because the log fell behind"
        case .holdCaught(let hold, let point, let kind): "\(hold) holds the \(kind) at \(point)"
        case .holdReleased(let hold): "\(hold) lets it go on"
        case .navigationStep(let op, _, _): "\(op)"
        case .sceneActivation(let from, let to): "\(from) to \(to)"
        default: kind.rawValue
        }
    }

    /// The message whose entry in the catalogue explains the record, for what should not happen.
    var message: DaemonMessage? {
        switch body {
        case .violation: .violation
        case .gap: .recordsMissed
        default: nil
        }
    }

    /// The structured fields by key; in the journal they are `SCENED_SCENE`, `SCENED_TICKET` and so on.
    var details: [(key: String, value: String)] {
        var details = [("record", kind.rawValue), ("index", String(index)), ("host", host)]
        func add(_ key: String, _ value: String?) {
            if let value { details.append((key, value)) }
        }
        add("scene", subject.scene)
        if isOfApp { add("receiver", "app") }
        add("ticket", subject.ticket.map(String.init))
        add("attempt", subject.attempt.map(String.init))
        add("event", subject.event)
        add("connection", subject.connection.map(String.init))
        add("revision", subject.revision.map(String.init))
        add("epoch", subject.epoch.map(String.init))
        switch body {
        case .dispatchEnded(let outcome):
            add("outcome", outcome.name.rawValue)
            add("reason", outcome.reason)
            add("precondition", outcome.precondition)
        case .violation(let rule, _, _): add("rule", rule)
        case .gap(let count): add("missing", String(count))
        default: break
        }
        return details
    }

    /// ``details`` and ``message`` for a logger.
    var metadata: Logger.Metadata {
        var metadata = Logger.Metadata(uniqueKeysWithValues: details.map { ($0.key, .string($0.value)) })
        if let message { metadata[JournalLogHandler.messageIDKey] = "\(message.rawValue)" }
        return metadata
    }
}
