/// Every kind of record, as `protocol/record.schema.json` names them.
public enum RecordKind: String, Hashable, Sendable, CaseIterable {
    case hostStarted = "host.started"
    case hostQuiet = "host.quiet"
    case hostStopped = "host.stopped"
    case sceneConnected = "scene.connected"
    case sceneActivation = "scene.activation"
    case sceneDisconnected = "scene.disconnected"
    case sceneDiscarded = "scene.discarded"
    case eventAdmitted = "event.admitted"
    case dispatchBegan = "dispatch.began"
    case dispatchResolved = "dispatch.resolved"
    case dispatchPlanned = "dispatch.planned"
    case dispatchEnded = "dispatch.ended"
    case navigationStep = "navigation.step"
    case gateParked = "gate.parked"
    case gateResumed = "gate.resumed"
    case gateSuperseded = "gate.superseded"
    case gateAbandoned = "gate.abandoned"
    case intentBubbled = "intent.bubbled"
    case sessionCommitted = "session.committed"
    case sceneSwept = "scene.swept"
    case coordinatorAttached = "coordinator.attached"
    case coordinatorDetached = "coordinator.detached"
    case manifestLoaded = "manifest.loaded"
    case adapterSkipped = "adapter.skipped"
    case violation
    case gap

    /// The kind's family, such as `gate` of `gate.parked`; `nil` for one that has none.
    package var family: String? { rawValue.firstIndex(of: ".").map { String(rawValue[..<$0]) } }

    /// What a reader may ask for by a name: the kind of that name, or the family's; none for any other name.
    package static func named(_ name: String) -> [RecordKind] {
        allCases.filter { $0.rawValue == name || $0.family == name }
    }
}
