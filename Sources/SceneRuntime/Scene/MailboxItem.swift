package import SceneVocabulary

/// Something that a scene handles at its turn.
///
/// No larger than a reference: the stack frame in which a scene waits has room for several.
package enum MailboxItem: Sendable {
    /// An event's first attempt; the only item with a ticket of its own.
    case event(AdmittedEvent)
    /// A parked intent whose precondition holds now.
    indirect case resume(ParkedIntent)
    /// The session changed: judge again what is shown and what is parked.
    case sweep
    /// Record what the scene is.
    case snapshot
    /// The scene's life changes.
    indirect case lifecycle(LifecycleChange)

    /// The event that is handled, for the first time or as a resume; `nil` for anything else.
    var event: EventKey? {
        switch self {
        case .event(let event): event.key
        case .resume(let parked): parked.event.key
        case .sweep, .snapshot, .lifecycle: nil
        }
    }

    /// The cause that is recorded for what happens to the window while the item is handled.
    var cause: NavigationCause {
        switch self {
        case .event, .resume: .dispatch
        case .sweep, .snapshot: .sweep
        case .lifecycle: .restore
        }
    }
}

/// A change of a scene's life that waits for its turn among the events.
package struct LifecycleChange: Sendable {
    package enum Kind: Sendable {
        /// Restores a window in this configuration: the one given, or else what the scene showed last.
        case connect(configuration: String, SavedWindow?, by: SceneLifecycle.Opener)
        case disconnect
        case activate(Activation)
    }

    package let kind: Kind
    package let reply: @Sendable (_ refusal: SceneError?) -> Void
}

/// A window to restore.
package struct SavedWindow: Sendable {
    let state: WindowState
    /// Whose it was; `nil` if that is not known.
    let owner: WindowOwner?
}
