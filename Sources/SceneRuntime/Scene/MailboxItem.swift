package import SceneVocabulary

/// What passes through a scene's mailbox, one at a time.
///
/// No larger than a reference, because every scene waits for the next one with room for several in its frame.
package enum MailboxItem: Sendable {
    /// An event's first attempt; the only item with a ticket of its own.
    case event(AdmittedEvent)
    /// A parked intent whose precondition holds now.
    indirect case resume(ParkedIntent)
    /// The session changed: re-evaluate what is shown and what is parked.
    case sweep
    /// The scene's life changes, after what came before.
    indirect case lifecycle(LifecycleChange)

    /// What a window changes for while the item is handled.
    var cause: NavigationCause {
        switch self {
        case .event, .resume: .dispatch
        case .sweep: .sweep
        case .lifecycle: .restore
        }
    }
}

/// A change of a scene's life that waits its turn among the events, and who is told how it went.
package struct LifecycleChange: Sendable {
    package enum Kind: Sendable {
        /// Restores the window, as one of this configuration: the one given, else what the scene showed last.
        case connect(configuration: String, WindowState?)
        case disconnect
        case activate(Activation)
    }

    package let kind: Kind
    package let reply: @Sendable (SceneError?) -> Void
}
