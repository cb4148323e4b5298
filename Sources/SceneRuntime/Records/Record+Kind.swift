package import SceneVocabulary
internal import SceneRouting

extension RecordKind {
    /// The kind or family of kinds that a misspelt name probably means; `nil` if none is near.
    package static func nearest(to name: String) -> String? {
        Spelling.nearest(to: name, among: allCases.compactMap(\.family) + allCases.map(\.rawValue))
    }
}

extension Record.Body {
    /// The kind of record that has this body.
    public var kind: RecordKind {
        switch self {
        case .hostStarted: .hostStarted
        case .hostRestarted: .hostRestarted
        case .hostQuiet: .hostQuiet
        case .hostStopped: .hostStopped
        case .hostSnapshot: .hostSnapshot
        case .appSnapshot: .appSnapshot
        case .sceneSnapshot: .sceneSnapshot
        case .sceneConnected: .sceneConnected
        case .sceneActivation: .sceneActivation
        case .sceneDisconnected: .sceneDisconnected
        case .sceneDiscarded: .sceneDiscarded
        case .eventAdmitted: .eventAdmitted
        case .dispatchBegan: .dispatchBegan
        case .dispatchResolved: .dispatchResolved
        case .variantChosen: .variantChosen
        case .dispatchPlanned: .dispatchPlanned
        case .dispatchEnded: .dispatchEnded
        case .navigationStep: .navigationStep
        case .gateParked: .gateParked
        case .gateResumed: .gateResumed
        case .gateSuperseded: .gateSuperseded
        case .gateAbandoned: .gateAbandoned
        case .intentBubbled: .intentBubbled
        case .windowRequested: .windowRequested
        case .windowLocked: .windowLocked
        case .windowUnlocked: .windowUnlocked
        case .sessionCommitted: .sessionCommitted
        case .sceneSwept: .sceneSwept
        case .holdCaught: .holdCaught
        case .holdReleased: .holdReleased
        case .coordinatorAttached: .coordinatorAttached
        case .coordinatorDetached: .coordinatorDetached
        case .manifestLoaded: .manifestLoaded
        case .adapterSkipped: .adapterSkipped
        case .violation: .violation
        case .gap: .gap
        case .kept(let kind, _): kind
        }
    }
}
