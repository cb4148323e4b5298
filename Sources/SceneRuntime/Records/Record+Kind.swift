internal import SceneRouting

extension Record {
    /// Every kind of record, as `protocol/record.schema.json` names them.
    public enum Kind: String, Hashable, Sendable, CaseIterable {
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

        /// What a reader may ask for: a kind, or a family of them, such as `gate` for `gate.parked` and the others.
        package static let selectors: [String] = {
            let names = allCases.map(\.rawValue)
            let families = names.compactMap { $0.firstIndex(of: ".").map($0.prefix(upTo:)).map(String.init) }
            return families.reduce(into: [String]()) { if !$0.contains($1) { $0.append($1) } } + names
        }()

        /// The name that was probably meant by one that is no selector.
        package static func nearest(to name: String) -> String? { Spelling.nearest(to: name, among: selectors) }
    }
}

extension Record.Body {
    /// What kind of record this is the body of.
    public var kind: Record.Kind {
        switch self {
        case .hostStarted: .hostStarted
        case .hostQuiet: .hostQuiet
        case .hostStopped: .hostStopped
        case .sceneConnected: .sceneConnected
        case .sceneActivation: .sceneActivation
        case .sceneDisconnected: .sceneDisconnected
        case .sceneDiscarded: .sceneDiscarded
        case .eventAdmitted: .eventAdmitted
        case .dispatchBegan: .dispatchBegan
        case .dispatchResolved: .dispatchResolved
        case .dispatchPlanned: .dispatchPlanned
        case .dispatchEnded: .dispatchEnded
        case .navigationStep: .navigationStep
        case .gateParked: .gateParked
        case .gateResumed: .gateResumed
        case .gateSuperseded: .gateSuperseded
        case .gateAbandoned: .gateAbandoned
        case .intentBubbled: .intentBubbled
        case .sessionCommitted: .sessionCommitted
        case .sceneSwept: .sceneSwept
        case .coordinatorAttached: .coordinatorAttached
        case .coordinatorDetached: .coordinatorDetached
        case .manifestLoaded: .manifestLoaded
        case .adapterSkipped: .adapterSkipped
        case .violation: .violation
        case .gap: .gap
        }
    }
}
