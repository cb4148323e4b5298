internal import SceneVocabulary
internal import Basics
internal import StrictJSON

/// Actions for the built-in shop, whose users are known better than its manifest says. Figures of earlier soaks are of these.
struct ShopActions: UserActions {
    /// Whether a daemon runs the built-in shop.
    static func fit(_ status: DaemonStatus) -> Bool { status.manifestFile == nil && status.app == "Shop" }

    var kinds: [ActionKind] { ActionKind.allCases.filter { $0 != .other } }

    func call(_ kind: ActionKind, _ user: inout UserMemory, _ random: inout SplitMix) -> SoakCall {
        switch kind {
        case .openurl, .other: link(&user, &random)
        case .push: push(&user, &random)
        case .widget: widget(&user, &random)
        case .handoff: handoff(&user, &random)
        case .spotlight: spotlight(&user, &random)
        case .shortcut: shortcut(&user, &random)
        case .gesture: gesture(&user, &random)
        case .intent: intent(&user, &random)
        case .flow: flow(&user, &random)
        case .signin: SessionCalls.signIn(&user, &random, facts: random.below(2) == 0 ? ["paymentMethod": "card"] : [:])
        case .signout: SessionCalls.signOut(&user)
        case .disconnect: WindowCalls.disconnect(&user)
        case .activation: WindowCalls.activate(&user, &random)
        case .mistake: mistake(&user, &random)
        }
    }

    // MARK: - Places

    /// Chooses the destination to which a user in this state goes next.
    private func place(_ user: inout UserMemory, _ random: inout SplitMix) -> (id: String, parameter: (String, String)?)
    {
        let choice = random.below(100)
        switch (user.state, choice) {
        case (.inCart, ..<50), (.signingIn, ..<20):
            user.state = .checkout
            return ("checkout", nil)
        case (.checkout, ..<60):
            user.state = .browsing
            return ("order", ("id", "o\(1 + random.below(9_999))"))
        case (.inSettings, ..<50):
            return ("settings", ("section", random.pick(["profile", "privacy", "payment"])))
        case (_, ..<40):
            user.state = .browsing
            return ("product", ("id", "p\(1 + random.below(5_000))"))
        case (_, ..<60):
            user.state = .browsing
            return ("category", ("slug", random.pick(["tea", "coffee", "mate", "fruit", "bread"])))
        case (_, ..<68):
            user.state = .browsing
            return ("promo", ("code", random.pick(["SUMMER", "WINTER", "HELLO2026"])))
        case (_, ..<80):
            user.state = .inCart
            return ("cart", nil)
        case (_, ..<86):
            user.state = .signingIn
            return ("order", ("id", "o\(1 + random.below(9_999))"))
        case (_, ..<92):
            user.state = .inSettings
            return ("settings", ("section", random.pick(["profile", "privacy", "payment"])))
        default:
            user.state = random.below(3) == 0 ? .away : .browsing
            return (random.pick(["home", "orders", "account"]), nil)
        }
    }

    private func path(_ place: (id: String, parameter: (String, String)?)) -> String {
        place.id == "settings"
            ? "account/settings/\(place.parameter?.1 ?? "profile")"
            : place.parameter.map { "\(place.id)/\($0.1)" } ?? place.id
    }

    /// Mostly a universal link, otherwise one with the app's own scheme.
    private func url(_ place: (id: String, parameter: (String, String)?), _ random: inout SplitMix) -> String {
        guard place.id != "home", random.below(10) < 7 else { return "qcommerce://\(path(place))" }
        return "https://shop.example/\(path(place))"
    }

    // MARK: - Doors

