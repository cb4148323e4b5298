internal import Basics
internal import DequeModule
internal import NIOCore
internal import SceneEntryPoints
internal import StrictJSON

extension AdapterRegistry {
    /// How long no other trial goes to an adapter that did not answer one in time, unless it answers before.
    private static let restFromTrials = TimeAmount.seconds(10)
    /// How long a trial waits for its turn.
    private static let patience = TimeAmount.seconds(2)
    /// The longest event, in bytes of JSON, that an adapter is tried with, so that it fills no connection.
    static let longestTrial = 32 << 10

    struct Trial {
        let event: JSONObject
        let kind: String
        let eventLoop: any EventLoop
        let isWanted: @Sendable () -> Bool
        let reply: @Sendable (Reply) -> Void
        var began = NIODeadline.uptimeNanoseconds(0)
        var timer: Scheduled<Void>?
    }

    /// The trials of one adapter. Their numbers are negative, so that an answer to one is never taken for one about an event.
    struct Trials {
        var byNumber: [Int: Trial] = [:]
        var waiting: Deque<Int> = []
        var underWay: Int?
        var lastNumber = 0
        /// No trial begins before.
        var pausesUntil = NIODeadline.uptimeNanoseconds(0)
        var wakesUp = false
        /// The trial that the adapter has not answered in time; nor has it given any other answer since.
        var late: Int?

        /// Whether it may still be busy with a trial.
        func isBusy(_ time: NIODeadline) -> Bool { underWay != nil || (late != nil && time < pausesUntil) }

        /// An answer shows that it is no longer busy with the trial that was late.
        mutating func noteAnswer(_ number: Int) {
            guard late != nil, number >= 0 || number == late else { return }
            late = nil
            pausesUntil = .uptimeNanoseconds(0)
        }
    }

    /// Tries an adapter when it has time, and calls `reply` once, on any thread.
    ///
    /// - Parameter isWanted: Whether somebody still waits for the reply. Asked when its turn comes.
    func attempt(
        _ adapter: OutsideAdapter,
        with event: EntryEvent,
        on eventLoop: any EventLoop,
        isWanted: @escaping @Sendable () -> Bool = { true },
        _ reply: @escaping @Sendable (Reply) -> Void
    ) {
        let id = Self.id(adapter)
        let json = event.json
        let bytes = JSONValue.object(json).text().utf8.count
        guard bytes <= Self.longestTrial else {
            return reply(
                .skipped(
                    "the event has \(bytes) bytes; adapters of other processes are tried with \(Self.longestTrial)"
                )
            )
        }
        let number: Int? = state.withLock { state in
            guard state.registrations[id] != nil else { return nil }
            state.registrations[id]?.trials.lastNumber -= 1
            return state.registrations[id]?.trials.lastNumber
        }
        guard let number else { return reply(.skipped("it has gone")) }
        let seconds = Self.patience.nanoseconds / 1_000_000_000
        let timer = eventLoop.scheduleTask(in: Self.patience) {
            // Its turn may come at the same moment.
            let reply = Reply.skipped("it had no time for a trial within \(seconds) s")
            _ = self.endTrial(number, of: id, reply, onlyIfWaiting: true)
        }
        let isThere = state.withLock { state in
            guard state.registrations[id] != nil else { return false }
            state.registrations[id]?.trials.byNumber[number] = Trial(
                event: json,
                kind: event.kind.rawValue,
                eventLoop: eventLoop,
                isWanted: isWanted,
                reply: reply,
                timer: timer
            )
            state.registrations[id]?.trials.waiting.append(number)
            return true
        }
        guard isThere else {
            timer.cancel()
            return reply(.skipped("it has gone"))
        }
        beginTrial(of: id)
    }

    private enum Turn {
        case none
        case ask(Int, Trial, Registration)
        case refuse(Int, reason: String)
        case wakeUp(any EventLoop, at: NIODeadline)
    }

