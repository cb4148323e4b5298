import SceneHistory
import StrictJSON

/// Whose a window is, what a sweep takes off it, and how it comes back.
extension HandMadeHistoryTests {
    static let windowClauses: [Clause] = [
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
        Clause("what a user who has left had on screen comes back, and she had facts", [.ownership]) { history in
            history.commit(user: "mina")
            history.apply(HandMade.push("cart"), HandMade.window(home: ["home", "cart"]))
            history.release("s1")
            history.commit(user: "theo", leaves: true, facts: ["cart": []])
            let window = HandMade.window(home: ["home", "cart"])
            let fields: JSONObject = ["configuration": "default", "restored": true, "window": window]
            history.add("scene.connected", scene: "s1", snapshot: true, fields)
            history.attach("home")
            history.attach("account")
        },
        Clause("what a user who has left had on screen stays, and she had facts", [.ownership]) { history in
            history.commit(user: "mina")
            history.apply(HandMade.push("cart"), HandMade.window(home: ["home", "cart"]))
            history.commit(user: "theo", leaves: true, facts: ["cart": []])
            history.apply(HandMade.push("product"), HandMade.window(home: ["home", "cart", "product"]))
        },
        Clause("what a user who has left had on screen is still there when all is quiet", [.ownership]) { history in
            history.commit(user: "mina")
            history.apply(HandMade.push("cart"), HandMade.window(home: ["home", "cart"]))
            history.commit(user: nil, leaves: true, facts: ["cart": []])
            history.commit(user: "theo", facts: ["cart": ["p1"]])
            history.add("host.quiet")
        },
        Clause("a sweep leaves on screen what a user who has left had there", [.ownership]) { history in
            history.commit(user: "mina")
            history.apply(HandMade.push("cart"), HandMade.window(home: ["home", "cart"]))
            history.apply(HandMade.push("product"), HandMade.window(home: ["home", "cart", "product"]))
            history.commit(user: "theo", leaves: true, facts: ["cart": []])
            let pop: JSONValue = ["name": "popTo", "tab": "home", "depth": 2]
            history.step(nil, pop, cause: "sweep", HandMade.window(home: ["home", "cart"]))
            history.swept("product")
            history.add("host.quiet")
        },
        Clause("nothing: what may have become anybody's with the user's leave may stay", []) { history in
            history.commit(user: "mina")
            history.apply(HandMade.push("cart"), HandMade.window(home: ["home", "cart"]))
            history.commit(user: "theo", leaves: true, facts: ["open": true])
            history.commit(user: "theo", facts: ["open": false])
            history.apply(HandMade.push("product"), HandMade.window(home: ["home", "cart", "product"]))
        },
        Clause("an act whose user has left ends as if it had been done", [.ownership]) { history in
            history.commit(user: "mina")
            history.admit(source: "internal")
            history.commit(user: nil, leaves: true)
            history.begin(1)
            history.about(1, "dispatch.ended", ["outcome": "ignored", "reason": "nothingToPop"])
        },
        Clause("a sweep by an older revision than its steps", [.snapshots]) { history in
            history.apply(HandMade.push("product"), HandMade.window(home: ["home", "product"]))
            history.commit(user: "mina")
            history.step(nil, ["name": "popTo", "tab": "home", "depth": 1], cause: "sweep", HandMade.window())
            history.revision = 0
            history.swept("product")
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
        Clause("a window that comes back with less, and all is quiet", [.continuity]) { history in
            history.apply(HandMade.push("product"), HandMade.window(home: ["home", "product"]))
            history.release("s1")
            history.connect("s1", restored: true)
            history.add("host.quiet")
        },
        Clause("a window that comes back with less, and changes before a sweep says so", [.continuity]) { history in
            history.apply(HandMade.push("product"), HandMade.window(home: ["home", "product"]))
            history.apply(HandMade.push("promo"), HandMade.window(home: ["home", "product", "promo"]))
            history.release("s1")
            let window = HandMade.window(home: ["home", "product"])
            let fields: JSONObject = ["configuration": "default", "restored": true, "window": window]
            history.add("scene.connected", scene: "s1", snapshot: true, fields)
            history.attach("home")
            history.attach("account")
            history.sweepHome("product")
        },
        Clause("a window that comes back with another tab in front", [.visibility]) { history in
            history.release("s1")
            let window = HandMade.window(selected: "account")
            let fields: JSONObject = ["configuration": "default", "restored": true, "window": window]
            history.add("scene.connected", scene: "s1", snapshot: true, fields)
            history.attach("home")
            history.attach("account")
        },
        Clause("a coordinator that owns nothing any more", [.coordinators]) { history in
            history.park()
            history.step(nil, ["name": "dismissModals", "keeping": 0], cause: "sweep", HandMade.window())
            history.swept("login")
        },
    ]
}
