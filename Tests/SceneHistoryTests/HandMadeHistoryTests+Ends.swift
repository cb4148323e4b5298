import SceneHistory
import StrictJSON

/// What becomes of an event: intents, gates and ends.
extension HandMadeHistoryTests {
    static let endClauses: [Clause] = [
        Clause("an intent that is rejected although its plan was carried out", [.continuity]) { history in
            history = HandMade(format: 3)
            history.beginIntent()
            history.bubble()
            history.resolve(1)
            history.plan(1, [HandMade.push("product")])
            history.step(1, HandMade.push("product"), HandMade.window(home: ["home", "product"]))
            history.end(1, "rejected", because: "paymentMethod")
        },
        Clause("an event that is rejected for another reason than it was refused", [.continuity]) { history in
            history.admit()
            history.begin(1)
            history.resolve(1, "refused")
            history.end(1, "rejected", because: "paymentMethod")
        },
        Clause("nothing: an event that is rejected for the reason that refused it, or because its place is gone", []) {
            history in
            for reason in ["signedIn", "destinationGone"] {
                let ticket = history.admit()
                history.begin(ticket)
                history.resolve(ticket, "refused")
                history.end(ticket, "rejected", because: reason)
            }
        },
        Clause("a gesture that is rejected without having done anything", [.continuity]) { history in
            history.admit(source: "internal")
            history.begin(1)
            history.end(1, "rejected", because: "paymentMethod")
        },
        Clause("an event of nobody that is abandoned because a user has left", [.continuity]) { history in
            history.commit(user: "mina")
            history.admit()
            history.begin(1)
            history.commit(user: nil, leaves: true)
            history.end(1, "abandoned", because: "userLeft")
        },
        Clause("an act that is abandoned before its turn because its user has left", [.continuity]) { history in
            history.commit(user: "mina")
            history.admit(source: "internal")
            history.commit(user: nil, leaves: true)
            history.end(1, "abandoned", because: "userLeft")
        },
        Clause("an intent that is parked without a plan", [.continuity]) { history in
            let parked = history.park()
            history.admit(source: "internal", kind: "intent")
            history.begin(2)
            history.about(2, "intent.bubbled", ["name": "swipe", "chain": ["root"], "handler": "root"])
            history.resolve(2, "gated")
            history.gate(2, "gate.parked", ["flow": "auth"])
            history.end(2, "gated")
            for ticket in [parked, 2] { history.gate(ticket, "gate.abandoned", ["reason": "shutdown"]) }
        },
        Clause("a gesture that is delivered", [.continuity]) { history in
            history.admit(source: "internal")
            history.begin(1)
            history.end(1, "delivered")
        },
        Clause("a gesture that was made and ends unchanged", [.continuity]) { history in
            history.apply(HandMade.push("product"), HandMade.window(home: ["home", "product"]))
            history.admit(source: "internal")
            history.begin(2)
            history.step(2, ["name": "popTo", "tab": "home", "depth": 1], cause: "gesture", HandMade.window())
            history.end(2, "unchanged")
        },
        Clause("a gesture that is ignored for no reason that there is", [.continuity]) { history in
            history.admit(source: "internal")
            history.begin(1)
            history.about(1, "dispatch.ended", ["outcome": "ignored", "reason": "zzz"])
        },
        Clause("an intent that is ignored", [.continuity]) { history in
            history.beginIntent()
            history.bubble()
            history.about(1, "dispatch.ended", ["outcome": "ignored", "reason": "nothingToPop"])
        },
        Clause("a flow that is gone is no reason to reject what leads nowhere", [.continuity]) { history in
            history.admit(to: nil)
            history.begin(1)
            history.end(1, "rejected", because: "noSuchFlow")
        },
        Clause("an event is rejected as busy although nothing is parked", [.continuity]) { history in
            history.admit()
            history.begin(1)
            history.resolve(1)
            history.end(1, "rejected", because: "gateBusy")
        },
        Clause("nothing: an intent whose taker does nothing", []) { history in
            history.beginIntent()
            history.bubble()
            history.end(1, "delivered")
        },
        Clause("an intent that is handed up twice", [.continuity]) { history in
            history.beginIntent()
            history.bubble()
            history.bubble()
            history.end(1, "delivered")
        },
        Clause("an intent that is done without being handed up", [.continuity]) { history in
            history.beginIntent()
            history.end(1, "delivered")
        },
        Clause("an intent that moves before it is handed up", [.continuity]) { history in
            history.beginIntent()
            history.step(1, HandMade.push("product"), cause: "flow", HandMade.window(home: ["home", "product"]))
            history.bubble()
            history.end(1)
        },
        Clause("a gesture that is handed up", [.continuity]) { history in
            history.admit(source: "internal")
            history.begin(1)
            history.bubble()
            history.end(1, "delivered")
        },
        Clause("an intent that is parked before its flow is shown", [.completion, .continuity]) { history in
            history.admit()
            history.begin(1)
            history.resolve(1, "gated")
            history.plan(1, [HandMade.presentAuth])
            history.gate(1, "gate.parked", ["flow": "auth"])
        },
        Clause("an intent that is superseded before anything takes its place", [.continuity]) { history in
            let superseded = history.park()
            let next = history.admit()
            history.begin(next)
            history.resolve(next)
            history.plan(next, [["name": "dismissModals", "keeping": 0]])
            history.gate(superseded, "gate.superseded", ["by": .string("e\(next)")])
            history.step(next, ["name": "dismissModals", "keeping": 0], HandMade.window())
            history.detach("auth")
            history.end(next)
        },
        Clause("an intent that stays parked when a newer event has gone on", [.continuity]) { history in
            history.park()
            let next = history.admit()
            history.begin(next)
            history.resolve(next)
            history.plan(next, [HandMade.push("product")])
            history.step(next, HandMade.push("product"), HandMade.window(home: ["home", "product"], modals: ["auth"]))
            history.end(next)
        },
        Clause("an intent that stays parked when its user has left", [.continuity]) { history in
            history.commit(user: "mina", stale: ["signedIn"])
            history.park()
            history.commit(user: "theo", leaves: true, stale: ["signedIn"])
            history.admit()
            history.begin(2)
            history.resolve(2, "gated")
        },
        Clause("an intent whose flow has gone when something else begins", [.continuity]) { history in
            history.park()
            history.sweepAuth()
            history.admit()
            history.begin(2)
        },
        Clause("an intent that is resumed when its flow has gone", [.continuity]) { history in
            let parked = history.park()
            history.commit(user: "mina")
            history.sweepAuth()
            history.gate(parked, "gate.resumed")
        },
        Clause("an intent that is resumed though its gate was closed when a gesture took its flow away", [.continuity])
        {
            history in
            let parked = history.park()
            history.swipeAuth()
            history.commit(user: "mina")
            history.gate(parked, "gate.resumed")
        },
        Clause("an intent whose gate was open when a gesture took its flow away, until the next sweep", []) { history in
            let parked = history.park()
            history.commit(user: "mina")
            history.swipeAuth()
            history.gate(parked, "gate.resumed")
        },
        Clause("a second attempt that ends, of an event that has not begun", [.continuity]) { history in
            history.admit()
            history.end(1, attempt: 2, "abandoned", because: "shutdown")
        },
        Clause("intents that are resumed in another order", [.continuity]) { history in
            history.park()
            history.park(showing: false)
            history.commit(user: "mina")
            history.gate(2, "gate.resumed")
            history.gate(1, "gate.resumed")
        },
        Clause("an event that comes after the host had begun to stop", [.continuity]) { history in
            history.admit()
            history.end(1, "abandoned", because: "shutdown")
            history.admit()
        },
        Clause("an event that is abandoned with a flow for which it did not wait", [.continuity]) { history in
            history.admit()
            history.end(1, "abandoned", because: "flowCancelled")
        },
        Clause("a resume by a revision at which its gate was closed", [.continuity]) { history in
            let parked = history.park()
            history.commit(user: "mina")
            history.revision = 0
            history.gate(parked, "gate.resumed")
        },
        Clause("a begin of what was not admitted", [.ticketOrder, .outcomes]) { $0.begin(1) },
        Clause("an event without an outcome when all is quiet", [.outcomes, .completion]) { history in
            history.admit()
            history.add("host.quiet")
        },
        Clause("an attempt that ends gated and is not parked", [.outcomes]) { history in
            history.admit()
            history.begin(1)
            history.resolve(1, "gated")
            history.plan(1)
            history.end(1, "gated")
        },
        Clause("an attempt that ends gated and was never resolved", [.outcomes, .continuity]) { history in
            history.admit(source: "internal")
            history.begin(1)
            history.end(1, "gated")
        },
        Clause("an event that changes its name", [.outcomes]) { history in
            history.admit()
            history.about(1, "dispatch.began", snapshot: false, ["item": "dispatch", "event": "other"])
        },
        Clause("a resume that no gate opened for", [.resumes]) { history in
            let parked = history.park()
            history.begin(parked, attempt: 2)
        },
        Clause("nothing: a completed flow lets go on what its gate still stops", []) { history in
            let parked = history.park()
            history.gate(parked, "gate.resumed", ["flow": "auth"])
            history.sweepAuth()
            history.begin(parked, attempt: 2)
            history.resolve(parked, attempt: 2, "gated")
            history.end(parked, attempt: 2, "rejected")
        },
        Clause("a resume by another flow than the one waited for", [.resumes]) { history in
            let parked = history.park()
            history.gate(parked, "gate.resumed", ["flow": "addPayment"])
            history.sweepAuth()
            history.begin(parked, attempt: 2)
            history.resolve(parked, attempt: 2, "gated")
            history.end(parked, attempt: 2, "rejected")
        },
        Clause("nothing: an intent that nobody takes", []) { history in
            history.beginIntent()
            history.bubble(to: nil)
            history.end(1, "rejected", because: "unhandledIntent")
        },
        Clause("an intent that bubbles when it is not its turn", [.ticketOrder]) { history in
            history.admit(source: "internal", kind: "intent")
            history.bubble()
            history.begin(1)
            history.bubble()
            history.end(1, "delivered")
        },
        Clause("an intent that waits for what holds", [.quietScenes]) { history in
            history.park()
            history.commit(user: "mina")
            history.add("host.quiet")
        },
        Clause("an intent of a user who left", [.quietScenes]) { history in
            history.commit(user: "mina", stale: ["signedIn"])
            history.park()
            history.commit(user: nil, leaves: true)
            history.add("host.quiet")
        },
    ]
}