    /// Asks about the next trial, if it is its turn.
    func beginTrial(of id: String) {
        while true {
            switch state.withLock({ Self.nextTurn(&$0.registrations[id]) }) {
            case .none: return
            case .refuse(let number, let reason): endTrial(number, of: id, .skipped(reason), beginsNext: false)
            case .wakeUp(let eventLoop, let time):
                eventLoop.scheduleTask(deadline: time) {
                    self.state.withLock { $0.registrations[id]?.trials.wakesUp = false }
                    self.beginTrial(of: id)
                }
                return
            case .ask(let number, let trial, let registration):
                trial.timer?.cancel()
                guard trial.isWanted(), registration.isReading() else {
                    let reason = trial.isWanted() ? "it does not read what it is asked" : "nobody waits for the answer"
                    endTrial(number, of: id, .skipped(reason), beginsNext: false)
                    continue
                }
                let timer = trial.eventLoop.scheduleTask(in: registration.timeout) {
                    _ = self.endTrial(
                        number,
                        of: id,
                        .skipped("no answer within \(registration.timeoutMilliseconds) ms"),
                        isLate: true
                    )
                }
                let isOpen = state.withLock { state in
                    guard state.registrations[id]?.trials.byNumber[number] != nil else { return false }
                    state.registrations[id]?.trials.byNumber[number]?.timer = timer
                    return true
                }
                guard isOpen else { return timer.cancel() }
                return registration.send(Self.question(id, number, trial.kind, trial.event))
            }
        }
    }

    private static func nextTurn(_ entry: inout Registration?) -> Turn {
        guard let registration = entry, let number = registration.trials.waiting.first,
            let trial = registration.trials.byNumber[number]
        else { return .none }
        let now = trial.eventLoop.now
        guard registration.trials.underWay == nil, registration.questions.isEmpty else { return .none }
        if registration.isResting(now) || registration.trials.isBusy(now) {
            return .refuse(number, reason: "it did not answer the last question in time")
        }
        guard registration.trials.pausesUntil <= now else {
            guard !registration.trials.wakesUp else { return .none }
            entry?.trials.wakesUp = true
            return .wakeUp(trial.eventLoop, at: registration.trials.pausesUntil)
        }
        entry?.trials.waiting.removeFirst()
        entry?.trials.underWay = number
        entry?.trials.late = nil
        entry?.trials.byNumber[number]?.began = now
        return .ask(number, trial, registration)
    }

    /// Ends a trial, if it has not ended yet.
    ///
    /// - Parameter onlyIfWaiting: Whether to leave it if the adapter has been asked.
    /// - Returns: Whether it had not.
    @discardableResult
    func endTrial(
        _ number: Int,
        of id: String,
        _ reply: Reply,
        isLate: Bool = false,
        onlyIfWaiting: Bool = false,
        beginsNext: Bool = true
    ) -> Bool {
        let trial = state.withLock { state -> Trial? in
            if onlyIfWaiting, state.registrations[id]?.trials.underWay == number { return nil }
            guard let trial = state.registrations[id]?.trials.byNumber.removeValue(forKey: number) else { return nil }
            if state.registrations[id]?.trials.underWay == number {
                let now = trial.eventLoop.now
                state.registrations[id]?.trials.underWay = nil
                state.registrations[id]?.trials.late = isLate ? number : nil
                state.registrations[id]?.trials.pausesUntil = now + (isLate ? Self.restFromTrials : now - trial.began)
            } else {
                state.registrations[id]?.trials.waiting.removeAll { $0 == number }
            }
            return trial
        }
        guard let trial else { return false }
        end([trial], reply)
        if beginsNext { beginTrial(of: id) }
        return true
    }

    func end(_ trials: [Trial], _ reply: Reply) {
        for trial in trials {
            trial.timer?.cancel()
            trial.reply(reply)
        }
    }
}
