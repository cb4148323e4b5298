internal import Basics
internal import SceneRuntime
internal import StrictJSON
internal import Varlink

/// What the events and waiting calls of one user take, for `status` and `metrics`.
package struct UserUse: Hashable, Sendable {
    /// The user's number; empty for events that the daemon itself sent, and `others` for those that are not listed.
    package let user: String
    /// Bytes of events that wait or are being dispatched.
    package fileprivate(set) var waitingBytes = 0
    /// Bytes of events that are parked.
    package fileprivate(set) var parkedBytes = 0
    /// Bytes of receipts that are remembered.
    package fileprivate(set) var receiptBytes = 0
    /// Calls that wait: for an event, for quiet, or for a hold to catch something.
    package fileprivate(set) var waiters = 0
    /// Timers of such calls.
    package fileprivate(set) var timers = 0

    /// How many users are listed; the others are summed up in one line.
    private static let most = 32

    /// The users who take something, those who take the most bytes first.
    package static func all(of running: RunningHost) -> [UserUse] {
        let use = running.current.memoryUse
        var users: [String: UserUse] = [:]
        func change(_ user: String?, _ body: (inout UserUse) -> Void) {
            body(&users[user ?? "", default: UserUse(user: user ?? "")])
        }
        for (user, events) in use.eventsBySender {
            change(user) {
                ($0.waitingBytes, $0.parkedBytes, $0.receiptBytes) = (events.waiting, events.parked, events.remembered)
            }
        }
        for (user, count) in use.waitersBySender { change(user) { $0.waiters += count } }
        for wait in running.waits.all {
            change(wait.user) {
                $0.waiters += 1
                if wait.hasTimer { $0.timers += 1 }
            }
        }
        let ranked = users.values.sorted { ($0.bytes, $1.user) > ($1.bytes, $0.user) }
        guard ranked.count > most else { return ranked }
        var listed = Array(ranked.prefix(most - 1))
        var others = UserUse(user: "others")
        for user in ranked.dropFirst(most - 1) { others.add(user) }
        listed.append(others)
        return listed
    }

    private init(user: String) { self.user = user }

    private var bytes: Int { waitingBytes + parkedBytes + receiptBytes }

    private mutating func add(_ other: UserUse) {
        waitingBytes += other.waitingBytes
        parkedBytes += other.parkedBytes
        receiptBytes += other.receiptBytes
        waiters += other.waiters
        timers += other.timers
    }

    /// What it has, by name; without what it has none of.
    var counts: [String: Int] {
        [
            "waitingBytes": waitingBytes, "parkedBytes": parkedBytes, "receiptBytes": receiptBytes, "waiters": waiters,
            "timers": timers,
        ].filter { $0.value > 0 }
    }
}

extension MemoryUse {
    var json: JSONValue {
        [
            "waiting": .integer(events.waiting), "parked": .integer(events.parked),
            "receipts": .integer(events.remembered), "records": .integer(records), "windows": .integer(shown),
        ]
    }
}

/// The calls that wait for something other than an event, so that they can be counted.
package final class WaitingCalls: Sendable {
    struct Call {
        let user: String
        let hasTimer: Bool
    }

    private struct State {
        var calls: [Int: Call] = [:]
        var lastToken = 0
    }

    private let state = Guarded(State())

    var all: [Call] { state.withLock { Array($0.calls.values) } }

    /// Counts a call until it is answered or its client is gone.
    func count(_ request: VarlinkRequest, _ responder: VarlinkResponder, hasTimer: Bool) {
        let token = state.withLock { state in
            state.lastToken += 1
            state.calls[state.lastToken] = Call(user: request.sender, hasTimer: hasTimer)
            return state.lastToken
        }
        let end: @Sendable () -> Void = { [state] in state.withLock { $0.calls[token] = nil } }
        responder.onClose(end)
        responder.onAnswer { _ in end() }
        // It may be answered already.
        if !responder.isOpen { end() }
    }
}
