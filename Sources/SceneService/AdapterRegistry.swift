internal import NIOCore
internal import SceneEntryPoints
internal import StrictJSON
internal import Basics
internal import Synchronization
internal import Varlink

/// The adapters that other processes have registered, and the questions that wait for their answers.
///
/// It sends nothing and calls nobody while its lock is held: either can close a connection, and that calls the registry.
final class AdapterRegistry: Sendable {
    /// The result of a question.
    enum Reply: Sendable {
        case answer(AdapterAnswer)
        /// The adapter is passed over, for this reason.
        case skipped(String)
    }

    /// Why an adapter was not registered.
    enum Refusal: Error {
        case nameTaken
        case tooMany(limit: Int)
    }

    /// Whether an answer was expected.
    enum Acceptance: Hashable {
        case accepted
        case unknownRegistration
        case unknownRequest
    }

    /// How many adapters may be registered.
    static let limit = 64
    /// How long an adapter that did not answer in time is passed over, unless it answers before.
    private static let rest = TimeAmount.seconds(1)

    private struct Question {
        let reply: @Sendable (Reply) -> Void
        var timer: Scheduled<Void>?
    }

    private struct Registration {
        let adapter: OutsideAdapter
        let kinds: Set<EntryKind>
        let timeoutMilliseconds: Int
        let owner: String
        let responder: VarlinkResponder
        /// Whether it has been told that it is registered, which must be the first message it gets.
        var isReady = false
        var questions: [Int: Question] = [:]
        var lastQuestion = 0
        var restsUntil: NIODeadline?
    }

    private struct State {
        var registrations: [String: Registration] = [:]
        var lastNumber = 0
    }

    private let state = Guarded(State())
    /// How many are registered. Every event reads this without the lock, and mostly it is zero.
    private let count = Atomic(0)

    var isEmpty: Bool { count.load(ordering: .relaxed) == 0 }

    // MARK: - Coming and going

    /// Registers an adapter. Its questions are sent to `responder`.
    ///
    /// - Parameter owner: The user who may answer.
    /// - Returns: The registration's ID. Pass it to ``ready(_:)`` once the adapter knows it.
    func register(
        name: String,
        kinds: Set<EntryKind>,
        priority: Int,
        timeoutMilliseconds: Int,
        owner: String,
        responder: VarlinkResponder
    ) throws(Refusal) -> String {
        let result: Result<String, Refusal> = state.withLock { state in
            guard !state.registrations.values.contains(where: { $0.adapter.name == name }) else {
                return .failure(.nameTaken)
            }
            guard state.registrations.count < Self.limit else { return .failure(.tooMany(limit: Self.limit)) }
            state.lastNumber += 1
            let id = "adapter-\(state.lastNumber)"
            state.registrations[id] = Registration(
                adapter: OutsideAdapter(number: state.lastNumber, name: name, priority: priority),
                kinds: kinds,
                timeoutMilliseconds: timeoutMilliseconds,
                owner: owner,
                responder: responder
            )
            count.store(state.registrations.count, ordering: .relaxed)
            return .success(id)
        }
        return try result.get()
    }

    /// Allows questions to the adapter from now on.
    func ready(_ registration: String) {
        state.withLock { $0.registrations[registration]?.isReady = true }
    }

    /// Removes an adapter that has gone. Events that wait for it go on without it.
    func remove(_ registration: String) {
        let questions = state.withLock { state in
            defer { count.store(state.registrations.count, ordering: .relaxed) }
            return state.registrations.removeValue(forKey: registration)?.questions ?? [:]
        }
        for question in questions.values {
            question.timer?.cancel()
            question.reply(.skipped("it has gone"))
        }
    }

    // MARK: - Asking

    /// The adapters to ask about an event of this kind.
    func adapters(for kind: EntryKind) -> [OutsideAdapter] {
        guard !isEmpty else { return [] }
        return state.withLock { state in
            state.registrations.values.filter { $0.isReady && $0.kinds.contains(kind) }.map(\.adapter)
        }
    }

