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

    @Test(arguments: clauses + windowClauses + endClauses + setClauses + variantClauses + restartClauses)
    func `each clause of an invariant is judged`(clause: Clause) {
        var history = HandMade()
        clause.tell(&history)
        let report = checked(history.records)
        #expect(report.violated == clause.breaks, "\(report.text)")
    }

    @Test func `what an op does that nobody knows is unknown`() {
        var step = HandMade()
        step.step(nil, ["name": "fly"], cause: "sweep", HandMade.window())
        step.add("host.quiet")
        var plan = HandMade()
        plan.admit()
        plan.begin(1)
        plan.resolve(1)
        plan.plan(1, [["name": "fly"]])
        plan.end(1, "abandoned", because: "shutdown")
        for (history, record) in [(step, step.records.count - 1), (plan, plan.records.count - 1)] {
            let report = checked(history.records)
            #expect(report.conclusion == .unknown, "\(report.text)")
            let visibility = report.hosts[0].verdicts.first { $0.invariant == .visibility }?.verdict
            #expect(visibility == .unknown("record \(record) has the op fly, which is not known"))
        }
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
            history.end(1, "rejected", because: "stackFull")
        },
        Clause("a stale sign-in of nobody", [.snapshots]) { history in history.commit(user: nil, stale: []) },
        Clause("a stale sign-in that closes what is open", [.snapshots]) { history in
            history.commit(user: "mina", stale: ["cartNotEmpty"])
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
        Clause("a coordinator that comes before its step was planned", [.coordinators]) { history in
            history.admit()
            history.begin(1)
            history.resolve(1, "gated")
            history.attach("auth", parent: "home")
            history.plan(1, [HandMade.presentAuth])
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
        Clause("an end without a begin", [.ticketOrder, .continuity]) { history in
            history.admit(to: nil)
            history.end(1, attempt: 2, "delivered")
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
        Clause("a stack that does not start at its root", [.stacks]) { history in
            let op: JSONValue = ["name": "setStack", "tab": "home", "stack": [HandMade.destination("promo")]]
            history.apply(op, HandMade.window(home: ["promo"]))
        },
        Clause("a coordinator detached too early", [.coordinators]) { history in
            history.detach("home")
            history.add("host.quiet")
        },
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
