/// Every kind of record, named as in `protocol/record.schema.json`. <doc:/SceneRuntime/Records> lists the fields of each.
public enum RecordKind: String, Hashable, Sendable, CaseIterable {
    /// A host began; the first record of every history.
    case hostStarted = "host.started"
    /// The host goes on where it, or the daemon, had ended; what it is follows as in a snapshot.
    case hostRestarted = "host.restarted"
    /// Somebody asked for quiet, and nothing was going on in any scene.
    case hostQuiet = "host.quiet"
    /// The host has ended; whatever was still open has been abandoned.
    case hostStopped = "host.stopped"
    /// What the host and its session are; the app and each of its scenes follow with records of their own.
    case hostSnapshot = "host.snapshot"
    /// What the app itself has admitted, between two items of its mailbox.
    case appSnapshot = "app.snapshot"
    /// What a scene is, between two items of its mailbox.
    case sceneSnapshot = "scene.snapshot"
    /// A window was opened, or opened again.
    case sceneConnected = "scene.connected"
    /// A scene's activation state changed by one step.
    case sceneActivation = "scene.activation"
    /// A window was released; its scene can be connected again.
    case sceneDisconnected = "scene.disconnected"
    /// A scene is gone for good.
    case sceneDiscarded = "scene.discarded"
    /// An event was let in and has a ticket.
    case eventAdmitted = "event.admitted"
    /// An attempt began; the scene begins no other until this one has ended.
    case dispatchBegan = "dispatch.began"
    /// What is shown for a destination that has variants was chosen for a user.
    case variantChosen = "variant.chosen"
    /// The engine answered, from the snapshot of the revision the record names.
    case dispatchResolved = "dispatch.resolved"
    /// There is a plan that carries out the newest resolution.
    case dispatchPlanned = "dispatch.planned"
    /// An attempt ended, an event was abandoned before it began, or a gesture was ignored.
    case dispatchEnded = "dispatch.ended"
    /// One op on a window began.
    case navigationStep = "navigation.step"
    /// An intent waits for a precondition, and the flow that can satisfy it is on screen.
    case gateParked = "gate.parked"
    /// A parked intent goes on with another attempt.
    case gateResumed = "gate.resumed"
    /// A newer external event took the parked intent's place.
    case gateSuperseded = "gate.superseded"
    /// A parked intent will not go on.
    case gateAbandoned = "gate.abandoned"
    /// An intent was handed up from the topmost screen to the coordinator that took it.
    case intentBubbled = "intent.bubbled"
    /// The app asked for a window, or that one is closed.
    case windowRequested = "window.requested"
    /// A window is locked: what is behind its lock waits for the lock's flow.
    case windowLocked = "window.locked"
    /// A window is locked no longer.
    case windowUnlocked = "window.unlocked"
    /// A commit made a new revision of the session.
    case sessionCommitted = "session.committed"
    /// A sweep after a commit removed something from a window.
    case sceneSwept = "scene.swept"
    /// A hold stopped what goes on in a scene.
    case holdCaught = "hold.caught"
    /// What a hold had stopped goes on.
    case holdReleased = "hold.released"
    /// A flow's coordinator was created.
    case coordinatorAttached = "coordinator.attached"
    /// A flow's coordinator was released.
    case coordinatorDetached = "coordinator.detached"
    /// Another manifest came into force.
    case manifestLoaded = "manifest.loaded"
    /// An adapter in another process did not answer in time, or not sensibly, and was passed over.
    case adapterSkipped = "adapter.skipped"
    /// A rule was broken.
    case violation
    /// Records are missing here.
    case gap

    /// The part before the dot, such as `gate` of `gate.parked`; `nil` for a kind without one.
    package var family: String? { rawValue.firstIndex(of: ".").map { String(rawValue[..<$0]) } }

    /// The kinds that a reader means by `name`: the kind of that name, or all of that family; none for any other name.
    package static func named(_ name: String) -> [RecordKind] { byName[name] ?? [] }

    /// The kinds by their names and by those of their families.
    private static let byName: [String: [RecordKind]] = {
        var kinds: [String: [RecordKind]] = [:]
        for kind in allCases {
            kinds[kind.rawValue, default: []].append(kind)
            if let family = kind.family { kinds[family, default: []].append(kind) }
        }
        return kinds
    }()
}
