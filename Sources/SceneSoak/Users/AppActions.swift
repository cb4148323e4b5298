internal import Basics
internal import SceneRouting
internal import SceneVocabulary
internal import StrictJSON

/// Actions for any app, made from its manifest: its links and whatever else its adapters take, the actions of its notifications,
/// what the screens shown may report, the ends of the flows shown, gestures, sign-ins, and facts that change.
struct AppActions: UserActions {
    let manifest: AppManifest
    let samples: ManifestSamples
    /// What the users see.
    let seen: SeenWindows
    let kinds: [ActionKind]
    /// The flows by the screens that belong to them alone.
    private let flowsOfScreens: [String: String]
    private let flows: [String: FlowDeclaration]
    /// Whether something asks for a fresh sign-in.
    private let knowsStale: Bool

    init(_ manifest: AppManifest, samples: ManifestSamples, seen: SeenWindows) {
        self.manifest = manifest
        self.samples = samples
        self.seen = seen
        flows = Dictionary(manifest.flows.map { ($0.name, $0) }) { first, _ in first }
        let screens = manifest.flows.flatMap { flow in flow.screens.map { ($0.id, flow.name) } }
        let owners = Dictionary(grouping: screens, by: \.0)
        flowsOfScreens = owners.compactMapValues { $0.count == 1 ? $0[0].1 : nil }
        knowsStale = manifest.preconditions.contains { $0.holds.asksForFreshSignIn }
        kinds = ActionKind.allCases.filter { kind in
            switch kind {
            case .openurl: !samples.links.isEmpty
            case .push, .gesture, .signin, .signout, .disconnect, .activation, .mistake: true
            case .widget, .handoff, .spotlight, .shortcut: !manifest.adapters(of: kind).isEmpty
            case .intent: !manifest.intents.isEmpty || manifest.flows.contains { !$0.intents.isEmpty }
            case .flow: !manifest.flows.isEmpty
            case .other: !manifest.facts.isEmpty
            }
        }
    }

    func look(_ user: inout UserMemory) {
        let isInFlow = seen.window(of: user.scene).map { flowInFront(of: $0) != nil } ?? false
        if isInFlow { user.state = .inFlow } else if user.state == .inFlow { user.state = .browsing }
    }

    func call(_ kind: ActionKind, _ user: inout UserMemory, _ random: inout SplitMix) -> SoakCall {
        switch kind {
        case .openurl: link(&user, &random)
        case .push: push(&user, &random)
        case .widget, .handoff, .spotlight, .shortcut: event(kind, &user, &random) ?? link(&user, &random)
        case .gesture: gesture(user, &random)
        case .intent: intent(user, &random) ?? gesture(user, &random)
        case .flow: finish(user, &random) ?? gesture(user, &random)
        case .signin: SessionCalls.signIn(&user, &random, facts: [:])
        case .signout: signOut(&user, &random)
        case .disconnect: WindowCalls.disconnect(&user)
        case .activation: WindowCalls.activate(&user, &random)
        case .mistake: mistake(user, &random)
        case .other: commit(user, &random)
        }
    }

    /// Opens one of the app's links, now and then several at once. Now and then nobody says in which window, as from another app.
    func link(_ user: inout UserMemory, _ random: inout SplitMix) -> SoakCall {
        guard !samples.links.isEmpty else { return gesture(user, &random) }
        let url = random.pick(samples.links)
        user.state = random.below(10) == 0 ? .away : .browsing
        if random.below(12) == 0 {
            let urls = (0..<random.below(3) + 2).map { _ in random.pick(samples.links) }
            if let set = EventCalls.set(&user, urls, &random) { return set }
        }
        if url.hasPrefix("https:"), random.below(3) == 0 {
            let web: JSONObject = ["activityType": "NSUserActivityTypeBrowsingWeb", "webpageURL": .string(url)]
            return EventCalls.to(&user, .openurl, "ContinueActivity", web)
        }
        if random.below(20) == 0 { return SoakCall(.openurl, "io.scened.Events.OpenURL", ["url": .string(url)]) }
        return EventCalls.to(&user, .openurl, "OpenURL", ["url": .string(url)])
    }

    // MARK: - In the window

    /// The flow to which the screen in front belongs.
    private func flowInFront(of window: SeenWindow) -> FlowDeclaration? {
        (window.flowInFront ?? flowsOfScreens[window.topmost.id]).flatMap { flows[$0] }
    }

    private func gesture(_ user: UserMemory, _ random: inout SplitMix) -> SoakCall {
        let touches: [Gesture] = [
            .back, .back, .swipeBack(), .swipeBack(cancelled: true), .dismiss, .swipeDown(),
            .swipeDown(cancelled: true),
        ]
        let tabs = manifest.tabs
        let place = random.below(touches.count + (tabs.isEmpty ? 0 : 3))
        return EventCalls.gesture(
            user,
            touches.indices.contains(place) ? touches[place] : .selectTab(random.pick(tabs).id)
        )
    }

