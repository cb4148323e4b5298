internal import Basics
public import SceneEntryPoints
internal import StrictJSON
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
    /// - Parameters:
    ///   - submission: The event, with who sends it where.
    ///   - adaptation: What the adapters answered, if the caller has asked them already; `nil` asks those of the app.
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
        let (decision, admitted) = try admitting { () throws(AdmissionError) in
            try door.decide(submission, adaptation)
        } _: { decision, newest, directory throws(AdmissionError) in
            try enqueue(submission, content, decision, at: newest, in: &directory)
        }
        var admission = admitted
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
        try directory.withLock { directory throws(AdmissionError) in
            let identifier = event.targetContentIdentifier
            guard directory.choose(for: identifier, connected: false) == nil else { return }
            let configuration = try configuration(forEvent: [identifier])
            guard (try? checkOpening(nil, configuration: configuration.name, in: directory)) != nil else {
                throw noEligibleScene(for: [identifier])
            }
        }
        switch decision.work {
        case .navigate(let request, _):
            do throws(RouteError) {
                _ = try app.current.engine.resolve(request, context: routing(store.snapshot))
            } catch {
                let reason = app.current.reason(for: error)
                return rejected(as: reason) + (app.current.engine.personalConditions.contains(reason) ? locks : "")
            }
            return "goes to \(request.destination), by the adapter \(decision.adapter ?? "")\(locks)"
        case .reject(let reason): return rejected(as: reason)
        case .handled: return "is delivered: the adapter \(decision.adapter ?? "") has handled it"
        case .deliver, .perform, .hear, .bubble, .gesture, .finish: return "is delivered, and nothing navigates"
        }
    }

    private func rejected(as reason: String) -> String {
        let locked = lockedWindows
        let fallback = app.current.manifest.fallback.map { fallback in
            ", and the fallback \(fallback) is shown"
                + (locked.isEmpty ? "" : ", but in a window that is locked (\(locked.joined(separator: ", ")))")
        }
        return "is admitted and ends rejected as \(reason)\(fallback ?? "")"
    }

    private var lockedWindows: [String] { scenes.filter { $0.isLocked && $0.isConnected }.map(\.id) }

    /// Where an event waits for the lock before anything else, as the end of a clause; empty if it does nowhere.
    private var locks: String {
        let engine = app.current.engine
        guard let flow = engine.lockFlow?.name else { return "" }
        let locked = lockedWindows
        // A window that opens, or is brought back, begins locked.
        let windows =
            (locked.isEmpty ? [] : ["locked (\(locked.joined(separator: ", ")))"])
            + (engine.locks(context: routing(store.snapshot)) ? ["opened for it"] : [])
        return windows.isEmpty
            ? "" : "; in a window that is \(windows.joined(separator: " or ")), it is gated by \(flow) first"
    }
}

extension Submission {
    /// A hash of the parts in which two submissions of the same event agree.
    fileprivate var contentHash: UInt64 {
        let content: JSONValue =
            switch event {
            case .entry(let event): .array([.string(event.kind.rawValue), .object(event.json)])
            case .action(let action): action.content
            }
        return JSONValue.array([content, .text(scene)]).contentHash
    }
}

extension SceneAction {
    /// Everything that two submissions of the same action have in common.
    fileprivate var content: JSONValue {
        JSONText.value { json in
            json.object { json in
                json.member("kind", kind)
                json.member("name", name)
                write(to: &json)
            }
        }
    }
}

extension JSONValue {
    /// A text, or `null`.
    static func text(_ text: String?) -> JSONValue { text.map { .string($0) } ?? .null }
}
