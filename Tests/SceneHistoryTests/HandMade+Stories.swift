import SceneHistory
import StrictJSON

extension HandMade {
    /// A correct history: two windows, a gate, a sign-in that opens it, a sign-out that sweeps, a window that is restored.
    static var clean: HandMade {
        var history = HandMade()
        history.connect("s2")
        history.apply(push("product"), window(home: ["home", "product"]))
        history.apply(push("product"), window(home: ["home", "product", "product"]))
        history.apply(["name": "popTo", "tab": "home", "depth": 1], window())
        let parked = history.park()
        history.add("host.quiet")
        history.commit(user: "mina")
        history.gate(parked, "gate.resumed")
        history.sweepAuth()
        history.begin(parked, attempt: 2)
        history.resolve(parked, attempt: 2)
        history.plan(parked, attempt: 2, [push("cart")])
        history.step(parked, attempt: 2, push("cart"), window(home: ["home", "cart"]))
        history.end(parked, attempt: 2)
        history.add("host.quiet")
        history.commit(user: nil, leaves: true)
        history.sweepHome("cart", because: "signedIn")
        history.activate("s2", "foregroundActive", "foregroundInactive")
        history.activate("s2", "foregroundInactive", "background")
        history.release("s2")
        history.connect("s2", restored: true)
        let superseded = history.park()
        let next = history.admit()
        history.begin(next)
        history.resolve(next)
        history.plan(next, [["name": "dismissModals", "keeping": 0]])
        history.step(next, ["name": "dismissModals", "keeping": 0], window())
        history.detach("auth")
        history.gate(superseded, "gate.superseded", ["by": .string("e\(next)")])
        history.end(next)
        history.release("s2", "scene.discarded")
        history.add("host.quiet")
        let last = history.park()
        history.gate(last, "gate.abandoned", ["reason": "shutdown"])
        history.add("host.stopped")
        return history
    }

    /// A history that violates this invariant and no other.
    static func breaking(_ invariant: Invariant) -> HandMade {
        var history = HandMade()
        switch invariant {
        // It needs a manifest.
        case .agreement: break
        case .ticketOrder:
            for _ in 1...2 { history.admit(to: nil) }
            for ticket in [2, 1] {
                history.begin(ticket)
                history.end(ticket, "delivered")
            }
        case .sendOrder:
            history.admit(call: 8, to: nil)
            history.admit(call: 7, to: nil)
            for ticket in [1, 2] {
                history.begin(ticket)
                history.end(ticket, "delivered")
            }
        case .outcomes:
            let parked = history.park()
            history.gate(parked, "gate.abandoned", ["reason": "shutdown"])
            history.gate(parked, "gate.superseded", ["by": "e9"])
        case .snapshots:
            history.revision = 1
            history.commit(user: "mina")
        case .visibility:
            history.apply(push("cart"), window(home: ["home", "cart"]))
            history.sweepHome("cart", because: "signedIn")
        case .resumes:
            let parked = history.park()
            history.gate(parked, "gate.resumed")
            history.begin(parked, attempt: 2)
            history.resolve(parked, attempt: 2, "gated")
            history.plan(parked, attempt: 2)
            history.gate(parked, attempt: 2, "gate.parked", ["flow": "auth"])
            history.end(parked, attempt: 2, "gated")
            history.gate(parked, attempt: 2, "gate.abandoned", ["reason": "shutdown"])
        case .quietScenes:
            history.commit(user: "mina")
            history.apply(push("cart"), window(home: ["home", "cart"]))
            history.commit(user: nil, leaves: true)
        case .stacks:
            history.apply(push("category"), window(home: ["home", "category"]))
            history.apply(push("category"), window(home: ["home", "category", "category"]))
        case .coordinators:
            let present: JSONValue = ["name": "present", "modal": modal("checkout")]
            history.apply(present, window(modals: ["checkout"]))
        case .windowRules:
            history.add(
                "violation",
                scene: "s1",
                snapshot: true,
                ["rule": "pushedTwice", "cause": "gesture", "detail": "cart on cart"]
            )
        case .lifecycle: history.activate("s1", "foregroundActive", "background")
        case .completion: history.park()
        case .ownership:
            history.apply(push("product"), window(home: ["home", "product"]))
            history.commit(user: "mina")
            let tap = history.admit(source: "internal")
            history.commit(user: nil, leaves: true)
            history.begin(tap)
            history.step(tap, ["name": "popTo", "tab": "home", "depth": 1], cause: "gesture", window())
            history.end(tap)
        case .continuity:
            let parked = history.park()
            history.gate(parked, "gate.abandoned", ["reason": "shutdown", "destination": destination("home")])
        }
        history.add("host.quiet")
        history.add("host.stopped")
        return history
    }
}
