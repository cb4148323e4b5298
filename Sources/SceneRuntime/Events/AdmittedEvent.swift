package import SceneRouting

/// An event that has its place in a scene's order. A class, because it is handed on a dozen times on its way.
package final class AdmittedEvent: Sendable {
    /// How the ledger knows it.
    package let key: EventKey
    /// Its place in the scene's order, from 1 without gaps.
    package let ticket: Int
    package let work: EventWork
    package let source: RouteSource
    package let connection: Int?
    /// How far it has come, as the ledger knows it.
    package let progress: EventProgress

    init(
        key: EventKey,
        ticket: Int,
        work: EventWork,
        source: RouteSource,
        connection: Int?,
        progress: EventProgress
    ) {
        self.key = key
        self.ticket = ticket
        self.work = work
        self.source = source
        self.connection = connection
        self.progress = progress
    }

    /// The event's ID.
    package var id: String { key.id }
}

/// An event's identity: the same ID from another sender is another event.
package struct EventKey: Hashable, Sendable {
    package let sender: String?
    package let id: String
}
