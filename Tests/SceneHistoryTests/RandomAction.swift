import SceneNavigation
import SceneRouting
import SceneRuntime
import Basics
import SceneSoak

/// What a user might do in a window of the built-in shop, or of an app that begins with a login.
enum RandomAction {
    /// - Parameter users: Who may sign in.
    static func next(_ random: inout SplitMix, users: [String] = ["mina", "theo"]) -> SceneAction {
        switch random.below(10) {
        case 0...4: .intent(intent(&random, users))
        case 5...7: .gesture(gesture(&random))
        default:
            finish(
                ["auth", "addPayment", "checkout", "onboarding", "choosePin", "transfer"][random.below(6)],
                &random,
                users
            )
        }
    }

    /// Something that the app declares, whether or not it fits what is shown: an intent, a gesture, a flow's end.
    static func declared(
        by manifest: AppManifest,
        _ samples: ManifestSamples,
        _ random: inout SplitMix,
        users: [String]
    ) -> SceneAction {
        switch random.below(6) {
        case 0...2:
            let intent = random.pick(manifest.intents + manifest.flows.flatMap(\.intents))
            let parameters = samples.parameters(intent.parameters, user: random.pick(users), &random)
            return .intent(Intent(name: intent.name, parameters: parameters ?? [:]))
        case 3: return .gesture(.selectTab(random.pick(manifest.tabs).id))
        case 4: return .gesture(gesture(&random))
        default: return finish(random.pick(manifest.flows), samples, &random, users)
        }
    }

    /// What the flow whose screen is on top could report: an intent, or its end. `nil` if there is no flow.
    static func fitting(
        _ window: WindowState,
        _ manifest: AppManifest,
        _ samples: ManifestSamples,
        _ random: inout SplitMix,
        users: [String]
    ) -> SceneAction? {
        guard let screen = window.topmost?.id else { return nil }
        if random.below(6) == 0, let flow = manifest.flows.first(where: { $0.screens.contains { $0.id == screen } }) {
            return finish(flow, samples, &random, users)
        }
        let names = manifest.flows.flatMap { flow in
            guard flow.screens.contains(where: { $0.id == screen }) else { return [String]() }
            let intents = flow.intents.filter { $0.screens.isEmpty || $0.screens.contains(screen) }
            // Mostly forward, or the last screens of a flow would rarely be reached.
            return intents.flatMap { Array(repeating: $0.name, count: $0.effects.contains(where: isForward) ? 8 : 1) }
        }
        guard !names.isEmpty else { return nil }
        let name = names[random.below(names.count)]
        let known = intents(&random, users).first { $0.name == name }?.parameters
        let declared = manifest.flows.flatMap(\.intents).first { $0.name == name }
        let shown = window.topmost?.parameters ?? [:]
        let given = declared.flatMap {
            samples.parameters($0.parameters, shown: shown, user: random.pick(users), &random)
        }
        return .intent(Intent(name: name, parameters: known ?? given ?? [:]))
    }

    private static func isForward(_ effect: IntentEffect) -> Bool {
        switch effect {
        case .push, .replace, .start: true
        default: false
        }
    }

    private static func intent(_ random: inout SplitMix, _ users: [String]) -> Intent {
        let intents = intents(&random, users)
        let (name, parameters) = intents[random.below(intents.count)]
        return Intent(name: name, parameters: parameters)
    }

    private static func intents(
        _ random: inout SplitMix,
        _ users: [String]
    ) -> [(name: String, parameters: [String: String])] {
        let product = ["id": "p\(random.below(3))"]
        let user = ["user": random.pick(users)]
        let email = ["email": "mina@shop.example"]
        return [
            ("productSelected", product), ("categorySelected", ["slug": "fruit"]), ("cartTapped", [:]),
            ("checkoutTapped", [:]), ("orderSelected", ["id": "o7"]), ("buyNow", product), ("accountTapped", [:]),
            ("signOutTapped", [:]), ("signUpRequested", [:]), ("signUpCancelled", [:]), ("emailCaptured", email),
            ("emailVerified", email), ("verificationCancelled", [:]), ("passwordCaptured", [:]),
            ("loginCompleted", user), ("signUpCompleted", user), ("cancelled", [:]),
            ("paymentAdded", ["method": "card"]),
            ("orderPlaced", ["order": "o9"]), ("nobodyKnows", [:]), ("started", [:]), ("termsAccepted", user),
            ("restarted", [:]), ("accountSelected", ["id": "a1"]), ("transferTapped", [:]), ("transferred", [:]),
            ("pinChosen", ["pin": "1234"]),
        ]
    }

    private static func gesture(_ random: inout SplitMix) -> Gesture {
        let tabs = ["home", "orders", "account", "accounts", "profile"]
        let gestures: [Gesture] = [
            .back, .swipeBack(), .swipeBack(cancelled: true), .dismiss, .swipeDown(), .swipeDown(cancelled: true),
            .selectTab(tabs[random.below(tabs.count)]),
        ]
        return gestures[random.below(gestures.count)]
    }

    private static func finish(
        _ flow: FlowDeclaration,
        _ samples: ManifestSamples,
        _ random: inout SplitMix,
        _ users: [String]
    ) -> SceneAction {
        let action = finish(flow.name, &random, users)
        guard case .finishFlow(_, .completed(var completion)) = action else { return action }
        if flow.completionNeedsUser { completion.user = random.pick(users) }
        completion.values = samples.parameters(flow.result, user: random.pick(users), &random) ?? [:]
        return .finishFlow(flow.name, .completed(completion))
    }

    private static func finish(_ flow: String, _ random: inout SplitMix, _ users: [String]) -> SceneAction {
        guard random.below(3) > 0 else { return .finishFlow(flow, .cancelled) }
        var completion = FlowCompletion()
        if ["auth", "onboarding", "welcome"].contains(flow) { completion.user = random.pick(users) }
        switch random.below(3) {
        case 0 where flow == "addPayment": completion.facts["paymentMethod"] = .string("card")
        case 0 where flow == "checkout": completion.facts["order"] = .string("o5")
        case 0 where flow == "choosePin": completion.facts["pin"] = .string("4321")
        default: break
        }
        return .finishFlow(flow, .completed(completion))
    }
}
