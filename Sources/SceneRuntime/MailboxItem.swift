/// What passes through a scene's mailbox, one at a time.
package enum MailboxItem: Sendable {
    /// An event's first attempt; the only item with a ticket of its own.
    case event(AdmittedEvent)
    /// A parked intent whose precondition holds now.
    case resume(ParkedIntent)
    /// The session changed: re-evaluate what is shown and what is parked.
    case sweep
}
