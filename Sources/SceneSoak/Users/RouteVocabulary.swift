internal import SceneVocabulary
internal import SeededRandom
internal import StrictJSON

/// What people can do with any app: its links, gestures, sign-ins, and windows that come and go.
struct RouteVocabulary: Vocabulary {
    /// URLs that the app's routes take; at least one.
    let urls: [String]
    /// The tabs there are to tap.
    let tabs: [String]

    let kinds: [ActionKind] = [.openurl, .push, .gesture, .signin, .signout, .disconnect, .activation, .mistake]

    func call(_ kind: ActionKind, _ mind: inout UserMind, _ random: inout SplitMix) -> SoakCall {
        switch kind {
        case .push:
            // No app need have an adapter for pushes; what is only seen navigates nowhere in any.
            return Events.quietly(
                mind,
                .push,
                "Push",
                ["payload": ["aps": ["alert": "Have a look"]], "interaction": "present"]
            )
        case .gesture: return gesture(&mind, &random)
        case .signin: return SessionWords.signIn(&mind, &random, facts: [:])
        case .signout: return SessionWords.signOut(&mind)
        case .disconnect: return WindowWords.disconnect(&mind)
        case .activation: return WindowWords.activate(&mind, &random)
        case .mistake: return Events.inside(mind, .mistake, "OpenURL", ["url": "https://nowhere.invalid/at/all"])
        case .openurl, .widget, .handoff, .spotlight, .shortcut, .intent, .flow, .other:
            mind.state = random.below(10) == 0 ? .away : .browsing
            return Events.to(&mind, .openurl, "OpenURL", ["url": .string(random.pick(urls))])
        }
    }

    private func gesture(_ mind: inout UserMind, _ random: inout SplitMix) -> SoakCall {
        let touches: [Gesture] = [.back, .swipeBack(), .dismiss, .swipeDown()]
        let place = random.below(touches.count + (tabs.isEmpty ? 0 : 2))
        let gesture = touches.indices.contains(place) ? touches[place] : .selectTab(random.pick(tabs))
        return Events.gesture(mind, gesture)
    }
}
