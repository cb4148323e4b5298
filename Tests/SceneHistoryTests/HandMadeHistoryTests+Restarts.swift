import SceneHistory
import StrictJSON

/// What a host may do after it has gone on, and what not.
extension HandMadeHistoryTests {
    static let restartClauses: [Clause] = [
        Clause("nothing: an attempt that was going on begins again", []) { history in
            history.breakOff()
            history.beginAgain(1, attempt: 2)
            history.showProduct(1, attempt: 2)
        },
        Clause("nothing: the host ends in the middle of that, too", []) { history in
            history.breakOff()
            history.beginAgain(1, attempt: 2)
            history.goOn(again: [(1, 2)], waiting: [1])
            history.goOn(again: [(1, 2)], waiting: [1])
            history.beginAgain(1, attempt: 3)
            history.showProduct(1, attempt: 3)
        },
        Clause("an attempt that was going on begins as the same", [.continuity]) { history in
            history.breakOff()
            history.begin(1)
            history.showProduct(1, attempt: 1)
        },
        Clause("the attempt after it is left out", [.continuity]) { history in
            history.breakOff()
            history.beginAgain(1, attempt: 3)
            history.showProduct(1, attempt: 3)
        },
        Clause("what was never parked is resumed", [.continuity, .resumes]) { history in
            history.breakOff()
            history.beginAgain(1, attempt: 2, as: "resume")
            history.showProduct(1, attempt: 2)
        },
        Clause("what was going on never begins again", [.outcomes, .completion]) { history in
            history.breakOff()
            history.add("host.quiet")
        },
        Clause("another event begins before what was going on", [.ticketOrder]) { history in
            history.admit()
            history.admit()
            history.begin(1)
            history.goOn(again: [(1, 1)], waiting: [1, 2])
            history.begin(2)
            history.end(2, "abandoned", because: "shutdown")
            history.beginAgain(1, attempt: 2)
            history.end(1, attempt: 2, "abandoned", because: "shutdown")
        },
        Clause("an attempt ends that was going on, and ends again", [.ticketOrder, .outcomes]) { history in
            history.admit(to: nil)
            history.begin(1)
            history.end(1, "delivered")
            history.goOn()
            history.end(1, "delivered")
        },
        Clause("a step of before goes on", [.ticketOrder, .outcomes]) { history in
            history.admit()
            history.begin(1)
            history.showProduct(1, attempt: 1)
            history.goOn(window: HandMade.window(home: ["home", "product"]))
            history.step(
                1,
                HandMade.push("product"),
                HandMade.window(home: ["home", "product", "product"])
            )
        },
        Clause("nothing: a resume that was going on waits at its gate", []) { history in
            history.breakOffResume()
            history.gate(1, attempt: 2, "gate.resumed")
            history.begin(1, attempt: 3)
            history.resolve(1, attempt: 3)
            history.plan(1, attempt: 3, [HandMade.push("cart")])
            history.step(1, attempt: 3, HandMade.push("cart"), HandMade.window(home: ["home", "cart"]))
            history.end(1, attempt: 3)
        },
        Clause("nothing: a resume that was going on is stopped again, by its gate, which has closed meanwhile", []) {
            history in
            history.breakOffResume()
            history.commit(user: nil, leaves: true)
            history.gate(1, attempt: 2, "gate.resumed")
            history.begin(1, attempt: 3)
            history.stopAtGate(1, attempt: 3)
        },
        Clause("nothing: the host ends before the attempt of what was resumed begins", []) { history in
            history.park()
            history.commit(user: "mina")
            history.gate(1, "gate.resumed")
            history.sweepAuth()
            history.goOn(parked: [(1, 1)])
            history.commit(user: nil, leaves: true)
            history.gate(1, "gate.resumed")
            history.begin(1, attempt: 2)
            history.stopAtGate(1, attempt: 2)
        },
        Clause("what was parked is resumed though its gate is closed", [.resumes]) { history in
            history.park()
            history.goOn(parked: [(1, 1)], flow: "auth", window: HandMade.window(modals: ["auth"]))
            history.gate(1, "gate.resumed")
            history.begin(1, attempt: 2)
            history.end(1, attempt: 2, "abandoned", because: "shutdown")
        },
        Clause("nothing: an event is given up after five attempts", []) { history in
            history.interrupt(times: 5)
            history.end(1, attempt: 6, "abandoned", because: "attemptsInterrupted")
        },
        Clause("an event is given up after four attempts", [.continuity]) { history in
            history.interrupt(times: 4)
            history.end(1, attempt: 5, "abandoned", because: "attemptsInterrupted")
        },
        Clause("an event is given up that never began again", [.continuity]) { history in
            history.admit()
            history.begin(1)
            history.end(1, "abandoned", because: "attemptsInterrupted")
        },
        Clause("an event goes on after five attempts", [.continuity]) { history in
            history.interrupt(times: 5)
            history.showProduct(1, attempt: 6)
        },
        Clause("an event is given up, and its last attempt does something", [.continuity]) { history in
            history.interrupt(times: 5)
            history.resolve(1, attempt: 6)
            history.end(1, attempt: 6, "abandoned", because: "attemptsInterrupted")
        },
        Clause("a resume that was going on begins again at once", [.resumes]) { history in
            history.breakOffResume()
            history.begin(1, attempt: 3)
            history.end(1, attempt: 3, "abandoned", because: "shutdown")
        },
        Clause("a resume that was going on has its number again", [.resumes, .continuity]) { history in
            history.breakOffResume()
            history.gate(1, attempt: 2, "gate.resumed")
            history.begin(1, attempt: 2)
            history.end(1, attempt: 2, "rejected", because: "contended")
        },
        Clause("nothing: what an attempt has committed is there for the next", []) { history in
            history.breakOffCommit(facts: ["x": 1])
            history.beginAgain(1, attempt: 2)
            history.end(1, attempt: 2, "delivered")
        },
        Clause("nothing: the next attempt commits more", []) { history in
            history.breakOffCommit(facts: ["x": 1])
            history.beginAgain(1, attempt: 2)
            history.commit(by: 1, user: "mina", facts: ["y": 1])
            history.end(1, attempt: 2, "delivered")
        },
        Clause("what an attempt has committed is committed again, and changes nothing", [.continuity]) { history in
            history.breakOffCommit(facts: [:])
            history.beginAgain(1, attempt: 2)
            history.commit(by: 1, user: "mina")
            history.end(1, attempt: 2, "delivered")
        },
        Clause("what an attempt has committed is committed again, and undoes what came after it", [.continuity]) {
            history in
            history.breakOffCommit(facts: ["x": 1])
            history.commit(user: "mina", facts: ["x": 2])
            history.beginAgain(1, attempt: 2)
            history.commit(by: 1, user: "mina", facts: ["x": 1])
            history.end(1, attempt: 2, "delivered")
        },
        Clause("nothing: what a hold has stopped is never let go", []) { history in
            history.admit()
            history.begin(1)
            history.about(1, "hold.caught", snapshot: false, ["hold": "h1", "point": "resolved", "item": "dispatch"])
            history.goOn(again: [(1, 1)], waiting: [1])
            history.beginAgain(1, attempt: 2)
            history.showProduct(1, attempt: 2)
        },
        Clause("a hold of before lets something go", [.continuity]) { history in
            history.admit()
            history.begin(1)
            history.about(1, "hold.caught", snapshot: false, ["hold": "h1", "point": "resolved", "item": "dispatch"])
            history.goOn(again: [(1, 1)], waiting: [1])
            history.about(1, "hold.released", snapshot: false, ["hold": "h1"])
            history.beginAgain(1, attempt: 2)
            history.showProduct(1, attempt: 2)
        },
        Clause("nothing: connections are numbered anew", []) { history in
            history.finish(history.admit(connection: 1, call: 9))
            history.goOn()
            history.finish(history.admit(connection: 1, call: 1))
        },
        Clause("a set of which only some are left", [.ticketOrder]) { history in
            history.admit(call: 90, set: (1, 2, 1))
            history.goOn(waiting: [1])
            history.finish(1)
        },
        Clause("a host that had stopped goes on", [.continuity]) { history in
            history.add("host.stopped")
            history.goOn()
        },
    ]
}

