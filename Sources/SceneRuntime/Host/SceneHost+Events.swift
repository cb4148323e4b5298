internal import Locking
public import SceneEntryPoints
internal import SceneNavigation
internal import SceneRouting

extension SceneHost {
    /// An event that was admitted now or before.
    public struct Admission: Sendable {
        /// The receipt as it is now.
        public let receipt: Receipt
        let progress: EventProgress
        /// What was allowed but probably not meant, each as `path: what`: by the event's format and by its adapter.
        public internal(set) var warnings: [String] = []

        init(_ receipt: Receipt, _ progress: EventProgress) {
            self.receipt = receipt
            self.progress = progress
        }
    }

    /// Admits an event: decides all that the manifest alone decides, chooses the scene and takes the ticket.
    ///
    /// Synchronous, so that the order of calls is the order of tickets.
    /// - Parameter adaptation: What the adapters said, where somebody has asked them already because some answer later;
    ///   `nil` asks those of the app.
    /// - Returns: The admission; with ``Receipt/isDuplicate`` when the same event had been admitted before.
    /// - Throws: ``AdmissionError``; the event left no trace then.
    public func admit(
        _ submission: Submission,
        adaptation: Result<Adaptation, EntryRefusal>? = nil
    ) throws(AdmissionError) -> Admission {
        let content = submission.contentHash
        if let id = submission.eventID {
            try Self.check(eventID: id)
            if let repeated = try lookUp(EventKey(sender: submission.sender, id: id), content) { return repeated }
        }
        let decision = try decide(submission, adaptation)
        let result: Result<Admission, AdmissionError> = store.withNewest { newest in
            state.mutex.withLock { state in
                Result { () throws(AdmissionError) in
                    try enqueue(submission, content, decision, at: newest, in: &state)
                }
            }
        }
        var admission = try result.get()
        admission.warnings = decision.warnings
        return admission
    }

    /// The admission of an event that was sent before under the same ID, or `nil` for a new one; for whoever has to ask
    /// adapters before it can be admitted.
    /// - Throws: ``AdmissionError`` where it will not be admitted whatever they say: the ID is no ID, another event has it,
    ///   or it is for another app.
    public func repeated(_ submission: Submission) throws(AdmissionError) -> Admission? {
        if case .entry(let event) = submission.event {
            do {
                try event.requireReceiver(app.current.manifest.appIDs)
            } catch {
                throw .route(.malformed(reason: error.description))
            }
        }
        guard let id = submission.eventID else { return nil }
        try Self.check(eventID: id)
        return try lookUp(EventKey(sender: submission.sender, id: id), submission.contentHash)
    }

    /// Calls `notify` once with the event's receipt, as soon as the event has reached `stage`; at once if it has.
    ///
    /// It runs on whatever thread brought the event there and must not block.
    public func whenReached(
        _ stage: ReceiptStage,
        _ admission: Admission,
        _ notify: @escaping @Sendable (Receipt) -> Void
    ) {
        if stage == .admitted {
            var receipt = admission.receipt
            if !receipt.isDuplicate { receipt.outcome = .admitted }
            return notify(receipt)
        }
        guard admission.receipt.isDuplicate else { return admission.progress.notify(at: stage, notify) }
        admission.progress.notify(at: stage) { receipt in
            var receipt = receipt
            receipt.isDuplicate = true
            notify(receipt)
        }
    }

    /// The event's receipt once it has reached `stage`.
    public func receipt(of admission: Admission, at stage: ReceiptStage = .settled) async -> Receipt {
        await withCheckedContinuation { continuation in
            whenReached(stage, admission) { continuation.resume(returning: $0) }
        }
    }

    /// The current receipt of an event, or `nil` when this sender has no such event or it has been forgotten.
    public func receipt(event: String, sender: String? = nil) -> Receipt? {
        ledger.receipt(of: EventKey(sender: sender, id: event))
    }

    // MARK: - At the door

    /// What the door made of an event.
    struct Decision {
        let work: EventWork
        /// The adapter that took it, if one was asked.
        var adapter: String?
        var warnings: [String] = []
    }

    /// Refuses what the manifest alone refuses, whatever the windows and the session are; admits nothing.
    /// - Throws: ``AdmissionError``.
    package func checkDoor(_ submission: Submission) throws(AdmissionError) { _ = try decide(submission, nil) }

