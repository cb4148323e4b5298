internal import SceneRouting
internal import DequeModule
internal import SceneVocabulary
internal import Basics

/// Remembers, by ID, every open event and the most recent of those that have ended, so that an event sent twice does
/// nothing the second time.
package final class EventLedger: Sendable {
    private struct Entry {
        /// A hash of the event's content, the same in every process. The content itself may be a megabyte, and ten thousand entries
        /// are kept.
        let contentHash: UInt64
        let progress: EventProgress
    }

    private struct State {
        var entries: [EventKey: Entry] = [:]
        /// Those of ``entries`` that have not ended.
        var open: [EventKey: EventProgress] = [:]
        /// The events that have ended, oldest first. When there are too many, the oldest is forgotten.
        var ended: Deque<EventKey> = []
        var lastMadeID = 0
        /// Whether a client has ever chosen an ID that looks like those made here.
        var hasLookalikes = false
        /// What the events of all senders take, and those of each.
        var all = MemoryUse.Events()
        /// How many bytes have been given back so far.
        var givenBack = 0
        var bySender: [String?: MemoryUse.Events] = [:]

        mutating func count(_ bytes: Int, _ stage: EventStage, _ sender: String?) {
            all.add(bytes, to: stage)
            bySender[sender, default: MemoryUse.Events()].add(bytes, to: stage)
            if bySender[sender] == MemoryUse.Events() { bySender[sender] = nil }
        }
    }

    /// How much the ledger keeps.
    package struct Limits: Sendable {
        /// How many ended events are remembered.
        var retained = Int.max
        /// How many bytes their receipts may take.
        var rememberedBytes = Int.max
        /// How many bytes open events may take.
        var openBytes = Int.max
        /// How many bytes the open events of one sender may take.
        var openBytesPerSender = Int.max
    }

    private let limits: Limits
    // Each event has its own place. What the made IDs, the sums and the memory of what has ended share is reported under these names.
    private let state = Guarded(State(), isReported: false)
    private let ids = SharedName()
    private let sums = SharedName()
    private let memory = SharedName()

    package init(_ limits: Limits) {
        self.limits = limits
    }

    /// Counts an event that is about to be admitted, unless it would take too much.
    ///
    /// - Parameters:
    ///   - bytes: What it takes until it has ended.
    ///   - isInside: Whether it happens in a window. Then what is parked does not count: it may be what opens the gate that the
    ///     parked intents wait for.
    /// - Throws: ``AdmissionError/tooMuchWaiting(size:waiting:limit:perUser:)``; of two limits that are exceeded, with the sender's
    ///   own, which the sender can do something about.
    func reserve(_ bytes: Int, sender: String?, isInside: Bool) throws(AdmissionError) {
        try state.withLock { state throws(AdmissionError) in
            // As long as there would be room if nothing had been given back, it makes no difference what comes first.
            sums.reportWithinLock(.addition)
            func check(_ use: MemoryUse.Events, _ limit: Int, perUser: Bool) throws(AdmissionError) {
                let waiting = isInside ? use.waiting : use.open
                if waiting + state.givenBack + bytes > limit { sums.reportWithinLock(.write) }
                guard waiting + bytes > limit else { return }
                throw .tooMuchWaiting(size: bytes, waiting: waiting, limit: limit, perUser: perUser)
            }
            try check(state.bySender[sender] ?? MemoryUse.Events(), limits.openBytesPerSender, perUser: true)
            try check(state.all, limits.openBytes, perUser: false)
            state.count(bytes, .waiting, sender)
        }
    }

    /// Takes back what ``reserve(_:sender:isInside:)`` has counted for an event that was not admitted after all.
    func cancel(_ bytes: Int, sender: String?) {
        state.withLock {
            sums.reportWithinLock(.addition)
            $0.count(-bytes, .waiting, sender)
            $0.givenBack += bytes
        }
    }

    /// Adds what events take to `use`, and how many calls wait for them.
    func add(to use: inout MemoryUse) {
        let open = state.withLock { state in
            sums.reportWithinLock(.read)
            use.events = state.all
            use.eventsBySender = state.bySender
            return state.open
        }
        for (key, progress) in open {
            let count = progress.waiterCount
            if count > 0 { use.waitersBySender[key.sender, default: 0] += count }
        }
    }

    /// What is counted for each event that is open or remembered, to check the sums by.
    var charges: [(sender: String?, charge: EventProgress.Charge)] {
        state.withLock { $0.entries }.map { ($0.key.sender, $0.value.progress.charge) }
    }

    /// What the ledger knows about an ID.
    package enum Lookup {
        /// No event, or one that has been forgotten.
        case unknown
        /// The same event.
        case repeated(EventProgress)
        /// An event with other content.
        case mismatch
    }

    /// - Parameter contentHash: The hash of everything that two submissions of the same event have in common.
    package func look(up key: EventKey, contentHash: UInt64) -> Lookup {
        state.withLock { state in
            self.state.report(.read, of: key.part)
            guard let entry = state.entries[key] else { return .unknown }
            return entry.contentHash == contentHash ? .repeated(entry.progress) : .mismatch
        }
    }

    /// An ID that no event of this sender has, in a form that clients are unlikely to choose: `auto-1`.
    package func makeID(sender: String?) -> String {
        state.withLock { state in
            ids.reportWithinLock(.write)
            while true {
                state.lastMadeID += 1
                let id = Self.prefix + String(state.lastMadeID)
                guard state.hasLookalikes, state.entries[EventKey(sender: sender, id: id)] != nil else { return id }
            }
        }
    }

    private static let prefix = "auto-"

    /// Enters events of before a restart, those that have ended in the order of their ends.
    /// - Parameter lastMade: The number of the ID that was made last.
    /// - Returns: How far those have come that have not ended.
    func restore(_ events: [KeptEvent], lastMade: Int) -> [EventKey: EventProgress] {
        state.withLock { state in
            state.lastMadeID = lastMade
            for event in events {
                let progress = EventProgress(event.receipt, bytes: event.work.footprint)
                state.entries[event.key] = Entry(contentHash: event.contentHash, progress: progress)
                let charge = progress.charge
                state.count(charge.bytes, charge.stage, event.key.sender)
                if !event.isKeyMade, event.key.id.hasPrefix(Self.prefix) { state.hasLookalikes = true }
                if charge.stage == .ended { state.ended.append(event.key) } else { state.open[event.key] = progress }
            }
            return state.open
        }
    }

    /// Enters an event under an ID that no other event has.
    /// - Parameters:
    ///   - isMade: Whether the ID comes from ``makeID(sender:)``.
    ///   - bytes: What ``reserve(_:sender:isInside:)`` has counted for it.
    func open(_ key: EventKey, isMade: Bool, contentHash: UInt64, receipt: Receipt, bytes: Int) -> EventProgress {
        let progress = EventProgress(receipt, bytes: bytes)
        let entry = Entry(contentHash: contentHash, progress: progress)
        let isLookalike = !isMade && key.id.hasPrefix(Self.prefix)
        state.withLock { state in
            self.state.report(.write, of: key.part)
            if isLookalike {
                ids.reportWithinLock(.write)
                state.hasLookalikes = true
            }
            state.entries[key] = entry
            state.open[key] = progress
        }
        return progress
    }

    package func receipt(of key: EventKey) -> Receipt? {
        let entry = state.withLock { state in
            self.state.report(.read, of: key.part)
            return state.entries[key]
        }
        return entry?.progress.receipt
    }

    /// Sets how an attempt of an open event ended and notifies those who waited for that
    /// (``EventProgress/update(_:)``).
    func update(_ event: AdmittedEvent, _ ending: AttemptEnding) {
        guard let (old, new) = event.progress.update(ending), old != new else { return }
        // All scenes share the lock, so the oldest entries are freed outside it.
        let forgotten: (Entry?, [Entry]) = state.withLock { state in
            sums.reportWithinLock(.addition)
            state.givenBack += old.bytes
            state.count(-old.bytes, old.stage, event.key.sender)
            state.count(new.bytes, new.stage, event.key.sender)
            guard new.stage == .ended else { return (nil, []) }
            memory.reportWithinLock(.addition)
            state.ended.append(event.key)
            state.open[event.key] = nil
            // Nearly always it is one.
            var forgotten: (Entry?, [Entry]) = (nil, [])
            while state.ended.count > limits.retained || state.all.remembered > limits.rememberedBytes,
                let oldest = state.ended.popFirst(), let entry = state.entries.removeValue(forKey: oldest)
            {
                let charge = entry.progress.charge
                memory.reportWithinLock(.write)
                self.state.report(.write, of: oldest.part)
                state.count(-charge.bytes, charge.stage, oldest.sender)
                if forgotten.0 == nil { forgotten.0 = entry } else { forgotten.1.append(entry) }
            }
            return forgotten
        }
        withExtendedLifetime(forgotten) {}
    }
}

extension EventKey {
    /// What its place in the ledger is called where accesses are reported.
    fileprivate var part: String { "\(sender ?? "") \(id)" }
}

extension EventLedger.Limits {
    init(_ settings: HostSettings) {
        self.init(
            retained: settings.retainedEvents,
            rememberedBytes: settings.retainedEventBytes,
            openBytes: settings.waitingBytes,
            openBytesPerSender: settings.waitingBytesPerUser
        )
    }
}
