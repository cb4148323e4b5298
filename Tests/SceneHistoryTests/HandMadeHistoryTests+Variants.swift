import SceneHistory
import StrictJSON

/// What is shown for a destination that has variants, and for whom.
extension HandMadeHistoryTests {
    static let variantClauses: [Clause] = [
        Clause("nothing: a variant is chosen, and what was chosen is shown again", []) { history in
            history.lead(as: "product")
            history.lead(as: "product", isChosen: false, isShown: true)
        },
        Clause("nothing: each user has a choice of their own", []) { history in
            history.lead(as: "product")
            history.commit(user: "mina")
            history.lead(as: "category", for: "mina", over: ["product"])
        },
        Clause("a variant is chosen twice for a user", [.continuity]) { history in
            history.lead(as: "product")
            history.lead(as: "product", isShown: true)
        },
        Clause("another variant is chosen for a user", [.continuity]) { history in
            history.lead(as: "product")
            history.lead(as: "category", over: ["product"])
        },
        Clause("a variant is shown that was not chosen", [.continuity]) { $0.lead(as: "product", isChosen: false) },
        Clause("another variant is shown than was chosen", [.continuity]) { history in
            history.lead(as: "product")
            history.lead(as: "category", isChosen: false, over: ["product"])
        },
        Clause("a variant is shown with other parameters than it was chosen with", [.continuity]) { history in
            history.lead(as: "product", with: ["id": "p2"])
        },
        Clause("a variant is shown that was chosen for another user", [.continuity]) { history in
            history.lead(as: "product")
            history.commit(user: "mina")
            history.lead(as: "product", isChosen: false, isShown: true)
        },
        Clause("a variant is chosen for who is not signed in", [.continuity]) { $0.lead(as: "product", for: "mina") },
        Clause("what was chosen for nobody is shown to who has signed in", [.continuity]) { history in
            history.lead(as: "product") { $0.commit(user: "mina") }
        },
        Clause("a variant is chosen for something else than the event wants", [.continuity]) { history in
            history.lead(as: "product", wanting: "cart")
        },
    ]
}

extension HandMade {
    /// Leads to the destination `offers`, in whose place something else is shown.
    ///
    /// - Parameters:
    ///   - parameters: What is said to be shown of it, if that is not what was chosen.
    ///   - isShown: Whether the window shows it already.
    ///   - below: What is below it, over the root of the tab.
    ///   - meanwhile: What happens before it is shown.
    fileprivate mutating func lead(
        as variant: String,
        for user: String? = nil,
        with parameters: JSONObject? = nil,
        isChosen: Bool = true,
        isShown: Bool = false,
        over below: [String] = [],
        wanting wanted: String = "offers",
        meanwhile: (inout HandMade) -> Void = { _ in }
    ) {
        let places: JSONObject = ["destination": Self.destination("offers"), "variant": Self.destination(variant)]
        let ticket = admit(to: wanted)
        begin(ticket)
        if isChosen {
            var chosen = places
            chosen["user"] = user.map(JSONValue.string) ?? .null
            about(ticket, "variant.chosen", chosen)
        }
        var resolved = places
        resolved["verdict"] = "proceed"
        if let parameters { resolved["variant"] = ["id": .string(variant), "parameters": .object(parameters)] }
        about(ticket, "dispatch.resolved", resolved)
        plan(ticket, isShown ? [] : [Self.push(variant)])
        meanwhile(&self)
        if !isShown { step(ticket, Self.push(variant), Self.window(home: ["home"] + below + [variant])) }
        end(ticket, isShown ? "unchanged" : "applied")
    }
}