    private func decide(
        _ submission: Submission,
        _ adaptation: Result<Adaptation, EntryRefusal>?
    ) throws(AdmissionError) -> Decision {
        switch submission.event {
        case .entry(let event): return try decide(event, adaptation)
        case .action(let action):
            if submission.scene == nil { throw .missingScene(kind: action.kind) }
            return Decision(work: try decide(action))
        }
    }

    /// What the manifest alone decides.
    private func decide(
        _ event: EntryEvent,
        _ adaptation: Result<Adaptation, EntryRefusal>?
    ) throws(AdmissionError) -> Decision {
        do {
            try event.requireReceiver(app.current.manifest.appIDs)
        } catch {
            throw .route(.malformed(reason: error.description))
        }
        guard event.isNavigating else { return Decision(work: .deliver, warnings: event.warnings) }
        do {
            return try route(event, adaptation)
        } catch {
            // A tapped notification has been delivered, wherever its link leads.
            guard event.kind == .push else { throw error }
            return Decision(work: .reject(reason: error.reason), warnings: event.warnings)
        }
    }

    private func route(
        _ event: EntryEvent,
        _ adaptation: Result<Adaptation, EntryRefusal>?
    ) throws(AdmissionError) -> Decision {
        let app = self.app.current
        let adapted: Adaptation
        do throws(EntryRefusal) {
            if let adaptation { adapted = try adaptation.get() } else { adapted = try app.adapters.adapt(event) }
        } catch {
            throw .noAdapter(kind: error.kind.rawValue, reason: error.reason)
        }
        return Decision(
            work: try route(adapted.request, app),
            adapter: adapted.adapter,
            warnings: adapted.warnings
        )
    }

    private func route(_ request: AdaptedRequest, _ app: LoadedApp) throws(AdmissionError) -> EventWork {
        switch request {
        case .destination(let destination):
            do {
                return .navigate(try app.engine.request(for: destination, source: .external), route: nil)
            } catch {
                report(ResolutionReport(door: .request, route: nil, answer: .failure(error)))
                throw .route(error)
            }
        case .url(let url): return try match(url, app.engine)
        case .universalLink(let url):
            try Self.check(app.engine.association(for: url), url: url)
            return try match(url, app.engine)
        }
    }

    private func match(_ url: String, _ engine: RoutingEngine) throws(AdmissionError) -> EventWork {
        do {
            let match = try engine.match(url: url, context: routingContext)
            return .navigate(match.request, route: match.route)
        } catch {
            report(ResolutionReport(door: .url, route: nil, answer: .failure(error)))
            throw .route(error)
        }
    }

    private func enqueue(
        _ submission: Submission,
        _ content: Int,
        _ decision: Decision,
        at newest: SessionSnapshot,
        in state: inout State
    ) throws(AdmissionError) -> Admission {
        guard !state.isDraining else { throw .draining }
        let id = submission.eventID ?? ledger.makeID(sender: submission.sender)
        let key = EventKey(sender: submission.sender, id: id)
        // Asked again under the lock: two connections may have sent the same event at once. An ID just made is nobody's.
        if submission.eventID != nil, let repeated = try lookUp(key, content) { return repeated }
        let (entry, isNew) = try chooseScene(for: submission, decision.work, at: newest, in: &state)
        let scene = entry.scene
        // What finds no window, or makes its own, comes with the connection options.
        let delivery: Record.Delivery = isNew || !entry.willBeConnected ? .cold : .warm
        // What is parked waits as well: where nothing supersedes it, it would grow without a bound.
        guard scene.published.parkedCount < settings.mailboxCapacity else {
            throw .queueFull(scene: scene.id, limit: settings.mailboxCapacity)
        }
        var admission: Admission?
        func open(_ ticket: Int) -> AdmittedEvent {
            let admitted = Receipt(
                event: id,
                scene: scene.id,
                ticket: ticket,
                outcome: .admitted,
                revision: newest.revision,
                window: nil
            )
            let progress = ledger.open(
                key,
                isMade: submission.eventID == nil,
                contentHash: content,
                receipt: admitted
            )
            admission = Admission(admitted, progress)
            records.append(
                .eventAdmitted(
                    Record.Arrival(
                        kind: submission.event.kind,
                        name: submission.event.name,
                        source: submission.event.source,
                        delivery: delivery,
                        options: delivery == .cold ? submission.event.connectionOptions : nil,
                        call: submission.call,
                        adapter: decision.adapter,
                        work: decision.work
                    )
                ),
                Record.Subject(scene: scene.id, ticket: ticket, event: id, connection: submission.connection)
            )
            return AdmittedEvent(
                key: key,
                ticket: ticket,
                work: decision.work,
                source: submission.event.source,
                connection: submission.connection,
                progress: progress
            )
        }
        let event: AdmittedEvent?
        if case .gesture = decision.work, scene.published.current.isTransitioning {
            // Judged when the finger touches: UIKit ignores it.
            event = scene.mailbox.pass { ignore(open($0), in: scene, .inTransition) }
        } else {
            event = scene.mailbox.admit { ticket in
                activity.began(scene.id)
                return open(ticket)
            }
        }
        guard event != nil, let admission else { throw .queueFull(scene: scene.id, limit: settings.mailboxCapacity) }
        // At its turn the event brings the window back.
        if !entry.willBeConnected { state.directory.setWillBeConnected(true, scene.id) }
        return admission
    }