    private func link(_ user: inout UserMemory, _ random: inout SplitMix) -> SoakCall {
        if random.below(12) == 0, let set = severalLinks(&user, &random) { return set }
        let place = place(&user, &random)
        let url = url(place, &random)
        if url.hasPrefix("https"), random.below(3) == 0 {
            let parameters: JSONObject = [
                "activityType": "NSUserActivityTypeBrowsingWeb", "webpageURL": .string(url),
            ]
            return EventCalls.to(&user, .openurl, "ContinueActivity", parameters)
        }
        // Now and then nobody says which window, as from another app.
        if random.below(20) == 0 { return SoakCall(.openurl, "io.scened.Events.OpenURL", ["url": .string(url)]) }
        return EventCalls.to(&user, .openurl, "OpenURL", ["url": .string(url)])
    }

    private func severalLinks(_ user: inout UserMemory, _ random: inout SplitMix) -> SoakCall? {
        let urls = (0..<random.below(3) + 2).map { _ in
            let place = place(&user, &random)
            return url(place, &random)
        }
        return EventCalls.set(&user, urls, &random)
    }

    private func push(_ user: inout UserMemory, _ random: inout SplitMix) -> SoakCall {
        let before = user.state
        let place = place(&user, &random)
        var payload: JSONObject = [
            "Simulator Target Bundle": "com.example.shop",
            "aps": ["alert": ["title": "Shop", "body": "Have a look"], "sound": "default", "badge": 1],
        ]
        if random.below(4) == 0 {
            payload["route"] = .string(place.id)
            payload["parameters"] = .object(
                JSONObject((place.parameter.map { [$0] } ?? []).map { ($0.0, JSONValue.string($0.1)) })
            )
        } else {
            payload["url"] = .string(url(place, &random))
        }
        switch random.below(10) {
        case 0:
            user.state = before
            let silent: JSONObject = [
                "payload": ["aps": ["content-available": 1], "stock": .integer(random.below(100))]
            ]
            return EventCalls.inside(user, .push, "Push", silent)
        case 1, 2:
            user.state = before
            return EventCalls.inside(user, .push, "Push", ["payload": .object(payload), "interaction": "present"])
        default:
            return EventCalls.to(&user, .push, "Push", ["payload": .object(payload), "interaction": "open"])
        }
    }

    private func widget(_ user: inout UserMemory, _ random: inout SplitMix) -> SoakCall {
        if random.below(3) == 0 {
            let order: JSONValue = .string("o\(1 + random.below(9_999))")
            user.state = .signingIn
            return EventCalls.to(&user, .widget, "TapWidget", ["kind": "order-status", "userInfo": ["order": order]])
        }
        let url = url(place(&user, &random), &random)
        return EventCalls.to(
            &user,
            .widget,
            "TapWidget",
            ["kind": "deals", "family": random.below(2) == 0 ? "systemSmall" : "systemMedium", "url": .string(url)]
        )
    }

    private func handoff(_ user: inout UserMemory, _ random: inout SplitMix) -> SoakCall {
        let place = place(&user, &random)
        let parameters = JSONObject((place.parameter.map { [$0] } ?? []).map { ($0.0, JSONValue.string($0.1)) })
        return EventCalls.to(
            &user,
            .handoff,
            "ContinueActivity",
            [
                "activityType": "com.example.shop.view", "handoff": true,
                "userInfo": ["destination": .string(place.id), "parameters": .object(parameters)],
            ]
        )
    }

    private func spotlight(_ user: inout UserMemory, _ random: inout SplitMix) -> SoakCall {
        let place = place(&user, &random)
        let identifier = place.parameter.map { "\(place.id)/\($0.1)" } ?? place.id
        return EventCalls.to(
            &user,
            .spotlight,
            "ContinueActivity",
            [
                "activityType": "com.apple.corespotlightitem",
                "userInfo": ["kCSSearchableItemActivityIdentifier": .string(identifier)],
            ]
        )
    }

    private func shortcut(_ user: inout UserMemory, _ random: inout SplitMix) -> SoakCall {
        let toCart = random.below(2) == 0
        user.state = toCart ? .inCart : .browsing
        return EventCalls.to(
            &user,
            .shortcut,
            "PerformShortcut",
            ["type": toCart ? "com.example.shop.cart" : "com.example.shop.orders"]
        )
    }

    // MARK: - In the app

