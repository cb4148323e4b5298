import SceneHistory
import StrictJSON
import Testing

@Suite struct HandMadeHistoryTests {
    @Test func `a clean history keeps every promise`() {
        let report = checked(HandMade.clean.records)
        #expect(report.conclusion == .holds, "\(report.text)")
    }

    @Test(arguments: Invariant.ofRecords)
    func `a history that breaks one invariant breaks no other`(invariant: Invariant) {
        let report = checked(HandMade.breaking(invariant).records)
        #expect(report.violated == [invariant], "\(report.text)")
        #expect(report.conclusion == .violated)
    }

    /// Other ways to break each, by the clause of the invariant that they break.
    struct Clause: CustomTestStringConvertible, Sendable {
        let testDescription: String
        let breaks: Set<Invariant>
        let tell: @Sendable (inout HandMade) -> Void

        init(_ description: String, _ breaks: Set<Invariant>, _ tell: @escaping @Sendable (inout HandMade) -> Void) {
            testDescription = description
            self.breaks = breaks
            self.tell = tell
        }
    }

    @Test(arguments: clauses)
    func `each clause of an invariant is judged`(clause: Clause) {
        var history = HandMade()
        clause.tell(&history)
        let report = checked(history.records)
        #expect(report.violated == clause.breaks, "\(report.text)")
    }

