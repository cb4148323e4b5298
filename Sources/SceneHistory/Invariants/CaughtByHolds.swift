internal import SceneVocabulary

/// What holds have stopped: it makes no record until it goes on. A part of ``Continuity``.
struct CaughtByHolds {
    private struct Caught {
        let record: HistoryRecord
        let hold: String

        var index: Int { record.index }

        /// Whether a record is about the same, of an event or a sweep.
        func isMeant(by other: HistoryRecord) -> Bool {
            record.ticket == other.ticket && record.attempt == other.attempt && record.event == other.event
                && record.connection == other.connection
        }
    }

    /// By scene, which does one thing at a time.
    private var caught: [String: Caught] = [:]

    mutating func judge(_ record: HistoryRecord, _ history: KnownHost, _ findings: inout Findings) {
        // A host that goes on after its end has no holds.
        if case .hostRestarted = record.body { caught = [:] }
        guard let scene = record.scene else { return }
        switch record.body {
        case .holdCaught(let hold, let point, let kind):
            judge(record, point, kind, history, &findings)
            let caught = Caught(record: record, hold: hold)
            if let before = self.caught.updateValue(caught, forKey: scene) {
                let name = scene == HistoryRecord.app ? "the app" : "scene \(scene)"
                findings.violated([before.index, record.index], "two holds stopped something in \(name) at once")
            }
        case .holdReleased(let hold):
            guard let before = caught.removeValue(forKey: scene) else {
                if history.scene(of: record) != nil {
                    findings.violated([record.index], "\(hold) let something go on that it had not stopped")
                }
                return
            }
            if before.hold != hold || !before.isMeant(by: record) {
                findings.violated([before.index, record.index], "\(hold) let something else go on than it had stopped")
            }
        case .dispatchBegan, .dispatchResolved, .variantChosen, .dispatchPlanned, .dispatchEnded, .navigationStep,
            .gateParked, .gateResumed, .intentBubbled, .windowRequested, .sceneSwept:
            guard let before = caught[scene], before.record.ticket == record.ticket else { return }
            findings.violated(
                [before.index, record.index],
                "what \(before.hold) had stopped went on before it was let go"
            )
        default: break
        }
    }

    /// What an attempt that is held is; `nil` if that is not known, because it has ended and may have been cut off before.
    private static func kind(of record: HistoryRecord, _ ticket: Int, _ history: KnownHost) -> DispatchKind? {
        if record.attempt == 1 { return .dispatch }
        switch history.scene(of: record)?.open[ticket]?.stage {
        case .queued: return .dispatch
        case .running: return history.scene(of: record)?.dispatch?.isResume == false ? .dispatch : .resume
        case .resumed: return .resume
        case .parked, nil: return history.restarted == nil ? .resume : nil
        }
    }

    /// What is held is what it says, and stands where it says.
    private func judge(
        _ record: HistoryRecord,
        _ point: HoldPoint,
        _ kind: DispatchKind,
        _ history: KnownHost,
        _ findings: inout Findings
    ) {
        guard let ticket = record.ticket else {
            if kind != .sweep { findings.violated([record.index], "a hold stopped a \(kind) of no event") }
            return
        }
        if let right = Self.kind(of: record, ticket, history), kind != right {
            findings.violated([record.index], "a hold stopped attempt \(record.attempt ?? 0) of an event as a \(kind)")
        }
        guard let scene = history.scene(of: record) else { return }
        let isRight =
            switch (point, scene.open[ticket]?.stage) {
            case (.admitted, .queued?), (.admitted, .resumed?): true
            case (.resolved, .running?), (.planned, .running?), (.transition, .running?): true
            // It is parked as soon as the flow of its gate is on its way.
            case (.transition, .parked?): true
            // It may have ended for good.
            case (.settled, .parked?), (.settled, nil): true
            default: false
            }
        if !isRight { findings.violated([record.index], "an attempt was stopped at \(point), where it was not") }
    }
}