    private func chooseScene(
        for submission: Submission,
        _ work: EventWork,
        at newest: SessionSnapshot,
        in state: inout State
    ) throws(AdmissionError) -> (SceneDirectory.Entry, isNew: Bool) {
        if let id = submission.scene {
            guard let entry = state.directory.entries[id] else { throw .unknownScene(id) }
            return (entry, false)
        }
        var identifier: String?
        if case .entry(let event) = submission.event { identifier = event.targetContentIdentifier }
        if let entry = state.directory.choose(for: identifier) { return (entry, false) }
        let configurations = app.current.manifest.configurations
        let configuration =
            configurations.first { identifier.map($0.prefers.matches) ?? false }
            ?? configurations.first { $0.canTake(identifier) }
        guard let configuration,
            let entry = try? open(
                nil,
                configuration: configuration.name,
                inBackground: !work.navigates,
                at: newest,
                in: &state
            )
        else {
            throw .noEligibleScene(contentIdentifier: identifier)
        }
        return (entry, true)
    }

    private func lookUp(_ key: EventKey, _ content: Int) throws(AdmissionError) -> Admission? {
        switch ledger.look(up: key, contentHash: content) {
        case .unknown: return nil
        case .repeated(let progress):
            var receipt = progress.receipt
            receipt.isDuplicate = true
            return Admission(receipt, progress)
        case .mismatch: throw .eventMismatch(event: key.id)
        }
    }

    private static func check(eventID id: String) throws(AdmissionError) {
        guard (1...128).contains(id.utf8.count) else {
            throw .invalidEventID(reason: "has \(id.utf8.count) bytes; 1 to 128 would be right")
        }
    }

    private static func check(_ decision: AssociationDecision, url: String) throws(AdmissionError) {
        switch decision {
        case .match: return
        case .exclude(let component): throw .notAssociated(url: url, component: component)
        case .noMatch: throw .notAssociated(url: url, component: "")
        }
    }
}

extension Submission {
    /// The hash of what makes two submissions under one ID the same event.
    fileprivate var contentHash: Int {
        var hasher = Hasher()
        hasher.combine(event)
        hasher.combine(scene)
        return hasher.finalize()
    }
}

extension SubmittedEvent {
    fileprivate var kind: String {
        switch self {
        case .entry(let event): event.kind.rawValue
        case .action(let action): action.kind
        }
    }

    /// Which of its kind, for what happens in a window.
    fileprivate var name: String? {
        switch self {
        case .entry: nil
        case .action(let action): action.name
        }
    }

    fileprivate var source: RouteSource {
        switch self {
        case .entry: .external
        case .action: .internal
        }
    }
}

extension AdmissionError {
    /// The reason with which a delivered push is rejected.
    fileprivate var reason: String {
        switch self {
        case .route(.malformed): "malformed"
        case .route(.unknownRoute): "unknownRoute"
        case .route(.validationFailed(let parameter, _)): "validationFailed: \(parameter)"
        case .notAssociated: "notAssociated"
        case .noAdapter: "noAdapter"
        default: description
        }
    }
}
