internal import Basics
internal import NIOCore
internal import SceneEntryPoints
internal import StrictJSON
internal import Synchronization

/// The adapters that other processes have registered, and the questions that wait for their answers.
///
/// Questions are about events or about trials. Events go first: a trial is asked only while no event waits for the adapter,
/// one at a time, with a pause as long as it took; and nothing that becomes of a trial changes how events are treated. An
/// event that is asked about while a trial is under way has the rest of that trial's time in addition to its own.
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

    struct Question {
        let reply: @Sendable (Reply) -> Void
        let due: NIODeadline
        var timer: Scheduled<Void>?
    }

    struct Registration {
        let adapter: OutsideAdapter
        let kinds: Set<EntryKind>
        let timeoutMilliseconds: Int
        let owner: String
        let send: @Sendable (JSONObject) -> Void
        let isReading: @Sendable () -> Bool
        /// Whether it has been told that it is registered, which must be the first message it gets.
        var isReady = false
        var questions: [Int: Question] = [:]
        var lastQuestion = 0
        var restsUntil: NIODeadline?
        var trials = Trials()

        var timeout: TimeAmount { .milliseconds(Int64(timeoutMilliseconds)) }
        func isResting(_ now: NIODeadline) -> Bool { restsUntil.map { now < $0 } ?? false }
    }

    struct State {
        var registrations: [String: Registration] = [:]
        var lastNumber = 0
    }

    let state = Guarded(State())
    /// Where the adapters of this process are asked; `nil` asks them on the event loop.
    let ownQueue: AdapterQueue?
    /// How many are registered. Every event reads this without the lock, and mostly it is zero.
    private let count = Atomic(0)

    var isEmpty: Bool { count.load(ordering: .relaxed) == 0 }

    init(ownQueue: AdapterQueue? = nil) { self.ownQueue = ownQueue }

    // MARK: - Coming and going

    /// Registers an adapter.
    ///
    /// - Parameters:
    ///   - owner: The user who may answer.
    ///   - send: Sends it a question. If that is not possible the connection is closing, and ``remove(_:)`` follows.
    ///   - isReading: Whether it reads what it is sent.
    /// - Returns: The registration's ID. Pass it to ``ready(_:)`` once the adapter knows it.
    func register(
        name: String,
        kinds: Set<EntryKind>,
        priority: Int,
        timeoutMilliseconds: Int,
        owner: String,
        send: @escaping @Sendable (JSONObject) -> Void,
        isReading: @escaping @Sendable () -> Bool
    ) throws(Refusal) -> String {
        let result: Result<String, Refusal> = state.withLock { state in
            guard !state.registrations.values.contains(where: { $0.adapter.name == name }) else {
                return .failure(.nameTaken)
            }
            guard state.registrations.count < Self.limit else { return .failure(.tooMany(limit: Self.limit)) }
            state.lastNumber += 1
            let adapter = OutsideAdapter(number: state.lastNumber, name: name, priority: priority)
            state.registrations[Self.id(adapter)] = Registration(
                adapter: adapter,
                kinds: kinds,
                timeoutMilliseconds: timeoutMilliseconds,
                owner: owner,
                send: send,
                isReading: isReading
            )
            count.store(state.registrations.count, ordering: .relaxed)
            return .success(Self.id(adapter))
        }
        return try result.get()
    }

    static func id(_ adapter: OutsideAdapter) -> String { "adapter-\(adapter.number)" }

    /// Allows questions to the adapter from now on.
    func ready(_ registration: String) {
        state.withLock { $0.registrations[registration]?.isReady = true }
    }

    /// Removes an adapter that has gone. Events that wait for it go on without it.
    func remove(_ registration: String) {
        let removed = state.withLock { state in
            defer { count.store(state.registrations.count, ordering: .relaxed) }
            return state.registrations.removeValue(forKey: registration)
        }
        for question in removed?.questions.values.map({ $0 }) ?? [] {
            question.timer?.cancel()
            question.reply(.skipped("it has gone"))
        }
        end(removed?.trials.byNumber.values.map { $0 } ?? [], .skipped("it has gone"))
    }

    // MARK: - Asking about events

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
        let id = Self.id(adapter)
        let now = eventLoop.now
        let asked: (number: Int, wait: TimeAmount, send: @Sendable (JSONObject) -> Void)?
        let reason: String
        (asked, reason) = state.withLock { state in
            guard var registration = state.registrations[id] else { return (nil, "it has gone") }
            guard !registration.isResting(now) else { return (nil, "it did not answer the last question in time") }
            registration.lastQuestion += 1
            let due = now + registration.timeout
            registration.questions[registration.lastQuestion] = Question(reply: reply, due: due)
            state.registrations[id] = registration
            let trial = registration.trials.underWay.flatMap { registration.trials.byNumber[$0] }
            let trialEnds = trial.map { max($0.began + registration.timeout, now) } ?? now
            return ((registration.lastQuestion, due + (trialEnds - now) - now, registration.send), "")
        }
        guard let (number, wait, send) = asked else { return reply(.skipped(reason)) }
        let timer = eventLoop.scheduleTask(in: wait) { self.timeOut(id, number) }
        let isOpen = state.withLock { state in
            guard state.registrations[id]?.questions[number] != nil else { return false }
            state.registrations[id]?.questions[number]?.timer = timer
            return true
        }
        guard isOpen else { return timer.cancel() }
        send(Self.question(id, number, event.kind.rawValue, event.json))
    }

    static func question(_ id: String, _ number: Int, _ kind: String, _ event: JSONObject) -> JSONObject {
        ["registration": .string(id), "request": .integer(number), "kind": .string(kind), "event": .object(event)]
    }

    private func timeOut(_ registration: String, _ number: Int) {
        let (question, milliseconds): (Question?, Int) = state.withLock { state in
            guard var entry = state.registrations[registration] else { return (nil, 0) }
            let question = entry.questions.removeValue(forKey: number)
            // While it may be busy with a trial, that may be why.
            if let question, !entry.trials.isBusy(question.due) {
                entry.restsUntil = max(entry.restsUntil ?? question.due, question.due + Self.rest)
            }
            state.registrations[registration] = entry
            return (question, entry.timeoutMilliseconds)
        }
        question?.reply(.skipped("no answer within \(milliseconds) ms"))
        beginTrial(of: registration)
    }

    // MARK: - Answering

    /// Takes an answer of this owner's adapter, or the reason why it is not a valid one.
    func answer(_ registration: String, _ number: Int, by owner: String, _ reply: Reply) -> Acceptance {
        let (question, isOwner): (Question?, Bool) = state.withLock { state in
            guard var entry = state.registrations[registration], entry.owner == owner else { return (nil, false) }
            defer { state.registrations[registration] = entry }
            entry.trials.noteAnswer(number)
            guard number >= 0 else { return (nil, true) }
            entry.restsUntil = nil
            return (entry.questions.removeValue(forKey: number), true)
        }
        guard isOwner else { return .unknownRegistration }
        if number < 0 { return endTrial(number, of: registration, reply) ? .accepted : .unknownRequest }
        question?.timer?.cancel()
        question?.reply(reply)
        beginTrial(of: registration)
        return question == nil ? .unknownRequest : .accepted
    }

    /// Every registered adapter, in the order asked.
    var listing: [(adapter: OutsideAdapter, kinds: Set<EntryKind>, timeoutMilliseconds: Int)] {
        state.withLock { state in
            state.registrations.values.filter(\.isReady)
                .sorted { ($1.adapter.priority, $0.adapter.number) < ($0.adapter.priority, $1.adapter.number) }
                .map { ($0.adapter, $0.kinds, $0.timeoutMilliseconds) }
        }
    }

    /// What decides how events are treated, for a comparison: nothing of it depends on trials.
    struct ServingState: Hashable {
        let isReady: Bool
        let questions: Set<Int>
        let lastQuestion: Int
        let restsUntil: NIODeadline?
    }

    func servingState(_ registration: String) -> ServingState? {
        state.withLock { state in
            state.registrations[registration].map {
                ServingState(
                    isReady: $0.isReady,
                    questions: Set($0.questions.keys),
                    lastQuestion: $0.lastQuestion,
                    restsUntil: $0.restsUntil
                )
            }
        }
    }
}
