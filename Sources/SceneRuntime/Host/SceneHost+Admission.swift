internal import Basics
internal import SceneEntryPoints
internal import SceneNavigation
internal import SceneRouting
internal import StrictJSON

// How an event gets into a mailbox, once it is known what it wants.
extension SceneHost {
    /// Admits what the door decides, at the newest snapshot and with the directory's lock held. If another version of the app is put in force
    /// between the two, the door decides again: what is recorded after a reload is decided by the version that it brought.
    func admitting<Decision, Admitted>(
        _ decide: () throws(AdmissionError) -> Decision,
        _ enqueue: (Decision, SessionSnapshot, inout SceneDirectory) throws(AdmissionError) -> Admitted
    ) throws(AdmissionError) -> (Decision, Admitted) {
        while true {
            let version = app.current
            let decision = try decide()
            let admitted = try store.withNewest { newest throws(AdmissionError) -> Admitted? in
                // A version is put in force under the session's lock.
                guard app.current === version else { return nil }
                return try directory.withLock { directory throws(AdmissionError) in
                    try enqueue(decision, newest, &directory)
                }
            }
            if let admitted { return (decision, admitted) }
        }
    }

    func enqueue(
        _ submission: Submission,
        _ content: UInt64,
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
        let contentHash: UInt64
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
        if case .scene(let entry, .new) = receiver, let purpose = work.destination {
            directory.setPurpose(purpose, of: entry.scene.id)
            records.keep([.purpose(scene: entry.scene.id, purpose)])
        }
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
        let event = AdmittedEvent(
            key: incoming.key,
            ticket: ticket,
            epoch: newest.epoch,
            work: work,
            source: incoming.source,
            connection: incoming.connection,
            progress: progress
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
            ).at(newest),
            keeping: [.event(KeptEvent(event, admitted, isKeyMade: incoming.isKeyMade, incoming.contentHash))]
        )
        return (Admission(admitted, progress), event)
    }

    /// Ends a gesture when the finger touches. It has a ticket but no turn.
    private func ignore(_ event: AdmittedEvent, in scene: Scene, _ reason: Gesture.NoEffect) -> AdmittedEvent {
        let outcome = Outcome.ignored(reason: reason.rawValue)
        let attempt = Attempt(event, scene: scene.id)
        let end = AttemptEnding(outcome: outcome, window: scene.published.current.shown)
        records.append(.dispatchEnded(outcome: outcome), attempt.subject, keeping: [end.kept(for: event)])
        scene.published.countSettled()
        ledger.update(event, end)
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
        let configuration = try configuration(forEvent: identifiers)
        guard let entry = try? open(nil, configuration: configuration.name, by: .event, at: newest, in: &directory)
        else { throw noEligibleScene(for: identifiers) }
        return entry
    }

    /// The configuration of the scene that would be opened for an event, if there is room for it.
    /// - Throws: ``AdmissionError/noEligibleScene(contentIdentifier:)`` if scenes of no configuration take such an event.
    func configuration(forEvent identifiers: [String?]) throws(AdmissionError) -> SceneConfiguration {
        let configurations = app.current.manifest.configurations
        let configuration =
            configurations.first { one in identifiers.allSatisfy { $0.map(one.prefers.matches) ?? false } }
            ?? configurations.first { one in identifiers.allSatisfy(one.canTake) }
        guard let configuration else { throw noEligibleScene(for: identifiers) }
        return configuration
    }

    func noEligibleScene(for identifiers: [String?]) -> AdmissionError {
        let identifier = identifiers.first.flatMap(\.self)
        return .noEligibleScene(contentIdentifier: identifier.map(app.current.engine.concealed(url:)))
    }

    func lookUp(_ key: EventKey, _ content: UInt64) throws(AdmissionError) -> Admission? {
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