    /// What the screen in front may report, or any screen; mostly what leads on, or the ends of long flows would rarely be reached.
    /// Now and then a covered screen reports something by itself.
    private func intent(_ user: UserMemory, _ random: inout SplitMix) -> SoakCall? {
        let window = seen.window(of: user.scene)
        let covered = window?.covered ?? []
        let reporter = !covered.isEmpty && random.below(10) == 0 ? random.pick(covered) : nil
        let screen = reporter ?? window?.topmost
        let flow =
            reporter.map { flowsOfScreens[$0.id].flatMap { flows[$0] } } ?? window.flatMap { flowInFront(of: $0) }
        func fits(_ intent: IntentDeclaration) -> Bool {
            intent.screens.isEmpty || screen.map { intent.screens.contains($0.id) } ?? true
        }
        let own = (flow?.intents ?? []).filter(fits).map { ($0, weight: $0.leadsOn ? 16 : 3) }
        let all = manifest.intents.filter(fits).map { ($0, weight: $0.endsSignIn || flow != nil ? 1 : 8) }
        var choices = own + all
        while !choices.isEmpty {
            var rest = random.below(choices.reduce(0) { $0 + $1.weight })
            let index = choices.firstIndex { choice in
                rest -= choice.weight
                return rest < 0
            }
            let intent = choices.remove(at: index ?? 0).0
            let name = SessionCalls.name(user)
            let shown = screen?.parameters ?? [:]
            guard let values = samples.parameters(intent.parameters, shown: shown, user: name, &random) else {
                continue
            }
            var parameters: JSONObject = [
                "name": .string(intent.name), "parameters": .object(JSONObject(texts: values)),
            ]
            parameters["from"] = reporter.map { .string($0.id) }
            return EventCalls.inside(user, .intent, "SendIntent", parameters)
        }
        return nil
    }

    /// Reports the end of a flow that is shown; of any if none is.
    private func finish(_ user: UserMemory, _ random: inout SplitMix) -> SoakCall? {
        guard !manifest.flows.isEmpty else { return nil }
        let window = seen.window(of: user.scene)
        let shown = window.flatMap { flowInFront(of: $0) }
        let below = window.map { $0.flows.compactMap { flows[$0] } } ?? []
        let flow = random.below(8) == 0 && !below.isEmpty ? random.pick(below) : shown ?? random.pick(manifest.flows)
        var parameters: JSONObject = ["flow": .string(flow.name), "result": "cancelled"]
        if random.below(5) > 0 {
            let name = SessionCalls.name(user)
            parameters["result"] = "completed"
            if flow.completionNeedsUser { parameters["user"] = .string(name) }
            if let values = samples.parameters(flow.result, user: name, &random), !values.isEmpty {
                parameters["values"] = .object(JSONObject(texts: values))
            }
        }
        return EventCalls.inside(user, .flow, "FinishFlow", parameters)
    }

    // MARK: - The session

    /// Signs out; in an app that asks for a fresh sign-in, makes it stale as often.
    private func signOut(_ user: inout UserMemory, _ random: inout SplitMix) -> SoakCall {
        guard knowsStale, random.below(2) == 0 else { return SessionCalls.signOut(&user) }
        return SoakCall(.signout, "io.scened.Session.MarkStale", ["scene": .string(user.scene)])
    }

    /// Sets one of the app's facts, or resets it.
    private func commit(_ user: UserMemory, _ random: inout SplitMix) -> SoakCall {
        var parameters: JSONObject = ["scene": .string(user.scene)]
        if let (name, value) = samples.fact(&random) {
            if random.below(3) == 0 {
                parameters["remove"] = [.string(name)]
            } else {
                parameters["set"] = .object(JSONObject([(name, JSONValue(value))]))
            }
        }
        return SoakCall(.other, "io.scened.Session.Commit", parameters)
    }

    /// What every app refuses, or turns away.
    private func mistake(_ user: UserMemory, _ random: inout SplitMix) -> SoakCall {
        switch random.below(4) {
        case 0:
            let url = manifest.schemes.first.map { "\($0)://nowhere/at/all" } ?? "https://nowhere.invalid/at/all"
            return EventCalls.inside(user, .mistake, "OpenURL", ["url": .string(url)])
        case 1: return EventCalls.inside(user, .mistake, "SendIntent", ["name": "nobodyKnowsThis"])
        case 2 where !manifest.flows.isEmpty:
            let flow = random.pick(manifest.flows).name
            return EventCalls.inside(user, .mistake, "FinishFlow", ["flow": .string(flow), "result": "cancelled"])
        default: return EventCalls.inside(user, .mistake, "TapWidget", ["kind": "nobodyKnowsThis"])
        }
    }
}

extension IntentDeclaration {
    /// Whether it goes on in its flow: to another screen, to another flow, or to the end.
    fileprivate var leadsOn: Bool {
        effects.contains { effect in
            switch effect.unconditional {
            case .push, .replace, .start, .complete: true
            default: false
            }
        }
    }

    /// Whether it signs out, or makes the sign-in stale.
    fileprivate var endsSignIn: Bool {
        effects.contains { [.signOut, .markStale].contains($0.unconditional) }
    }
}

extension FactPredicate {
    fileprivate var asksForFreshSignIn: Bool {
        switch self {
        case .freshSignIn: true
        case .all(let parts), .any(let parts): parts.contains { $0.asksForFreshSignIn }
        case .not(let part): part.asksForFreshSignIn
        default: false
        }
    }
}

extension JSONObject {
    /// Texts by name, sorted.
    init(texts: [String: String]) {
        self.init(texts.sorted { $0.key < $1.key }.map { ($0.key, JSONValue.string($0.value)) })
    }
}

extension JSONValue {
    /// The value of a fact.
    init(_ fact: FactValue) {
        self =
            switch fact {
            case .string(let text): .string(text)
            case .integer(let integer): .integer(integer)
            case .number(let number): .number(number)
            case .boolean(let boolean): .bool(boolean)
            case .strings(let texts): .array(texts.map(JSONValue.string))
            }
    }
}
