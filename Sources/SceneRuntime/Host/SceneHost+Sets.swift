internal import Basics
public import SceneEntryPoints
internal import SceneNavigation
internal import StrictJSON

// Several URLs in one delivery (<doc:WayOfAnEvent#Several-URLs-at-once>).
extension SceneHost {
    /// Admits a set of URLs, each as an event of its own: one scene takes them all, with consecutive tickets, in an order that the
    /// sender cannot count on. Either all are admitted or none.
    ///
    /// It is synchronous, so nothing of another delivery comes between them.
    /// - Parameters:
    ///   - submission: The URLs, with who sends them where.
    ///   - adaptations: What the adapters answered for each URL, as given, if the caller has asked them already; `nil` asks
    ///     those of the app.
    /// - Returns: The admission of each URL, as given; with ``Receipt/isDuplicate`` if the same set had been admitted before.
    /// - Throws: ``AdmissionError``; nothing has a ticket then.
    public func admit(
        _ submission: SetSubmission,
        adaptations: [Result<Adaptation, EntryRefusal>]? = nil
    ) throws(AdmissionError) -> [Admission] {
        try Self.check(order: submission.order, of: submission.urls)
        let contents = submission.contentHashes
        if let repeated = try repeated(submission, contents) { return repeated }
        let members = submission.urls.events.indices.map(submission.member)
        let (decisions, admitted) = try admitting { () throws(AdmissionError) in
            var decisions: [EventDoor.Decision] = []
            for (index, member) in members.enumerated() {
                do throws(AdmissionError) {
                    decisions.append(try door.decide(member, adaptations?[index]))
                } catch {
                    throw .member(place: index + 1, url: submission.url(index), error)
                }
            }
            return decisions
        } _: { decisions, newest, directory throws(AdmissionError) in
            try enqueue(submission, members, contents, decisions, at: newest, in: &directory)
        }
        var admissions = admitted
        for index in admissions.indices { admissions[index].warnings = decisions[index].warnings }
        return admissions
    }

    /// The admissions of a set that was sent before under the same ID, or `nil` for a new one. A caller that asks adapters itself
    /// calls this first.
    /// - Throws: ``AdmissionError`` if the set cannot be admitted whatever the adapters answer.
    public func repeated(_ submission: SetSubmission) throws(AdmissionError) -> [Admission]? {
        try repeated(submission, submission.contentHashes)
    }

    private func repeated(_ submission: SetSubmission, _ contents: [UInt64]) throws(AdmissionError) -> [Admission]? {
        guard let id = submission.eventID else { return nil }
        try Self.check(eventID: id, ofSetOf: contents.count)
        var known: [Admission] = []
        var forgotten: String?
        for (index, content) in contents.enumerated() {
            let key = EventKey(sender: submission.sender, id: SetSubmission.eventID(id, index + 1))
            if let admission = try lookUp(key, content) {
                known.append(admission)
            } else {
                forgotten = forgotten ?? key.id
            }
        }
        if known.isEmpty { return nil }
        // To admit the others again would do twice what was to be done once.
        if let forgotten { throw .forgotten(event: forgotten) }
        return known
    }

    private func enqueue(
        _ submission: SetSubmission,
        _ members: [Submission],
        _ contents: [UInt64],
        _ decisions: [EventDoor.Decision],
        at newest: SessionSnapshot,
        in directory: inout SceneDirectory
    ) throws(AdmissionError) -> [Admission] {
        guard !directory.isDraining else { throw .draining }
        // Look again under the lock, because two connections may have sent the same set at once.
        if let repeated = try repeated(submission, contents) { return repeated }
        let count = members.count
        // No scene is opened for what would find no room in it.
        guard count <= settings.mailboxCapacity else {
            throw .queueFull(scene: submission.scene, limit: settings.mailboxCapacity)
        }
        let sender = submission.sender
        let bytes = decisions.reduce(0) { $0 + $1.work.footprint }
        try ledger.reserve(bytes, sender: sender, isInside: false)
        do throws(AdmissionError) {
            let receiver = try chooseScene(for: submission, at: newest, in: &directory)
            let scene = receiver.entry.scene
            guard scene.published.parkedCount(of: sender) + count <= settings.mailboxCapacity else {
                throw .queueFull(scene: scene.id, limit: settings.mailboxCapacity)
            }
            let order = submission.order?.map { $0 - 1 } ?? chance.withLock { $0.order(of: count) }
            let delivery: EventDelivery = receiver.choice == .new || !receiver.entry.willBeConnected ? .cold : .warm
            var admissions: [Admission?] = Array(repeating: nil, count: count)
            var place = 0
            let areAdmitted = scene.mailbox.admit(count, from: sender) { ticket in
                let index = order[place]
                place += 1
                activity.began(scene.id)
                scene.life.expectForeground()
                let incoming = incoming(
                    members[index],
                    contents[index],
                    decisions[index],
                    Record.SetPlace(place: place, count: count, given: index + 1)
                )
                let (admission, event) = open(incoming, ticket, in: scene.id, receiver.choice, delivery, at: newest)
                admissions[index] = admission
                return event
            }
            guard areAdmitted else { throw .queueFull(scene: scene.id, limit: settings.mailboxCapacity) }
            if !receiver.entry.willBeConnected { directory.setWillBeConnected(true, scene.id) }
            return admissions.compactMap(\.self)
        } catch {
            ledger.cancel(bytes, sender: sender)
            throw error
        }
    }