extension HandMade {
    /// A history that goes on in the middle of an attempt, and of a resume.
    static var goingOn: HandMade {
        var history = HandMade(format: 6)
        history.breakOffResume()
        return history
    }

    /// An attempt that has pushed a screen when the host ends.
    fileprivate mutating func breakOff() {
        admit()
        begin(1)
        resolve(1)
        plan(1, [Self.push("product")])
        step(1, Self.push("product"), Self.window(home: ["home", "product"]))
        goOn(again: [(1, 1)], waiting: [1])
    }

    /// A resume that has begun when the host ends.
    fileprivate mutating func breakOffResume() {
        park()
        commit(user: "mina")
        gate(1, "gate.resumed")
        sweepAuth()
        begin(1, attempt: 2)
        goOn(again: [(1, 2)], parked: [(1, 2)])
    }

    /// A flow's result that has been committed when the host ends.
    fileprivate mutating func breakOffCommit(facts: JSONObject) {
        admit(source: "internal", kind: "flow")
        begin(1)
        commit(by: 1, user: "mina", facts: facts)
        goOn(again: [(1, 1)], waiting: [1])
    }

    /// An attempt begins again as often as the host ends in it.
    fileprivate mutating func interrupt(times: Int) {
        admit()
        begin(1)
        for attempt in 1...times {
            goOn(again: [(1, attempt)], waiting: [1])
            beginAgain(1, attempt: attempt + 1)
        }
    }

    /// An attempt is stopped by `signedIn`, whose flow is shown.
    fileprivate mutating func stopAtGate(_ ticket: Int, attempt: Int) {
        resolve(ticket, attempt: attempt, "gated")
        plan(ticket, attempt: attempt, [Self.presentAuth])
        attach("auth", parent: "home")
        step(ticket, attempt: attempt, Self.presentAuth, cause: "flow", Self.window(modals: ["auth"]))
        gate(ticket, attempt: attempt, "gate.parked", ["flow": "auth"])
        end(ticket, attempt: attempt, "gated")
    }

    fileprivate mutating func beginAgain(_ ticket: Int, attempt: Int, as item: JSONValue = "dispatch") {
        about(ticket, "dispatch.began", attempt: attempt, snapshot: false, ["item": item])
    }

    /// An attempt pushes a screen and ends.
    fileprivate mutating func showProduct(_ ticket: Int, attempt: Int) {
        resolve(ticket, attempt: attempt)
        plan(ticket, attempt: attempt, [Self.push("product")])
        step(ticket, attempt: attempt, Self.push("product"), Self.window(home: ["home", "product"]))
        end(ticket, attempt: attempt)
    }
}
