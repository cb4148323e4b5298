internal import DequeModule
internal import Basics

/// A scene's bounded first-in-first-out queue. It has one consumer, which is why dispatch is serial.
///
/// An actor would not do: it is re-entrant at every `await`, and a lock that suspends does not keep order. Tickets are given
/// synchronously under the mailbox's lock, so events are dispatched in the order admitted.
package final class Mailbox: Sendable {
    private struct State {
        var items: Deque<MailboxItem> = []
        /// How many of ``items`` are events, by their sender.
        var waitingEvents: [String?: Int] = [:]
        /// How many of ``items`` are changes of the scene's life.
        var waitingChanges = 0
        var isSweepWaiting = false
        var isSnapshotWaiting = false
        var lastTicket = 0
        /// Starts the consumer if it rests; `nil` while it runs or has been woken.
        var wake: (@Sendable () -> Void)?
        /// The item that the consumer was woken for.
        var handed: MailboxItem?
        /// The item that the consumer has taken and handles.
        var current: MailboxItem?
        var isClosed = false

        /// Makes the item that the consumer was woken for, and has not taken, the first of those that wait.
        mutating func putBack() {
            guard let item = handed else { return }
            handed = nil
            items.prepend(item)
            count(item, 1)
        }

        mutating func popFirst() -> MailboxItem? {
            let item = items.popFirst()
            if let item { count(item, -1) }
            return item
        }

        mutating func count(_ item: MailboxItem, _ change: Int) {
            switch item {
            case .event(let event):
                let sender = event.key.sender
                let count = waitingEvents[sender, default: 0] + change
                waitingEvents[sender] = count > 0 ? count : nil
            case .lifecycle: waitingChanges += change
            case .resume, .sweep, .snapshot: break
            }
        }
    }

    private let capacity: Int
    private let state: Guarded<State>

    /// - Parameters:
    ///   - capacity: How many events of each sender may wait.
    ///   - lastTicket: The ticket that was given last before a restart.
    ///   - waiting: The events that waited then, or were handled.
    package init(capacity: Int, lastTicket: Int = 0, waiting: [AdmittedEvent] = []) {
        self.capacity = capacity
        var first = State()
        first.lastTicket = lastTicket
        for event in waiting {
            first.items.append(.event(event))
            first.count(.event(event), 1)
        }
        state = Guarded(first)
    }

    /// Queues a sweep behind what was handled before a restart and is handled once more, and before everything else: a commit that came
    /// meanwhile waits for its end, as ever.
    /// - Returns: Whether it comes before everything.
    func postFirstSweep() -> Bool {
        state.withLock { state in
            state.isSweepWaiting = true
            if case .event(let event)? = state.items.first, event.lastAttempt > 0 {
                state.items.insert(.sweep, at: 1)
                return false
            }
            state.items.prepend(.sweep)
            return true
        }
    }

    /// Takes the next ticket and queues the event that `make` builds for it.
    ///
    /// `make` runs under the lock, so what it records comes before anything that the consumer records about the event.
    /// - Returns: The event, or `nil` if the mailbox is closed, or full for `sender`; `make` was not called then.
    package func admit(from sender: String?, _ make: (_ ticket: Int) -> AdmittedEvent) -> AdmittedEvent? {
        state.withLock { state in
            guard !state.isClosed, state.waitingEvents[sender, default: 0] < capacity else { return nil }
            state.lastTicket += 1
            let event = make(state.lastTicket)
            Self.hand(.event(event), to: &state)
            return event
        }
    }

    /// Takes the next tickets and queues the events that `make` builds for them, one after the other, with nothing in between.
    ///
    /// `make` runs under the lock, as in ``admit(from:_:)``.
    /// - Returns: Whether they were queued; if not all of them find room, or the mailbox is closed, none was and `make` was not
    ///   called.
    func admit(_ count: Int, from sender: String?, _ make: (_ ticket: Int) -> AdmittedEvent) -> Bool {
        state.withLock { state in
            guard !state.isClosed, state.waitingEvents[sender, default: 0] + count <= capacity else { return false }
            for _ in 0..<count {
                state.lastTicket += 1
                Self.hand(.event(make(state.lastTicket)), to: &state)
            }
            return true
        }
    }

    /// How many changes of the scene's life may wait. The room is reserved for them: events take none of it.
    package static let mostChanges = 64

    /// Queues a change of the scene's life behind everything that waits.
    /// - Throws: ``SceneError/queueFull(scene:limit:)``, or ``SceneError/draining`` if the mailbox is closed.
    package func post(_ change: LifecycleChange, of scene: String) throws(SceneError) {
        try state.withLock { state throws(SceneError) in
            guard !state.isClosed else { throw .draining }
            guard state.waitingChanges < Self.mostChanges else {
                throw .queueFull(scene: scene, limit: Self.mostChanges)
            }
            Self.hand(.lifecycle(change), to: &state)
        }
    }

    /// Whether a change of the scene's life can be queued now.
    var hasRoomForChange: Bool { state.read { !$0.isClosed && $0.waitingChanges < Self.mostChanges } }

    /// Takes the next ticket for an event that `end` ends at once, so that it is never queued.
    ///
    /// `end` runs under the lock, as in ``admit(_:)``.
    /// - Returns: The event, or `nil` if the mailbox is closed.
    package func pass(_ end: (_ ticket: Int) -> AdmittedEvent) -> AdmittedEvent? {
        state.withLock { state in
            guard !state.isClosed else { return nil }
            state.lastTicket += 1
            return end(state.lastTicket)
        }
    }

    /// The ticket given last, which is the number of events admitted; 0 before the first.
    package var lastTicket: Int { state.read { $0.lastTicket } }

    /// Queues a sweep ahead of everything that waits, unless one is waiting already: it will use the newest snapshot.
    ///
    /// It goes first because whatever waits would otherwise be shown in a window that the commit has made wrong, and could
    /// supersede an intent that the commit has set free (<doc:TheSession#S3>, <doc:TheSession#S5>).
    /// - Returns: Whether it was queued.
    package func postSweep() -> Bool {
        state.withLock { state in
            guard !state.isClosed, !state.isSweepWaiting else { return false }
            state.isSweepWaiting = true
            if state.wake != nil {
                Self.hand(.sweep, to: &state)
            } else {
                state.putBack()
                state.items.prepend(.sweep)
            }
            return true
        }
    }

    /// Queues a snapshot of the scene behind everything that waits, unless one is waiting already.
    /// - Returns: Whether it was queued.
    package func postSnapshot() -> Bool {
        state.withLock { state in
            guard !state.isClosed, !state.isSnapshotWaiting else { return false }
            state.isSnapshotWaiting = true
            Self.hand(.snapshot, to: &state)
            return true
        }
    }

    /// Calls `body` with the ticket given last and the events that wait. Nothing is admitted meanwhile.
    ///
    /// Only the one consumer calls this, between two items; so no resume waits.
    /// - Returns: `false` if a sweep waits: then `body` was not called, because the scene is not yet as it should be. Nor is it
    ///   once the mailbox is closed.
    package func inspect(_ body: (_ lastTicket: Int, _ waiting: [AdmittedEvent]) -> Void) -> Bool {
        state.withLock { state in
            if state.isClosed { return true }
            if state.isSweepWaiting { return false }
            body(state.lastTicket, state.items.compactMap { if case .event(let event) = $0 { event } else { nil } })
            return true
        }
    }

    /// Queues resumes ahead of everything that waits: they were due as soon as the commit came that satisfied them.
    /// - Returns: Whether they were queued; a closed mailbox takes nothing.
    package func postFirst(_ resumes: [ParkedIntent]) -> Bool {
        state.withLock { state in
            guard !state.isClosed else { return false }
            // The consumer itself calls this while it handles a sweep, so it does not need to be woken.
            state.items.insert(contentsOf: resumes.map(MailboxItem.resume), at: 0)
            return true
        }
    }

    /// How many items wait that the consumer was not woken for.
    var waitingCount: Int { state.read { $0.items.count } }

    /// Whether the consumer rests until an item comes.
    package var isAwaited: Bool { state.read { $0.wake != nil } }

    /// Whether nothing waits but what the consumer was woken for.
    package var isEmpty: Bool { state.read { $0.items.isEmpty } }

    /// The event that the consumer handles, for the first time or as a resume; `nil` if it handles something else, or nothing.
    var handled: EventKey? { state.read { $0.current?.event } }

    /// Where an event stands: how many items come before it, that being handled included, and the event being handled.
    /// - Returns: `nil` if it is neither handled nor waiting here.
    func place(of event: EventKey) -> (ahead: Int, handled: EventKey?)? {
        state.withLock { state in
            let handled = state.current?.event
            let waiting = [state.handed].compactMap(\.self) + state.items
            if handled == event { return (0, handled) }
            guard let index = waiting.firstIndex(where: { $0.event == event }) else { return nil }
            return (index + (state.current == nil ? 0 : 1), handled)
        }
    }

    /// What the consumer finds.
    package enum Next {
        case item(MailboxItem)
        /// There is nothing to do: the consumer ends and will be woken.
        case rest
        /// There will be nothing more.
        case closed
    }

    /// Takes the next item. Only the one consumer calls this.
    ///
    /// A consumer that finds nothing ends instead of waiting: a continuation would be resumed on the shared thread pool and
    /// move from there to the actor's executor, two hops for every event.
    /// - Parameter wake: Starts the consumer again; called under the lock.
    package func take(orRest wake: @escaping @Sendable () -> Void) -> Next {
        state.withLock { state in
            if let item = state.handed ?? state.popFirst() {
                state.handed = nil
                switch item {
                case .sweep: state.isSweepWaiting = false
                case .snapshot: state.isSnapshotWaiting = false
                case .event, .resume, .lifecycle: break
                }
                state.current = item
                return .item(item)
            }
            state.current = nil
            guard !state.isClosed else { return .closed }
            state.wake = wake
            return .rest
        }
    }

    /// Closes the mailbox: the consumer ends after its current item.
    /// - Returns: The items that were still waiting.
    package func close() -> [MailboxItem] {
        state.withLock { state in
            state.isClosed = true
            state.waitingEvents = [:]
            state.waitingChanges = 0
            state.wake?()
            state.wake = nil
            defer { state.items = [] }
            return Array(state.items)
        }
    }

    /// Closes a mailbox into which nothing was ever admitted, unless its consumer is doing something. The consumer, which has
    /// nothing to end, is not woken.
    /// - Returns: Whether it is closed.
    func closeUnused() -> Bool {
        state.withLock { state in
            guard state.lastTicket == 0, state.wake != nil else { return false }
            state.isClosed = true
            state.wake = nil
            return true
        }
    }

    private static func hand(_ item: MailboxItem, to state: inout State) {
        if let wake = state.wake {
            state.wake = nil
            state.handed = item
            return wake()
        }
        state.items.append(item)
        state.count(item, 1)
    }
}
