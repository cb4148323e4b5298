internal import Basics
public import SceneEntryPoints
internal import SceneNavigation
internal import SceneRouting
internal import StrictJSON

extension SceneHost {
    /// An event that has been admitted, by this call or by an earlier one.
    public struct Admission: Sendable {
        /// The receipt as it was then.
        public let receipt: Receipt
        let progress: EventProgress
        /// What the event's format and its adapter allow but the sender probably did not mean, each as `path: what`.
        public internal(set) var warnings: [String] = []

        init(_ receipt: Receipt, _ progress: EventProgress) {
            self.receipt = receipt
            self.progress = progress
        }
    }

    /// Admits an event: decides everything that the manifest alone decides, chooses the scene and takes a ticket.
    ///
    /// It is synchronous, so tickets are given in the order of the calls.
    /// - Parameter adaptation: What the adapters answered, if the caller has asked them already; `nil` asks those of the app.
    /// - Returns: The admission, with ``Receipt/isDuplicate`` if the same event had been admitted before.
    /// - Throws: ``AdmissionError``; the event has no ticket then.
    public func admit(
        _ submission: Submission,
        adaptation: Result<Adaptation, EntryRefusal>? = nil
    ) throws(AdmissionError) -> Admission {
        let content = submission.contentHash
        if let id = submission.eventID {
            try Self.check(eventID: id)
            if let repeated = try lookUp(EventKey(sender: submission.sender, id: id), content) { return repeated }
        }
        let decision = try door.decide(submission, adaptation)
        var admission = try store.withNewest { newest throws(AdmissionError) in
            try directory.withLock { directory throws(AdmissionError) in
                try enqueue(submission, content, decision, at: newest, in: &directory)
            }
        }
        admission.warnings = decision.warnings
        return admission
    }

    /// The admission of an event that was sent before under the same ID, or `nil` for a new one. A caller that asks adapters
    /// itself calls this first.
    /// - Throws: ``AdmissionError`` if the event cannot be admitted whatever the adapters answer: its ID is not valid or
    ///   belongs to another event, or the event is for another app.
    public func repeated(_ submission: Submission) throws(AdmissionError) -> Admission? {
        if case .entry(let event) = submission.event { try door.requireReceiver(event) }
        guard let id = submission.eventID else { return nil }
        try Self.check(eventID: id)
        return try lookUp(EventKey(sender: submission.sender, id: id), submission.contentHash)
    }

    /// Calls `notify` once with the event's receipt, when the event has reached `stage`; immediately if it already has.
    ///
    /// It runs on any thread and must not block.
    /// - Returns: A token for ``stopWaiting(_:for:)``; `nil` if `notify` has been called.
    @discardableResult
    public func whenReached(
        _ stage: ReceiptStage,
        _ admission: Admission,
        _ notify: @escaping @Sendable (Receipt) -> Void
    ) -> Int? {
        if stage == .admitted {
            notify(admissionReceipt(admission))
            return nil
        }
        guard admission.receipt.isDuplicate else { return admission.progress.notify(at: stage, notify) }
        return admission.progress.notify(at: stage) { receipt in
            var receipt = receipt
            receipt.isDuplicate = true
            notify(receipt)
        }
    }

    /// The receipt of an event that was just admitted, whatever has become of it since; that of a repeated event says it.
    package func admissionReceipt(_ admission: Admission) -> Receipt {
        var receipt = admission.receipt
        if !receipt.isDuplicate { receipt.outcome = .admitted }
        return receipt
    }

    /// Cancels a wait for an event, which goes on.
    public func stopWaiting(_ token: Int, for admission: Admission) {
        admission.progress.forget(token)
    }

    /// The event's receipt once it has reached `stage`.
    public func receipt(of admission: Admission, at stage: ReceiptStage = .settled) async -> Receipt {
        await withCheckedContinuation { continuation in
            whenReached(stage, admission) { continuation.resume(returning: $0) }
        }
    }

    /// The current receipt of an event, or `nil` if this sender has no such event or it has been forgotten.
    public func receipt(event: String, sender: String? = nil) -> Receipt? {
        ledger.receipt(of: EventKey(sender: sender, id: event))
    }

    /// The app's adapters that are in force: those of the manifest and those written in Swift.
    public var adapters: AdapterChain { app.current.adapters }

    /// Whether the adapters say what comes of an event; they are not asked about one that shows nothing.
    public func asksAdapters(about event: EntryEvent) -> Bool { door.asksAdapters(about: event) }

    /// An ID for an event to which its sender gave none. Records made before it is admitted can then name it.
    public func makeEventID(sender: String?) -> String { ledger.makeID(sender: sender) }

