internal import SceneVocabulary
internal import Basics
internal import StrictJSON

/// Actions for any app: its links, gestures, sign-ins, and windows that disconnect and come back.
struct RouteActions: UserActions {
    /// URLs that the app's routes take; at least one.
    let urls: [String]
    /// The app's tabs.
    let tabs: [String]

    let kinds: [ActionKind] = [.openurl, .push, .gesture, .signin, .signout, .disconnect, .activation, .mistake]

    func call(_ kind: ActionKind, _ user: inout UserMemory, _ random: inout SplitMix) -> SoakCall {
        switch kind {
        case .push:
            // An app need not have an adapter for pushes, but any app can show one.
            return EventCalls.inside(
                user,
                .push,
                "Push",
                ["payload": ["aps": ["alert": "Have a look"]], "interaction": "present"]
            )
        case .gesture: return gesture(&user, &random)
        case .signin: return SessionCalls.signIn(&user, &random, facts: [:])
        case .signout: return SessionCalls.signOut(&user)
        case .disconnect: return WindowCalls.disconnect(&user)
        case .activation: return WindowCalls.activate(&user, &random)
        case .mistake: return EventCalls.inside(user, .mistake, "OpenURL", ["url": "https://nowhere.invalid/at/all"])
        case .openurl, .widget, .handoff, .spotlight, .shortcut, .intent, .flow, .other:
            user.state = random.below(10) == 0 ? .away : .browsing
            return EventCalls.to(&user, .openurl, "OpenURL", ["url": .string(random.pick(urls))])
        }
    }

    private func gesture(_ user: inout UserMemory, _ random: inout SplitMix) -> SoakCall {
        let touches: [Gesture] = [.back, .swipeBack(), .dismiss, .swipeDown()]
        let place = random.below(touches.count + (tabs.isEmpty ? 0 : 2))
        let gesture = touches.indices.contains(place) ? touches[place] : .selectTab(random.pick(tabs))
        return EventCalls.gesture(user, gesture)
    }
}