    /// Asks an adapter and calls `reply` once, on any thread.
    func ask(
        _ adapter: OutsideAdapter,
        about event: EntryEvent,
        on eventLoop: any EventLoop,
        _ reply: @escaping @Sendable (Reply) -> Void
    ) {
        let id = "adapter-\(adapter.number)"
        let asked: (number: Int, milliseconds: Int, responder: VarlinkResponder)?
        let reason: String
        (asked, reason) = state.withLock { state in
            guard var registration = state.registrations[id] else { return (nil, "it has gone") }
            if let until = registration.restsUntil, .now() < until {
                return (nil, "it did not answer the last question in time")
            }
            registration.lastQuestion += 1
            registration.questions[registration.lastQuestion] = Question(reply: reply)
            state.registrations[id] = registration
            return ((registration.lastQuestion, registration.timeoutMilliseconds, registration.responder), "")
        }
        guard let (number, milliseconds, responder) = asked else { return reply(.skipped(reason)) }
        let timer = eventLoop.scheduleTask(in: .milliseconds(Int64(milliseconds))) {
            self.timeOut(id, number, milliseconds)
        }
        let isOpen = state.withLock { state in
            guard state.registrations[id]?.questions[number] != nil else { return false }
            state.registrations[id]?.questions[number]?.timer = timer
            return true
        }
        guard isOpen else { return timer.cancel() }
        // If this cannot be sent, the connection is closing, and that ends the wait.
        responder.send(
            [
                "registration": .string(id), "request": .integer(number), "kind": .string(event.kind.rawValue),
                "event": .object(event.json),
            ]
        )
    }

    private func timeOut(_ registration: String, _ number: Int, _ milliseconds: Int) {
        let question = state.withLock { state in
            let question = state.registrations[registration]?.questions.removeValue(forKey: number)
            if question != nil { state.registrations[registration]?.restsUntil = .now() + Self.rest }
            return question
        }
        question?.reply(.skipped("no answer within \(milliseconds) ms"))
    }

    // MARK: - Answering

    /// Takes an answer of this owner's adapter, or the reason why it is not a valid one.
    func answer(_ registration: String, _ number: Int, by owner: String, _ reply: Reply) -> Acceptance {
        let (question, acceptance): (Question?, Acceptance) = state.withLock { state in
            guard state.registrations[registration]?.owner == owner else { return (nil, .unknownRegistration) }
            state.registrations[registration]?.restsUntil = nil
            let question = state.registrations[registration]?.questions.removeValue(forKey: number)
            return (question, question == nil ? .unknownRequest : .accepted)
        }
        question?.timer?.cancel()
        question?.reply(reply)
        return acceptance
    }

    /// Every registered adapter, in the order asked.
    var listing: [(adapter: OutsideAdapter, kinds: Set<EntryKind>, timeoutMilliseconds: Int)] {
        state.withLock { state in
            state.registrations.values.filter(\.isReady)
                .sorted { ($1.adapter.priority, $0.adapter.number) < ($0.adapter.priority, $1.adapter.number) }
                .map { ($0.adapter, $0.kinds, $0.timeoutMilliseconds) }
        }
    }
}

extension AdapterRegistry {
    /// Asks one adapter after the other until one takes the event or none is left, then calls `finish` once, on the event
    /// loop.
    ///
    /// - Parameter onSkip: Called with each adapter that is passed over, and the reason.
    func inquire(
        _ inquiry: AdapterInquiry,
        on eventLoop: any EventLoop,
        onSkip: @escaping @Sendable (_ adapter: String, _ reason: String) -> Void = { _, _ in },
        _ finish: @escaping @Sendable (Result<Adaptation, EntryRefusal>) -> Void
    ) {
        var inquiry = inquiry
        switch inquiry.next() {
        case .ended(let result): finish(result)
        case .ask(let adapter):
            let waiting = inquiry
            ask(adapter, about: inquiry.event, on: eventLoop) { reply in
                eventLoop.execute {
                    var inquiry = waiting
                    switch reply {
                    case .answer(let answer): inquiry.answered(answer)
                    case .skipped(let reason):
                        inquiry.skipped(reason)
                        onSkip(adapter.name, reason)
                    }
                    self.inquire(inquiry, on: eventLoop, onSkip: onSkip, finish)
                }
            }
        }
    }
}