    /// Records that an adapter in another process was passed over for an event that is not admitted yet.
    public func recordSkippedAdapter(_ name: String, reason: String, submission: Submission) {
        records.append(
            .adapterSkipped(adapter: name, reason: reason, call: submission.call),
            Record.Subject(
                scene: submission.scene,
                event: submission.eventID,
                connection: submission.connection
            )
        )
    }

    /// Checks whether the manifest alone refuses an event. It admits nothing.
    /// - Throws: ``AdmissionError``.
    package func checkDoor(_ submission: Submission) throws(AdmissionError) { _ = try door.decide(submission) }

    /// What the door would say of an event, by the manifest and the adapters of this process alone, as a clause: `goes to cart`.
    /// It admits nothing.
    /// - Throws: ``AdmissionError`` if the event would not be admitted.
    package func preview(_ event: EntryEvent) throws(AdmissionError) -> String {
        let decision = try door.decide(Submission(event))
        switch decision.work {
        case .navigate(let request, _):
            return "goes to \(request.destination), by the adapter \(decision.adapter ?? "")\(locks)"
        case .reject(let reason):
            let fallback = app.current.manifest.fallback.map { ", and the fallback \($0) is shown" } ?? ""
            return "is admitted and ends rejected as \(reason)\(fallback)"
        case .handled: return "is delivered: the adapter \(decision.adapter ?? "") has handled it"
        case .deliver, .perform, .hear, .bubble, .gesture, .finish: return "is delivered, and nothing navigates"
        }
    }

    /// Where an event waits for the lock before anything else, as the end of a clause; empty if it does nowhere.
    private var locks: String {
        let engine = app.current.engine
        guard let flow = engine.lockFlow?.name else { return "" }
        let locked = scenes.filter { $0.isLocked && $0.isConnected }.map(\.id)
        // A window that opens, or is brought back, begins locked.
        let windows =
            (locked.isEmpty ? [] : ["locked (\(locked.joined(separator: ", ")))"])
            + (engine.locks(context: routing(store.snapshot)) ? ["opened for it"] : [])
        return windows.isEmpty
            ? "" : "; in a window that is \(windows.joined(separator: " or ")), it is gated by \(flow) first"
    }

    // MARK: - Into a mailbox

    private func enqueue(
        _ submission: Submission,
        _ content: Int,
        _ decision: EventDoor.Decision,
        at newest: SessionSnapshot,
        in directory: inout SceneDirectory
    ) throws(AdmissionError) -> Admission {
        guard !directory.isDraining else { throw .draining }
        let id = submission.eventID ?? ledger.makeID(sender: submission.sender)
        let key = EventKey(sender: submission.sender, id: id)
        // Look again under the lock, because two connections may have sent the same event at once. An ID just made is new.
        if submission.eventID != nil, let repeated = try lookUp(key, content) { return repeated }
        let receiver = try chooseReceiver(of: submission, decision.work, at: newest, in: &directory)
        // Parked intents are bounded as well: if nothing supersedes them, there could be any number. What happens in the window
        // is taken all the same, or nothing could open the gate any more.
        let isInside = decision.work.isAct
        if let scene = receiver.entry?.scene, !isInside,
            scene.published.parkedCount(of: submission.sender) >= settings.mailboxCapacity
        {
            throw .queueFull(scene: scene.id, limit: settings.mailboxCapacity)
        }
        try ledger.reserve(decision.work.footprint, sender: submission.sender, isInside: isInside)
        let incoming = Incoming(
            key: key,
            isKeyMade: submission.eventID == nil,
            contentHash: content,
            kind: submission.event.kind,
            name: submission.event.name,
            source: submission.event.source,
            options: submission.event.connectionOptions,
            draggedFrom: submission.event.draggedFrom,
            connection: submission.connection,
            call: submission.call,
            adapter: decision.adapter,
            work: decision.work
        )
        return try admit(incoming, to: receiver, at: newest, in: &directory)
    }

    /// An event of which everything has been decided but its ticket, and for which the ledger has reserved room.
    struct Incoming {
        let key: EventKey
        /// Whether the host has made its ID.
        let isKeyMade: Bool
        let contentHash: Int
        let kind: String
        var name: String?
        let source: RouteSource
        /// The names of the connection options with which a connecting scene learns of it; empty if no scene connects for it.
        let options: [String]
        var draggedFrom: String?
        /// Its place in the set of URLs with which it comes; `nil` if it comes alone.
        var place: Record.SetPlace?
        let connection: Int?
        var call: Int?
        var adapter: String?
        let work: EventWork
    }