    private func incoming(
        _ member: Submission,
        _ content: UInt64,
        _ decision: EventDoor.Decision,
        _ place: Record.SetPlace
    ) -> Incoming {
        Incoming(
            key: EventKey(
                sender: member.sender,
                id: member.eventID ?? ledger.makeID(sender: member.sender)
            ),
            isKeyMade: member.eventID == nil,
            contentHash: content,
            kind: member.event.kind,
            source: member.event.source,
            options: member.event.connectionOptions,
            place: place,
            connection: member.connection,
            call: member.call,
            adapter: decision.adapter,
            work: decision.work
        )
    }

    /// The one scene that takes a set, and why it.
    private func chooseScene(
        for submission: SetSubmission,
        at newest: SessionSnapshot,
        in directory: inout SceneDirectory
    ) throws(AdmissionError) -> (entry: SceneDirectory.Entry, choice: SceneChoice) {
        if let id = submission.scene {
            guard let entry = directory.entries[id] else { throw .unknownScene(id) }
            return (entry, .named)
        }
        let identifiers = submission.urls.events.compactMap(\.targetContentIdentifier)
        if let found = directory.choose(forAll: identifiers) { return found }
        return (try openForEvent(identifiers, at: newest, in: &directory), .new)
    }

    /// The ID of a set is a name, and so is each that its events have from it.
    private static func check(eventID id: String, ofSetOf count: Int) throws(AdmissionError) {
        try check(eventID: id)
        let last = SetSubmission.eventID(id, count)
        guard !NameRule.allows(last) else { return }
        let (size, suffix) = (last.utf8.count, last.utf8.count - id.utf8.count)
        let most = NameRule.length.upperBound - suffix
        throw .invalidEventID(
            reason: "has \(id.utf8.count) bytes, and with '/\(count)', as the last event of the set has it, \(size); "
                + "expected at most \(most) for a set of \(count) URLs"
        )
    }

    private static func check(order: [Int]?, of urls: URLSet) throws(AdmissionError) {
        guard let order, order.sorted() != Array(1...urls.events.count) else { return }
        throw .invalid("order", "expected each of the numbers 1 to \(urls.events.count) once")
    }
}

extension SetSubmission {
    /// For each URL, a hash of the parts in which two submissions of the same set agree. The order is not among them: only the
    /// first submission can say it.
    fileprivate var contentHashes: [UInt64] {
        let all = JSONValue.array(urls.events.map { .object($0.json) }).contentHash
        return urls.events.indices.map { index in
            JSONValue.array([.integer(Int(truncatingIfNeeded: all)), .integer(index), .text(scene)]).contentHash
        }
    }

    fileprivate func url(_ index: Int) -> String { urls.events[index].targetContentIdentifier ?? "" }
}

extension SplitMix {
    /// A random order of the numbers from 0 to below `count`, each as likely as any other (Fisher and Yates, as Durstenfeld has it:
    /// Algorithm 235, 1964).
    fileprivate mutating func order(of count: Int) -> [Int] {
        var order = Array(0..<count)
        for last in stride(from: count - 1, to: 0, by: -1) { order.swapAt(last, below(last + 1)) }
        return order
    }
}
