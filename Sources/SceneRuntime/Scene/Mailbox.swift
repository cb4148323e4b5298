internal import DequeModule
internal import Locking

/// A scene's bounded first-in-first-out queue with one consumer: what makes dispatch serial.
///
/// An actor alone would not do: it is re-entrant at every `await`, and a lock that suspends does not keep order.
/// Tickets are taken synchronously under the lock, so the order of admission is the order of dispatch.
package final class Mailbox: Sendable {
    private struct State {
        var items: Deque<MailboxItem> = []
        /// How many of ``items`` are events; only they are bounded, room for the others is reserved.
        var waitingEvents = 0
        var isSweepWaiting = false
        var lastTicket = 0
        /// Starts the consumer, which rests; `nil` while it is at work or on its way.
        var wake: (@Sendable () -> Void)?
        /// What the consumer was woken for.
        var handed: MailboxItem?
        var isClosed = false

        mutating func popFirst() -> MailboxItem? {
            let item = items.popFirst()
            if case .event? = item { waitingEvents -= 1 }
            return item
        }
    }

    private let capacity: Int
    private let state = Guarded(State())

    package init(capacity: Int) {
        self.capacity = capacity
    }

    /// Takes the next ticket and queues the event that `make` builds for it.
    ///
    /// `make` runs under the lock, so what it records stands before anything the consumer records about the event.
    /// - Returns: The event, or `nil` when the mailbox is full or closed; `make` was not called then.
    package func admit(_ make: (_ ticket: Int) -> AdmittedEvent) -> AdmittedEvent? {
        state.withLock { state in
            guard !state.isClosed, state.waitingEvents < capacity else { return nil }
            state.lastTicket += 1
            let event = make(state.lastTicket)
            Self.hand(.event(event), to: &state)
            return event
        }
    }

    /// Queues a change of the scene's life after everything that waits; room for it is reserved.
    /// - Returns: Whether it was queued; a closed mailbox takes nothing.
    package func post(_ change: LifecycleChange) -> Bool {
        state.withLock { state in
            guard !state.isClosed else { return false }
            Self.hand(.lifecycle(change), to: &state)
            return true
        }
    }

    /// Takes the next ticket for an event that ends at once, as `end` says, and never waits.
    ///
    /// `end` runs under the lock, as in ``admit(_:)``.
    /// - Returns: The event, or `nil` when the mailbox is closed.
    package func pass(_ end: (_ ticket: Int) -> AdmittedEvent) -> AdmittedEvent? {
        state.withLock { state in
            guard !state.isClosed else { return nil }
            state.lastTicket += 1
            return end(state.lastTicket)
        }
    }

    /// The ticket given last, 0 before the first: how many events were admitted.
    package var lastTicket: Int { state.withLock { $0.lastTicket } }

    /// Queues a sweep before everything that waits, unless one is waiting already: several pending sweeps merge into the
    /// newest snapshot.
    ///
    /// First, because whatever waits would else be shown in a window that the commit has made wrong, and could take the
    /// place of an intent that the commit has already set free (<doc:TheSession#S3>, <doc:TheSession#S5>).
    /// - Returns: Whether it was queued.
    package func postSweep() -> Bool {
        state.withLock { state in
            guard !state.isClosed, !state.isSweepWaiting else { return false }
            state.isSweepWaiting = true
            if state.wake != nil { Self.hand(.sweep, to: &state) } else { state.items.prepend(.sweep) }
            return true
        }
    }

    /// Queues resumes before everything that waits: they were due when the commit came that satisfied them.
    /// - Returns: Whether they were queued; a closed mailbox takes nothing.
    package func postFirst(_ resumes: [ParkedIntent]) -> Bool {
        state.withLock { state in
            guard !state.isClosed else { return false }
            // Called by the consumer itself while it handles a sweep, so nobody is waiting to be handed anything.
            state.items.insert(contentsOf: resumes.map(MailboxItem.resume), at: 0)
            return true
        }
    }

    /// Whether the consumer waits for an item.
    package var isAwaited: Bool { state.withLock { $0.wake != nil } }

    /// Whether nothing waits.
    package var isEmpty: Bool { state.withLock { $0.items.isEmpty } }

    /// What a consumer gets.
    package enum Next {
        case item(MailboxItem)
        /// There is nothing to do: it is to end, and will be woken.
        case rest
        /// There will be nothing more.
        case closed
    }

    /// The next item. One consumer only.
    ///
    /// A consumer that finds nothing ends instead of waiting: a continuation would be resumed on the shared pool of threads
    /// and only from there go on where its actor runs, two hops for every event.
    /// - Parameters:
    ///   - wake: Starts the consumer again; called under the lock.
    package func take(orRest wake: @escaping @Sendable () -> Void) -> Next {
        state.withLock { state in
            if let item = state.handed ?? state.popFirst() {
                state.handed = nil
                if case .sweep = item { state.isSweepWaiting = false }
                return .item(item)
            }
            guard !state.isClosed else { return .closed }
            state.wake = wake
            return .rest
        }
    }

    /// Closes the mailbox: the consumer ends after its current item.
    /// - Returns: What was still waiting.
    package func close() -> [MailboxItem] {
        state.withLock { state in
            state.isClosed = true
            state.waitingEvents = 0
            state.wake?()
            state.wake = nil
            defer { state.items = [] }
            return Array(state.items)
        }
    }

    private static func hand(_ item: MailboxItem, to state: inout State) {
        if let wake = state.wake {
            state.wake = nil
            state.handed = item
            return wake()
        }
        state.items.append(item)
        if case .event = item { state.waitingEvents += 1 }
    }
}