    /// Gives an event its ticket. Called with the session's and the directory's locks held.
    @discardableResult
    func admit(
        _ incoming: Incoming,
        to receiver: Receiver,
        at newest: SessionSnapshot,
        in directory: inout SceneDirectory
    ) throws(AdmissionError) -> Admission {
        let scene = receiver.entry?.scene
        let mailbox = scene?.mailbox ?? appReceiver.mailbox
        let work = incoming.work
        // A gesture is judged when the finger touches, and UIKit ignores it during a transition. It needs no window to come back.
        let isIgnored = work.isGesture && scene?.published.current.isTransitioning ?? false
        let delivery = receiver.delivery(isIgnored: isIgnored)
        var admission: Admission?
        func open(_ ticket: Int) -> AdmittedEvent {
            let (opened, event) = self.open(incoming, ticket, in: scene?.id, receiver.choice, delivery, at: newest)
            admission = opened
            return event
        }
        let event: AdmittedEvent?
        if let scene, isIgnored {
            event = mailbox.pass { ignore(open($0), in: scene, .inTransition) }
        } else {
            event = mailbox.admit(from: incoming.key.sender) { ticket in
                activity.began(scene?.id ?? ActivityMonitor.app)
                if work.bringsForward { scene?.life.expectForeground() }
                return open(ticket)
            }
        }
        guard event != nil, let admission else {
            ledger.cancel(work.footprint, sender: incoming.key.sender)
            throw .queueFull(scene: scene?.id, limit: settings.mailboxCapacity)
        }
        if case .scene(let entry, .new) = receiver { directory.setPurpose(work.destination, of: entry.scene.id) }
        // At its turn the event will bring the window back.
        if let entry = receiver.entry, !entry.willBeConnected, !isIgnored {
            directory.setWillBeConnected(true, entry.scene.id)
        }
        return admission
    }

    /// Enters an event in the ledger and in the records, under its ticket. Called with the mailbox's lock held, too.
    func open(
        _ incoming: Incoming,
        _ ticket: Int,
        in scene: String?,
        _ choice: SceneChoice?,
        _ delivery: EventDelivery?,
        at newest: SessionSnapshot
    ) -> (Admission, AdmittedEvent) {
        let work = incoming.work
        let admitted = Receipt(
            event: incoming.key.id,
            scene: scene,
            choice: choice,
            ticket: ticket,
            outcome: .admitted,
            revision: newest.revision,
            window: nil
        )
        let progress = ledger.open(
            incoming.key,
            isMade: incoming.isKeyMade,
            contentHash: incoming.contentHash,
            receipt: admitted,
            bytes: work.footprint
        )
        records.append(
            .eventAdmitted(
                Record.Arrival(
                    kind: incoming.kind,
                    name: incoming.name,
                    source: incoming.source,
                    choice: choice,
                    delivery: delivery,
                    options: delivery == .cold ? incoming.options : nil,
                    draggedFrom: incoming.draggedFrom,
                    place: incoming.place,
                    call: incoming.call,
                    adapter: incoming.adapter,
                    work: work
                )
            ),
            Record.Subject(
                scene: scene,
                ticket: ticket,
                event: incoming.key.id,
                connection: incoming.connection
            ).at(newest)
        )
        let event = AdmittedEvent(
            key: incoming.key,
            ticket: ticket,
            epoch: newest.epoch,
            work: work,
            source: incoming.source,
            connection: incoming.connection,
            progress: progress
        )
        return (Admission(admitted, progress), event)
    }

    /// Ends a gesture when the finger touches. It has a ticket but no turn.
    private func ignore(_ event: AdmittedEvent, in scene: Scene, _ reason: Gesture.NoEffect) -> AdmittedEvent {
        let outcome = Outcome.ignored(reason: reason.rawValue)
        let attempt = Attempt(event: event, number: 1, kind: .dispatch, scene: scene.id)
        records.append(.dispatchEnded(outcome: outcome), attempt.subject)
        scene.published.countSettled()
        ledger.update(event, outcome: outcome, window: scene.published.current.shown)
        return event
    }

    /// Who gets an event.
    enum Receiver {
        /// A scene, and why it.
        case scene(SceneDirectory.Entry, SceneChoice)
        /// The app itself.
        case app

        var entry: SceneDirectory.Entry? {
            if case .scene(let entry, _) = self { entry } else { nil }
        }

        /// Why it is this scene; `nil` if the app itself gets the event.
        var choice: SceneChoice? {
            if case .scene(_, let choice) = self { choice } else { nil }
        }

