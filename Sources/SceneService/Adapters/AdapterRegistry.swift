internal import NIOCore
internal import SceneEntryPoints
internal import StrictJSON
internal import Locking
internal import Synchronization
internal import Varlink

/// The adapters that other processes have registered, and the questions that wait for their answers.
///
/// Nothing is sent, and nobody is told anything, while its lock is held: either can close a connection, which comes back
/// here.
final class AdapterRegistry: Sendable {
    /// What came of a question.
    enum Reply: Sendable {
        case answer(AdapterAnswer)
        /// It is not waited for, for this reason.
        case skipped(String)
    }

    /// Why an adapter was not registered.
    enum Refusal: Error {
        case nameTaken
        case tooMany(limit: Int)
    }

    /// Whether somebody waited for an answer.
    enum Acceptance: Hashable {
        case accepted
        case unknownRegistration
        case unknownRequest
    }

    /// How many may be registered.
    static let limit = 64
    /// How long an adapter that did not answer in time is left out, unless it answers before.
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
        /// Whether it has been told that it is registered: it must hear that first.
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
    /// Read without the lock by every event, of which most meet no adapter.
    private let count = Atomic(0)

    var isEmpty: Bool { count.load(ordering: .relaxed) == 0 }

    // MARK: - Coming and going

    /// Registers an adapter; its questions go to `responder`.
    ///
    /// - Parameter owner: Who may answer.
    /// - Returns: The registration's ID, to be passed to ``ready(_:)`` once the adapter knows it.
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

    /// The adapter may be asked from now on.
    func ready(_ registration: String) {
        state.withLock { $0.registrations[registration]?.isReady = true }
    }

    /// The adapter has gone: whoever waits for it goes on.
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

    /// Those to be asked about an event of this kind.
    func adapters(for kind: EntryKind) -> [OutsideAdapter] {
        guard !isEmpty else { return [] }
        return state.withLock { state in
            state.registrations.values.filter { $0.isReady && $0.kinds.contains(kind) }.map(\.adapter)
        }
    }

    /// Asks an adapter and says once what came of it, on any thread.
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
                return (nil, "it did not answer in time before, and rests")
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
        // If nobody hears it the connection is closing, and its closing says so to whoever waits.
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

    /// Takes an answer of this owner's adapter, or why it is none.
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

    /// Every adapter here, in the order asked.
    var listing: [(adapter: OutsideAdapter, kinds: Set<EntryKind>, timeoutMilliseconds: Int)] {
        state.withLock { state in
            state.registrations.values.filter(\.isReady)
                .sorted { ($1.adapter.priority, $0.adapter.number) < ($0.adapter.priority, $1.adapter.number) }
                .map { ($0.adapter, $0.kinds, $0.timeoutMilliseconds) }
        }
    }
}