    private func gesture(_ user: inout UserMemory, _ random: inout SplitMix) -> SoakCall {
        switch random.below(10) {
        case 0, 1, 2:
            return EventCalls.gesture(user, .back)
        case 3, 4:
            return EventCalls.gesture(user, .swipeBack(cancelled: random.below(5) == 0))
        case 5:
            user.state = .browsing
            return EventCalls.gesture(user, .dismiss)
        case 6:
            user.state = .browsing
            return EventCalls.gesture(user, .swipeDown())
        default:
            user.state = .browsing
            return EventCalls.gesture(user, .selectTab(random.pick(["home", "orders", "account"])))
        }
    }

    private func intent(_ user: inout UserMemory, _ random: inout SplitMix) -> SoakCall {
        func send(_ name: String, _ parameters: JSONObject = [:]) -> SoakCall {
            EventCalls.inside(user, .intent, "SendIntent", ["name": .string(name), "parameters": .object(parameters)])
        }
        let product: JSONObject = ["id": .string("p\(1 + random.below(5_000))")]
        switch (user.state, random.below(10)) {
        case (.signingIn, ..<4):
            user.state = .inCart
            return send("loginCompleted", ["user": .string(SessionCalls.name(user))])
        case (.signingIn, ..<6): return send("signUpRequested")
        case (.signingIn, ..<8):
            user.state = .browsing
            return send("cancelled")
        case (.inCart, ..<5):
            user.state = .checkout
            return send("checkoutTapped")
        case (_, ..<4): return send("productSelected", product)
        case (_, 4): return send("categorySelected", ["slug": "tea"])
        case (_, ..<8):
            user.state = .signingIn
            return send("buyNow", product)
        case (_, 8):
            user.state = .inCart
            return send("cartTapped")
        default:
            user.state = .inSettings
            return send("accountTapped")
        }
    }

    private func flow(_ user: inout UserMemory, _ random: inout SplitMix) -> SoakCall {
        func finish(_ flow: String, _ result: String, _ more: JSONObject = [:]) -> SoakCall {
            var parameters: JSONObject = ["flow": .string(flow), "result": .string(result)]
            for (name, value) in more { parameters[name] = value }
            return EventCalls.inside(user, .flow, "FinishFlow", parameters)
        }
        let isGivenUp = random.below(5) == 0
        switch user.state {
        case .checkout where random.below(2) == 0:
            user.state = isGivenUp ? .inCart : .checkout
            return isGivenUp
                ? finish("addPayment", "cancelled")
                : finish("addPayment", "completed", ["facts": ["paymentMethod": "card"]])
        case .checkout:
            user.state = .browsing
            return isGivenUp
                ? finish("checkout", "cancelled")
                : finish("checkout", "completed", ["facts": ["order": .string("o\(1 + random.below(9_999))")]])
        default:
            user.state = isGivenUp ? .browsing : .inCart
            return isGivenUp
                ? finish("auth", "cancelled")
                : finish("auth", "completed", ["user": .string(SessionCalls.name(user))])
        }
    }

    private func mistake(_ user: inout UserMemory, _ random: inout SplitMix) -> SoakCall {
        switch random.below(6) {
        case 0: EventCalls.inside(user, .mistake, "OpenURL", ["url": "qcommerce://nowhere/at/all"])
        case 1: EventCalls.inside(user, .mistake, "OpenURL", ["url": "https://shop.example/product/none"])
        case 2: EventCalls.inside(user, .mistake, "OpenURL", ["url": "https://shop.example/help/returns"])
        case 3:
            EventCalls.inside(
                user,
                .mistake,
                "Push",
                ["payload": ["aps": ["alert": "Gone"], "url": "qcommerce://gone"]]
            )
        case 4:
            EventCalls.inside(
                user,
                .mistake,
                "FinishFlow",
                ["flow": "checkout", "result": "completed", "facts": ["order": "o1"]]
            )
        default: EventCalls.inside(user, .mistake, "TapWidget", ["kind": "unknown"])
        }
    }
}
