internal import SceneVocabulary
internal import SeededRandom
internal import StrictJSON

/// What people do with the built-in shop.
struct ShopVocabulary: Vocabulary {
    var kinds: [ActionKind] { ActionKind.allCases.filter { $0 != .other } }

    func call(_ kind: ActionKind, _ mind: inout UserMind, _ random: inout SplitMix) -> SoakCall {
        switch kind {
        case .openurl, .other: link(&mind, &random)
        case .push: push(&mind, &random)
        case .widget: widget(&mind, &random)
        case .handoff: handoff(&mind, &random)
        case .spotlight: spotlight(&mind, &random)
        case .shortcut: shortcut(&mind, &random)
        case .gesture: gesture(&mind, &random)
        case .intent: intent(&mind, &random)
        case .flow: flow(&mind, &random)
        case .signin: SessionWords.signIn(&mind, &random, facts: random.below(2) == 0 ? ["paymentMethod": "card"] : [:])
        case .signout: SessionWords.signOut(&mind)
        case .disconnect: WindowWords.disconnect(&mind)
        case .activation: WindowWords.activate(&mind, &random)
        case .mistake: mistake(&mind, &random)
        }
    }

    // MARK: - Places

    /// Where somebody in this state goes next, as a destination with its parameters.
    private func place(_ mind: inout UserMind, _ random: inout SplitMix) -> (id: String, parameter: (String, String)?) {
        let choice = random.below(100)
        switch (mind.state, choice) {
        case (.inCart, ..<50), (.signingIn, ..<20):
            mind.state = .checkout
            return ("checkout", nil)
        case (.checkout, ..<60):
            mind.state = .browsing
            return ("order", ("id", "o\(1 + random.below(9_999))"))
        case (.inSettings, ..<50):
            return ("settings", ("section", random.pick(["profile", "privacy", "payment"])))
        case (_, ..<40):
            mind.state = .browsing
            return ("product", ("id", "p\(1 + random.below(5_000))"))
        case (_, ..<60):
            mind.state = .browsing
            return ("category", ("slug", random.pick(["tea", "coffee", "mate", "fruit", "bread"])))
        case (_, ..<68):
            mind.state = .browsing
            return ("promo", ("code", random.pick(["SUMMER", "WINTER", "HELLO2026"])))
        case (_, ..<80):
            mind.state = .inCart
            return ("cart", nil)
        case (_, ..<86):
            mind.state = .signingIn
            return ("order", ("id", "o\(1 + random.below(9_999))"))
        case (_, ..<92):
            mind.state = .inSettings
            return ("settings", ("section", random.pick(["profile", "privacy", "payment"])))
        default:
            mind.state = random.below(3) == 0 ? .away : .browsing
            return (random.pick(["home", "orders", "account"]), nil)
        }
    }

    private func path(_ place: (id: String, parameter: (String, String)?)) -> String {
        place.id == "settings"
            ? "account/settings/\(place.parameter?.1 ?? "profile")"
            : place.parameter.map { "\(place.id)/\($0.1)" } ?? place.id
    }

    /// A universal link where the domain has one, a custom scheme for the rest and sometimes.
    private func url(_ place: (id: String, parameter: (String, String)?), _ random: inout SplitMix) -> String {
        guard place.id != "home", random.below(10) < 7 else { return "qcommerce://\(path(place))" }
        return "https://shop.example/\(path(place))"
    }

    // MARK: - Doors

    private func link(_ mind: inout UserMind, _ random: inout SplitMix) -> SoakCall {
        let place = place(&mind, &random)
        let url = url(place, &random)
        if url.hasPrefix("https"), random.below(3) == 0 {
            let parameters: JSONObject = [
                "activityType": "NSUserActivityTypeBrowsingWeb", "webpageURL": .string(url),
            ]
            return Events.to(&mind, .openurl, "ContinueActivity", parameters)
        }
        // Now and then nobody says which window, as from another app.
        if random.below(20) == 0 { return SoakCall(.openurl, "io.scened.Events.OpenURL", ["url": .string(url)]) }
        return Events.to(&mind, .openurl, "OpenURL", ["url": .string(url)])
    }

