import SceneHistory
import StrictJSON

/// Sets of URLs that are delivered together.
extension HandMadeHistoryTests {
    static let setClauses: [Clause] = [
        Clause("nothing: a set comes whole, in any order, and others before and after it", []) { history in
            history.finish(history.admit())
            history.admitSet([2, 3, 1])
            history.admitSet([1, 2])
            history.admit()
            for ticket in 2...7 { history.finish(ticket) }
        },
        Clause("nothing: of two sets each is in its own scene", []) { history in
            history.connect("s2")
            for scene in ["s1", "s2"] {
                history.admitSet([2, 1], scene)
                for ticket in 1...2 { history.finish(ticket, scene) }
            }
        },
        Clause("a set of which only some come", [.ticketOrder]) { history in
            history.admit(call: 90, set: (1, 3, 2))
            history.admit(call: 90, set: (2, 3, 1))
            for ticket in 1...2 { history.end(ticket, "abandoned", because: "shutdown") }
            history.add("host.stopped")
        },
        Clause("a set that does not begin with its first", [.ticketOrder]) { history in
            history.admit(call: 90, set: (2, 2, 1))
            history.finish(1)
        },
        Clause("another event between those of a set", [.ticketOrder]) { history in
            history.admit(call: 90, set: (1, 2, 1))
            history.admit(connection: 2)
            history.admit(call: 90, set: (2, 2, 2))
            for ticket in 1...3 { history.finish(ticket) }
        },
        Clause("another event between those of a set, in another scene", [.ticketOrder]) { history in
            history.connect("s2")
            for _ in 1...2 { history.finish(history.admit("s2"), "s2") }
            history.admit(call: 90, set: (1, 2, 1))
            history.admit("s2", connection: 2)
            history.admit(call: 90, set: (2, 2, 2))
            for ticket in 1...2 { history.finish(ticket) }
            history.finish(3, "s2")
        },
        Clause("a set in two scenes", [.ticketOrder]) { history in
            history.connect("s2")
            history.finish(history.admit("s2"), "s2")
            history.admit(call: 90, set: (1, 2, 1))
            history.admit("s2", call: 90, set: (2, 2, 2))
            history.finish(1)
            history.finish(2, "s2")
        },
        Clause("a set of two calls", [.ticketOrder]) { history in
            history.admit(call: 90, set: (1, 2, 1))
            history.admit(call: 91, set: (2, 2, 2))
            for ticket in 1...2 { history.finish(ticket) }
        },
        Clause("a set that has one of its URLs twice", [.ticketOrder]) { history in
            history.admit(call: 90, set: (1, 2, 2))
            history.admit(call: 90, set: (2, 2, 2))
            for ticket in 1...2 { history.finish(ticket) }
        },
        Clause("a set that has a URL too many", [.ticketOrder]) { history in
            history.admit(call: 90, set: (1, 2, 3))
            history.admit(call: 90, set: (2, 2, 1))
            for ticket in 1...2 { history.finish(ticket) }
        },
        Clause("a set whose numbers are out of order", [.ticketOrder]) { history in
            history.admit(call: 90, set: (1, 3, 1))
            history.admit(call: 90, set: (3, 3, 2))
            history.admit(call: 90, set: (2, 3, 3))
            for ticket in 1...3 { history.finish(ticket) }
        },
        Clause("a set that grows", [.ticketOrder]) { history in
            history.admit(call: 90, set: (1, 2, 1))
            history.admit(call: 90, set: (2, 3, 2))
            for ticket in 1...2 { history.finish(ticket) }
        },
        Clause("a set with what happens in a window", [.ticketOrder]) { history in
            history.apply(HandMade.push("product"), HandMade.window(home: ["home", "product"]))
            history.admit(call: 90, set: (1, 2, 1))
            history.admit(source: "internal", call: 90, set: (2, 2, 2))
            history.finish(2)
            history.begin(3)
            history.step(3, ["name": "popTo", "tab": "home", "depth": 1], cause: "gesture", HandMade.window())
            history.end(3)
        },
        Clause("a set that begins before all of it has come", [.ticketOrder]) { history in
            history.admit(call: 90, set: (1, 2, 1))
            history.begin(1)
            history.admit(call: 90, set: (2, 2, 2))
            history.resolve(1)
            history.plan(1)
            history.end(1, "unchanged")
            history.finish(2)
        },
        Clause("a commit between the URLs of a set", [.ticketOrder]) { history in
            history.admit(call: 90, set: (1, 2, 1))
            history.commit(user: "mina")
            history.admit(call: 90, set: (2, 2, 2))
            for ticket in 1...2 { history.finish(ticket) }
        },
        Clause("two events of one call that are no set", [.sendOrder]) { history in
            history.admit(call: 90)
            history.admit(call: 90)
            for ticket in 1...2 { history.finish(ticket) }
        },
    ]
}

extension HandMade {
    /// Admits a set by one call, in this order of its places as given.
    fileprivate mutating func admitSet(_ order: [Int], _ scene: String = "s1") {
        let call = records.count + 1
        for (index, given) in order.enumerated() {
            admit(scene, call: call, set: (index + 1, order.count, given))
        }
    }

    /// A whole attempt that finds nothing to do.
    mutating func finish(_ ticket: Int, _ scene: String = "s1") {
        begin(ticket, scene: scene)
        about(
            ticket,
            "dispatch.resolved",
            scene: scene,
            ["destination": Self.destination("cart"), "verdict": "proceed"]
        )
        about(ticket, "dispatch.planned", scene: scene, ["ops": []])
        end(ticket, scene: scene, "unchanged")
    }
}