    static let clauses: [Clause] = [
        Clause("nothing: a reload that changes facts tells of itself before its commit", []) { history in
            history.revision = 1
            history.reload()
            history.revision = 0
            history.commit(user: nil)
        },
        Clause("nothing: a dispatch keeps the manifest it began with", []) { history in
            history.admit()
            history.begin(1)
            history.resolve(1)
            history.plan(1, [HandMade.push("cart")])
            history.reload()
            history.step(1, HandMade.push("cart"), HandMade.window(home: ["home", "cart"]))
            history.end(1)
            history.step(nil, ["name": "popTo", "tab": "home", "depth": 1], cause: "sweep", HandMade.window())
        },
        Clause("nothing: what another manifest needs is not known until it is told", []) { history in
            history.commit(user: "mina")
            history.apply(HandMade.push("cart"), HandMade.window(home: ["home", "cart"]))
            history.reload()
            history.add("host.quiet")
        },
        Clause("nothing: what only a stale sign-in forbids stays, and goes with its user", []) { history in
            history.commit(user: "mina")
            history.apply(HandMade.push("cart"), HandMade.window(home: ["home", "cart"]))
            history.commit(user: "mina", stale: ["signedIn"])
            history.add("host.quiet")
            history.commit(user: "mina")
            history.commit(user: nil, leaves: true)
            history.sweepHome("cart", because: "signedIn")
            history.add("host.quiet")
        },
        Clause("what a stale sign-in forbids is shown anew", [.visibility]) { history in
            history.commit(user: "mina", stale: [])
            history.commit(user: "mina", stale: ["signedIn"])
            history.apply(HandMade.push("cart"), HandMade.window(home: ["home", "cart"]))
        },
        Clause("what is closed for another reason than a stale sign-in stays", [.quietScenes]) { history in
            history.commit(user: "mina")
            history.apply(HandMade.push("cart"), HandMade.window(home: ["home", "cart"]))
            history.commit(user: "mina", stale: [])
            history.commit(user: nil, leaves: true)
            history.add("host.quiet")
        },
        Clause("an event goes on to what a commit has forbidden since its last step", [.visibility]) { history in
            history.commit(user: "mina")
            history.admit()
            history.begin(1)
            history.resolve(1)
            let select: JSONValue = ["name": "selectTab", "tab": "account"]
            history.plan(1, [HandMade.push("cart"), select])
            history.step(1, HandMade.push("cart"), HandMade.window(home: ["home", "cart"]))
            history.commit(user: "mina", stale: ["signedIn"])
            history.step(1, select, HandMade.window(home: ["home", "cart"], selected: "account"))
            history.end(1)
        },
        Clause("a gate that holds stops an event", [.visibility]) { history in
            history.commit(user: "mina")
            history.admit()
            history.begin(1)
            history.resolve(1, "gated")
            history.end(1, "rejected", because: "gateUnsatisfied")
        },
        Clause("a window comes back with what it did not show", [.visibility]) { history in
            history.commit(user: "mina")
            history.release("s1")
            history.add(
                "scene.connected",
                scene: "s1",
                snapshot: true,
                ["configuration": "default", "restored": true, "window": HandMade.window(home: ["home", "cart"])]
            )
            for flow in ["home", "account"] { history.attach(flow) }
            history.activate("s1", "unattached", "foregroundInactive")
        },
        Clause("a stale sign-in of nobody", [.snapshots]) { history in history.commit(user: nil, stale: []) },
        Clause("a stale sign-in that closes what is open", [.snapshots]) { history in
            history.commit(user: "mina", stale: ["cartNotEmpty"])
        },
        Clause("nothing: a window may come back with a flow instead of its tabs", []) { history in
            history.release("s1")
            let login: JSONValue = ["id": "login", "parameters": [:], "needs": [], "coordinator": "onboarding"]
            let window: JSONValue = [
                "tabs": [["id": "root", "stack": [HandMade.destination("login")]]], "selectedTab": "root",
                "modals": [], "shown": [login],
            ]
            let fields: JSONObject = ["configuration": "default", "restored": true, "window": window]
            history.add("scene.connected", scene: "s1", snapshot: true, fields)
            history.attach("onboarding")
            history.swept("home", "account", because: "onboarding")
            let tabs: JSONValue = [
                ["id": "home", "stack": [HandMade.destination("home")]],
                ["id": "account", "stack": [HandMade.destination("account")]],
            ]
            let op: JSONValue = ["name": "setRoot", "tabs": tabs, "selectedTab": "home"]
            history.attach("home")
            history.attach("account")
            history.step(nil, op, cause: "sweep", HandMade.window())
            history.detach("onboarding")
        },
        Clause("nothing: a reload may swap the roots", []) { history in
            history.reload()
            let tabs: JSONValue = [
                ["id": "home", "stack": [HandMade.destination("promo")]],
                ["id": "account", "stack": [HandMade.destination("account")]],
            ]
            let op: JSONValue = ["name": "setRoot", "tabs": tabs, "selectedTab": "home"]
            history.step(nil, op, cause: "sweep", HandMade.window(home: ["promo"]))
            history.swept("home", because: "destinationGone")
            history.apply(HandMade.push("product"), HandMade.window(home: ["promo", "product"]))
        },
        Clause("nothing: what anybody may see stays when a user leaves", []) { history in
            history.commit(user: "mina")
            history.apply(HandMade.push("product"), HandMade.window(home: ["home", "product"]))
            history.commit(user: "theo", leaves: true)
            history.apply(HandMade.push("cart"), HandMade.window(home: ["home", "product", "cart"]))
        },
        Clause("what a user who has left had on screen stays", [.ownership]) { history in
            history.commit(user: "mina")
            history.apply(HandMade.push("cart"), HandMade.window(home: ["home", "cart"]))
            history.commit(user: "theo", leaves: true)
            history.apply(HandMade.push("product"), HandMade.window(home: ["home", "cart", "product"]))
        },
        Clause("what a user who has left had on screen comes back", [.ownership]) { history in
            history.commit(user: "mina")
            history.apply(HandMade.push("cart"), HandMade.window(home: ["home", "cart"]))
            history.release("s1")
            history.commit(user: "theo", leaves: true)
            let window = HandMade.window(home: ["home", "cart"])
            let fields: JSONObject = ["configuration": "default", "restored": true, "window": window]
            history.add("scene.connected", scene: "s1", snapshot: true, fields)
            history.attach("home")
            history.attach("account")
        },
        Clause("a screen is shown since before it was there", [.ownership]) { history in
            history.commit(user: "mina")
            history.commit(user: nil, leaves: true)
            let window = HandMade.window(home: ["home", "product"], since: ["product": 0])
            history.apply(HandMade.push("product"), window)
        },
        Clause("a screen is shown since later than it was there", [.ownership]) { history in
            history.commit(user: "mina")
            history.commit(user: nil, leaves: true)
            let window = HandMade.window(home: ["home", "product"], since: ["home": 1])
            history.apply(HandMade.push("product"), window)
        },
        Clause("a host that starts twice", [.continuity]) { history in
            history.add(
                "host.started",
                snapshot: true,
                ["app": "Shop", "manifestVersion": "1", "manifest": "1", "facts": [:], "holds": [:]]
            )
        },
        Clause("something after the host has stopped", [.continuity]) { history in
            history.add("host.stopped")
            history.admit()
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
        Clause("intents that are resumed in another order", [.continuity]) { history in
            history.park()
            history.park(showing: false)
            history.commit(user: "mina")
            history.gate(2, "gate.resumed")
            history.gate(1, "gate.resumed")
        },
        Clause("a sweep that removes a screen and never says so", [.continuity]) { history in
            history.apply(HandMade.push("product"), HandMade.window(home: ["home", "product"]))
            history.step(nil, ["name": "popTo", "tab": "home", "depth": 1], cause: "sweep", HandMade.window())
            history.add("host.quiet")
        },
        Clause("a sweep that removes two screens and names one", [.continuity]) { history in
            history.apply(HandMade.push("product"), HandMade.window(home: ["home", "product"]))
            history.apply(HandMade.push("product"), HandMade.window(home: ["home", "product", "product"]))
            history.sweepHome("product")
        },
        Clause("a sweep that says twice what it removed", [.continuity]) { history in
            history.apply(HandMade.push("product"), HandMade.window(home: ["home", "product"]))
            history.sweepHome("product")
            history.swept("product")
        },
        Clause("a window that is released in the middle of a dispatch", [.lifecycle]) { history in
            history.admit()
            history.begin(1)
            history.release("s1")
        },
        Clause("a coordinator that outlives its window", [.coordinators]) { history in
            history.add("scene.disconnected", scene: "s1")
            history.detach("home")
            history.add("host.quiet")
        },
        Clause("a coordinator that comes before its step was planned", [.coordinators]) { history in
            history.admit()
            history.begin(1)
            history.resolve(1, "gated")
            history.attach("auth", parent: "home")
            history.plan(1, [HandMade.presentAuth])
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
        Clause("nothing: another manifest in the middle of a dispatch knows its root flow no more", []) { history in
            history.admit()
            history.begin(1)
            history.resolve(1, "gated")
            history.plan(1)
            history.reload()
            history.gate(1, "gate.parked", ["flow": "onboarding"])
            history.end(1, "gated")
            history.commit(user: "mina")
            history.gate(1, "gate.resumed")
        },
        Clause("a ticket is left out", [.ticketOrder]) { $0.admit(ticket: 3) },
        Clause("two dispatches overlap", [.ticketOrder]) { history in
            history.admit()
            history.admit()
            history.begin(1)
            history.begin(2)
        },
        Clause("a sweep in the middle of a dispatch", [.ticketOrder]) { history in
            history.admit()
            history.begin(1)
            history.step(nil, HandMade.push("product"), cause: "sweep", HandMade.window(home: ["home", "product"]))
        },
        Clause("an end without a begin", [.ticketOrder]) { history in
            history.admit(to: nil)
            history.end(1, attempt: 2, "delivered")
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
        Clause("a snapshot from the future", [.snapshots]) { history in
            history.admit()
            history.begin(1)
            history.revision = 1
            history.resolve(1)
        },
        Clause("a snapshot older than the begin", [.snapshots]) { history in
            history.commit(user: "mina")
            history.admit()
            history.begin(1)
            history.revision = 0
            history.resolve(1)
        },
        Clause("a user leaves within an epoch", [.snapshots]) { history in
            history.commit(user: "mina")
            history.commit(user: "theo")
        },
        Clause("an epoch that a revision does not have", [.snapshots]) { history in
            history.admit()
            history.begin(1)
            history.epoch = 1
            history.resolve(1)
        },
        Clause("an older epoch shows through", [.visibility]) { history in
            history.commit(user: "mina")
            history.admit()
            history.begin(1)
            history.resolve(1)
            history.plan(1, [HandMade.push("product")])
            history.commit(user: "theo", leaves: true)
            history.step(1, HandMade.push("product"), HandMade.window(home: ["home", "product"]))
        },
        Clause("a step by a revision that is not the newest", [.visibility]) { history in
            history.admit()
            history.begin(1)
            history.resolve(1)
            history.plan(1, [HandMade.push("product")])
            history.commit(user: "mina")
            history.revision = 0
            history.step(1, HandMade.push("product"), HandMade.window(home: ["home", "product"]))
        },
        Clause("a step that was not planned", [.visibility]) { history in
            history.admit()
            history.begin(1)
            history.resolve(1)
            history.plan(1, [HandMade.push("promo")])
            history.step(1, HandMade.push("product"), HandMade.window(home: ["home", "product"]))
        },
        Clause("a step though the engine stopped it", [.visibility]) { history in
            history.admit()
            history.begin(1)
            history.resolve(1, "gated")
            history.plan(1, [HandMade.push("product")])
            history.step(1, HandMade.push("product"), HandMade.window(home: ["home", "product"]))
        },
        Clause("a window that its op does not make", [.visibility]) { history in
            history.apply(HandMade.push("product"), HandMade.window(home: ["home", "promo"]))
        },
        Clause("applied with a part of the plan not done", [.visibility]) { history in
            history.admit()
            history.begin(1)
            history.resolve(1)
            history.plan(1, [HandMade.push("product")])
            history.end(1)
        },
        Clause("a resume that sees less than what let it", [.resumes]) { history in
            let parked = history.park()
            history.commit(user: "mina")
            history.gate(parked, "gate.resumed")
            history.sweepAuth()
            history.begin(parked, attempt: 2)
            history.revision = 0
            history.resolve(parked, attempt: 2)
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
        Clause("a stack that does not start at its root", [.stacks]) { history in
            let op: JSONValue = ["name": "setStack", "tab": "home", "stack": [HandMade.destination("promo")]]
            history.apply(op, HandMade.window(home: ["promo"]))
        },
        Clause("nothing: a sweep by what only the new manifest needs", []) { history in
            history.apply(HandMade.push("product"), HandMade.window(home: ["home", "product"]))
            history.reload()
            history.step(nil, ["name": "popTo", "tab": "home", "depth": 1], cause: "sweep", HandMade.window())
            history.swept("product", because: "signedIn")
        },
        Clause("a sweep by what its victim does not need", [.continuity]) { history in
            history.apply(HandMade.push("product"), HandMade.window(home: ["home", "product"]))
            history.step(nil, ["name": "popTo", "tab": "home", "depth": 1], cause: "sweep", HandMade.window())
            history.swept("product", because: "signedIn")
        },
        Clause("a sweep that removed something else", [.continuity]) { history in
            history.apply(HandMade.push("product"), HandMade.window(home: ["home", "product"]))
            history.step(nil, ["name": "popTo", "tab": "home", "depth": 1], cause: "sweep", HandMade.window())
            history.swept("cart")
        },
        Clause("nothing: a window that a client gives is new and restored", []) { history in
            history.connect("s7", restored: true, given: true)
            history.release("s1")
            history.connect("s1", restored: true, given: true)
        },
        Clause("a window that comes back to a scene that was not there", [.lifecycle]) {
            $0.connect("s7", restored: true)
        },
        Clause("a window that a client gives and that is new", [.lifecycle]) { $0.connect("s7", given: true) },
        Clause("a window that comes back with less and does not say so", [.continuity]) { history in
            history.apply(HandMade.push("product"), HandMade.window(home: ["home", "product"]))
            history.release("s1")
            history.connect("s1", restored: true)
            history.admit()
            history.begin(2)
        },
        Clause("a window that comes back with less and names something else", [.continuity]) { history in
            history.apply(HandMade.push("product"), HandMade.window(home: ["home", "product"]))
            history.release("s1")
            let window = HandMade.window()
            let fields: JSONObject = ["configuration": "default", "restored": true, "window": window]
            history.add("scene.connected", scene: "s1", snapshot: true, fields)
            history.attach("home")
            history.attach("account")
            history.swept("cart", because: "signedIn")
        },
        Clause("a coordinator that owns nothing any more", [.coordinators]) { history in
            history.park()
            history.step(nil, ["name": "dismissModals", "keeping": 0], cause: "sweep", HandMade.window())
            history.swept("login")
        },
        Clause("a coordinator detached too early", [.coordinators]) { $0.detach("home") },
        Clause("a coordinator attached twice", [.coordinators]) { $0.attach("home") },
        Clause("a parent that is not there", [.coordinators]) { $0.attach("auth", parent: "checkout") },
        Clause("a dispatch in a discarded scene", [.lifecycle]) { history in
            history.admit()
            history.release("s1", "scene.discarded")
            history.begin(1)
        },
        Clause("an event for a scene that is not there", [.lifecycle]) { $0.admit("s7") },
        Clause("a scene connected twice", [.lifecycle]) { $0.connect("s1") },
        Clause("an activation that starts elsewhere", [.lifecycle]) { history in
            history.activate("s1", "background", "foregroundInactive")
        },
        Clause("a dispatch that never ends", [.completion]) { history in
            let parked = history.admit()
            history.begin(parked)
            history.resolve(parked, "gated")
            history.plan(parked, [HandMade.presentAuth])
            history.attach("auth", parent: "home")
            history.step(parked, HandMade.presentAuth, cause: "flow", HandMade.window(modals: ["auth"]))
            history.gate(parked, "gate.parked", ["flow": "auth"])
            history.add("host.quiet")
        },
        Clause("a step that changes nothing", [.visibility]) { history in
            history.step(nil, ["name": "popTo", "tab": "home", "depth": 1], cause: "sweep", HandMade.window())
        },
        Clause("a resolution twice by one revision", [.visibility]) { history in
            history.admit()
            history.begin(1)
            history.resolve(1)
            history.resolve(1)
        },
        Clause("an outcome that the verdict denies", [.visibility]) { history in
            history.admit()
            history.begin(1)
            history.resolve(1, "refused")
            history.plan(1)
            history.end(1, "unchanged")
        },
        Clause("a gate left that was not entered", [.outcomes]) { history in
            let parked = history.park()
            history.gate(parked, "gate.abandoned", ["precondition": "paymentMethod", "reason": "shutdown"])
        },
        Clause("an intent whose flow is not on screen", [.completion]) { history in
            history.park(showing: false)
            history.add("host.quiet")
        },
    ]
}