        /// How the event gets there: one that finds no window, or opens one, comes with connection options.
        func delivery(isIgnored: Bool) -> EventDelivery? {
            switch self {
            case .app: nil
            case .scene(_, .new): .cold
            case .scene(let entry, _): entry.willBeConnected || isIgnored ? .warm : .cold
            }
        }
    }

    private func chooseReceiver(
        of submission: Submission,
        _ work: EventWork,
        at newest: SessionSnapshot,
        in directory: inout SceneDirectory
    ) throws(AdmissionError) -> Receiver {
        var identifier: String?
        if case .entry(let event) = submission.event { identifier = event.targetContentIdentifier }
        if let source = submission.event.draggedFrom {
            guard submission.scene == nil else {
                throw .invalid("scene", "is named, but what is dragged opens a window of its own")
            }
            guard let window = directory.entries[source] else { throw .unknownScene(source) }
            guard window.willBeConnected else {
                throw .invalid("draggedFrom", "\(source) is disconnected; it shows nothing that could be dragged")
            }
            if window.scene.life.isLocked {
                throw .invalid("draggedFrom", "\(source) is locked; what its lock covers cannot be dragged")
            }
            return try .scene(openForEvent([identifier], at: newest, in: &directory), .new)
        }
        let found: (entry: SceneDirectory.Entry, choice: SceneChoice)?
        if let id = submission.scene {
            guard let entry = directory.entries[id] else { throw .unknownScene(id) }
            found = (entry, .named)
        } else {
            // What is silent wakes no window.
            found = directory.choose(for: identifier, connected: !work.bringsForward)
        }
        if work.isAct, !work.bringsForward, found?.entry.willBeConnected == false {
            throw .invalid(
                "scene",
                "\(submission.scene ?? "") is disconnected; it shows nothing that could report something"
            )
        }
        guard work.bringsForward else {
            return found.flatMap { $0.entry.willBeConnected ? .scene($0.entry, $0.choice) : nil } ?? .app
        }
        if let found { return .scene(found.entry, found.choice) }
        return try .scene(openForEvent([identifier], at: newest, in: &directory), .new)
    }

    /// Opens a scene for an event from outside with this content identifier, or for a set of URLs, which has several
    /// (<doc:Scenes#Which-scene-takes-an-event>).
    func openForEvent(
        _ identifiers: [String?],
        at newest: SessionSnapshot,
        in directory: inout SceneDirectory
    ) throws(AdmissionError) -> SceneDirectory.Entry {
        let configurations = app.current.manifest.configurations
        let configuration =
            configurations.first { one in identifiers.allSatisfy { $0.map(one.prefers.matches) ?? false } }
            ?? configurations.first { one in identifiers.allSatisfy(one.canTake) }
        guard let configuration,
            let entry = try? open(nil, configuration: configuration.name, by: .event, at: newest, in: &directory)
        else {
            let identifier = identifiers.first.flatMap(\.self)
            throw .noEligibleScene(contentIdentifier: identifier.map(app.current.engine.concealed(url:)))
        }
        return entry
    }

    func lookUp(_ key: EventKey, _ content: Int) throws(AdmissionError) -> Admission? {
        switch ledger.look(up: key, contentHash: content) {
        case .unknown: return nil
        case .repeated(let progress):
            var receipt = progress.receipt
            receipt.isDuplicate = true
            return Admission(receipt, progress)
        case .mismatch: throw .eventMismatch(event: key.id)
        }
    }

    static func check(eventID id: String) throws(AdmissionError) {
        if let problem = NameRule.problem(id) { throw .invalidEventID(reason: problem) }
    }
}

extension Submission {
    /// A hash of the parts in which two submissions of the same event agree.
    fileprivate var contentHash: Int {
        var hasher = Hasher()
        hasher.combine(event)
        hasher.combine(scene)
        return hasher.finalize()
    }
}

extension SubmittedEvent {
    var kind: String {
        switch self {
        case .entry(let event): event.kind.rawValue
        case .action(let action): action.kind
        }
    }

    /// The name of the intent, the gesture or the flow; `nil` for an event from outside.
    fileprivate var name: String? {
        switch self {
        case .entry: nil
        case .action(let action): action.name
        }
    }

    /// The scene from which it was dragged to where a new window opens; `nil` if it was not.
    fileprivate var draggedFrom: String? {
        if case .entry(let event) = self { event.draggedFrom } else { nil }
    }

    var source: RouteSource {
        switch self {
        case .entry: .external
        case .action: .internal
        }
    }

    /// The names of the connection options with which a connecting scene learns of it; empty if no scene connects for it.
    var connectionOptions: [String] {
        switch self {
        case .entry(let event): event.coldDelivery?.options.names ?? []
        case .action: []
        }
    }
}