    private func push(_ mind: inout UserMind, _ random: inout SplitMix) -> SoakCall {
        let before = mind.state
        let place = place(&mind, &random)
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
            mind.state = before
            let silent: JSONObject = [
                "payload": ["aps": ["content-available": 1], "stock": .integer(random.below(100))]
            ]
            return Events.quietly(mind, .push, "Push", silent)
        case 1, 2:
            mind.state = before
            return Events.quietly(mind, .push, "Push", ["payload": .object(payload), "interaction": "present"])
        default:
            return Events.to(&mind, .push, "Push", ["payload": .object(payload), "interaction": "open"])
        }
    }

    private func widget(_ mind: inout UserMind, _ random: inout SplitMix) -> SoakCall {
        if random.below(3) == 0 {
            let order: JSONValue = .string("o\(1 + random.below(9_999))")
            mind.state = .signingIn
            return Events.to(&mind, .widget, "TapWidget", ["kind": "order-status", "userInfo": ["order": order]])
        }
        let url = url(place(&mind, &random), &random)
        return Events.to(
            &mind,
            .widget,
            "TapWidget",
            ["kind": "deals", "family": random.below(2) == 0 ? "systemSmall" : "systemMedium", "url": .string(url)]
        )
    }

    private func handoff(_ mind: inout UserMind, _ random: inout SplitMix) -> SoakCall {
        let place = place(&mind, &random)
        let parameters = JSONObject((place.parameter.map { [$0] } ?? []).map { ($0.0, JSONValue.string($0.1)) })
        return Events.to(
            &mind,
            .handoff,
            "ContinueActivity",
            [
                "activityType": "com.example.shop.view", "handoff": true,
                "userInfo": ["destination": .string(place.id), "parameters": .object(parameters)],
            ]
        )
    }

    private func spotlight(_ mind: inout UserMind, _ random: inout SplitMix) -> SoakCall {
        let place = place(&mind, &random)
        let identifier = place.parameter.map { "\(place.id)/\($0.1)" } ?? place.id
        return Events.to(
            &mind,
            .spotlight,
            "ContinueActivity",
            [
                "activityType": "com.apple.corespotlightitem",
                "userInfo": ["kCSSearchableItemActivityIdentifier": .string(identifier)],
            ]
        )
    }

    private func shortcut(_ mind: inout UserMind, _ random: inout SplitMix) -> SoakCall {
        let toCart = random.below(2) == 0
        mind.state = toCart ? .inCart : .browsing
        return Events.to(
            &mind,
            .shortcut,
            "PerformShortcut",
            ["type": toCart ? "com.example.shop.cart" : "com.example.shop.orders"]
        )
    }

    // MARK: - In the app

    private func gesture(_ mind: inout UserMind, _ random: inout SplitMix) -> SoakCall {
        switch random.below(10) {
        case 0, 1, 2:
            return Events.gesture(mind, .back)
        case 3, 4:
            return Events.gesture(mind, .swipeBack(cancelled: random.below(5) == 0))
        case 5:
            mind.state = .browsing
            return Events.gesture(mind, .dismiss)
        case 6:
            mind.state = .browsing
            return Events.gesture(mind, .swipeDown())
        default:
            mind.state = .browsing
            return Events.gesture(mind, .selectTab(random.pick(["home", "orders", "account"])))
        }
    }

    private func intent(_ mind: inout UserMind, _ random: inout SplitMix) -> SoakCall {
        func send(_ name: String, _ parameters: JSONObject = [:]) -> SoakCall {
            Events.inside(mind, .intent, "SendIntent", ["name": .string(name), "parameters": .object(parameters)])
        }
        let product: JSONObject = ["id": .string("p\(1 + random.below(5_000))")]
        switch (mind.state, random.below(10)) {
        case (.signingIn, ..<4):
            mind.state = .inCart
            return send("loginCompleted", ["user": .string(SessionWords.name(mind))])
        case (.signingIn, ..<6): return send("signUpRequested")
        case (.signingIn, ..<8):
            mind.state = .browsing
            return send("cancelled")
        case (.inCart, ..<5):
            mind.state = .checkout
            return send("checkoutTapped")
        case (_, ..<4): return send("productSelected", product)
        case (_, 4): return send("categorySelected", ["slug": "tea"])
        case (_, ..<8):
            mind.state = .signingIn
            return send("buyNow", product)
        case (_, 8):
            mind.state = .inCart
            return send("cartTapped")
        default:
            mind.state = .inSettings
            return send("accountTapped")
        }
    }

    private func flow(_ mind: inout UserMind, _ random: inout SplitMix) -> SoakCall {
        func finish(_ flow: String, _ result: String, _ more: JSONObject = [:]) -> SoakCall {
            var parameters: JSONObject = ["flow": .string(flow), "result": .string(result)]
            for (name, value) in more { parameters[name] = value }
            return Events.inside(mind, .flow, "FinishFlow", parameters)
        }
        let isGivenUp = random.below(5) == 0
        switch mind.state {
        case .checkout where random.below(2) == 0:
            mind.state = isGivenUp ? .inCart : .checkout
            return isGivenUp
                ? finish("addPayment", "cancelled")
                : finish("addPayment", "completed", ["facts": ["paymentMethod": "card"]])
        case .checkout:
            mind.state = .browsing
            return isGivenUp
                ? finish("checkout", "cancelled")
                : finish("checkout", "completed", ["facts": ["order": .string("o\(1 + random.below(9_999))")]])
        default:
            mind.state = isGivenUp ? .browsing : .inCart
            return isGivenUp
                ? finish("auth", "cancelled")
                : finish("auth", "completed", ["user": .string(SessionWords.name(mind))])
        }
    }

    private func mistake(_ mind: inout UserMind, _ random: inout SplitMix) -> SoakCall {
        switch random.below(6) {
        case 0: Events.inside(mind, .mistake, "OpenURL", ["url": "qcommerce://nowhere/at/all"])
        case 1: Events.inside(mind, .mistake, "OpenURL", ["url": "https://shop.example/product/none"])
        case 2: Events.inside(mind, .mistake, "OpenURL", ["url": "https://shop.example/help/returns"])
        case 3:
            Events.inside(mind, .mistake, "Push", ["payload": ["aps": ["alert": "Gone"], "url": "qcommerce://gone"]])
        case 4:
            Events.inside(
                mind,
                .mistake,
                "FinishFlow",
                ["flow": "checkout", "result": "completed", "facts": ["order": "o1"]]
            )
        default: Events.inside(mind, .mistake, "TapWidget", ["kind": "unknown"])
        }
    }
}
