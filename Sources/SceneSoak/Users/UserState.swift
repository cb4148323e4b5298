/// What a user is currently doing with the app.
enum UserState: Hashable, Sendable, CaseIterable {
    /// Not using the app; only pushes, widgets and the like bring the user back.
    case away
    case browsing, inCart, signingIn, checkout, inSettings
    /// In a flow of any app, as seen in the window.
    case inFlow

    /// The actions in this state with their weights, when no mix is given.
    var habits: [(ActionKind, Double)] {
        switch self {
        case .away:
            [
                (.push, 40), (.openurl, 15), (.widget, 15), (.handoff, 8), (.spotlight, 6), (.shortcut, 6),
                (.activation, 4), (.disconnect, 4), (.mistake, 2),
            ]
        case .browsing:
            [
                (.intent, 25), (.openurl, 25), (.gesture, 22), (.push, 10), (.spotlight, 4), (.handoff, 3),
                (.shortcut, 3), (.widget, 2), (.activation, 3), (.mistake, 2), (.signout, 0.5), (.signin, 0.5),
                (.other, 1),
            ]
        case .inCart:
            [
                (.intent, 40), (.openurl, 20), (.gesture, 20), (.push, 8), (.activation, 3), (.shortcut, 4),
                (.disconnect, 1), (.mistake, 2),
            ]
        case .signingIn:
            [(.flow, 55), (.intent, 15), (.signin, 5), (.gesture, 10), (.push, 8), (.activation, 5), (.mistake, 2)]
        case .checkout:
            [(.flow, 45), (.openurl, 15), (.intent, 10), (.gesture, 15), (.push, 10), (.activation, 3), (.mistake, 2)]
        case .inFlow:
            [
                (.intent, 55), (.flow, 12), (.gesture, 10), (.push, 8), (.openurl, 5), (.activation, 3),
                (.disconnect, 2),
                (.mistake, 2), (.signin, 1), (.signout, 1), (.other, 1),
            ]
        case .inSettings:
            [
                (.gesture, 35), (.openurl, 25), (.intent, 20), (.push, 8), (.signout, 3), (.activation, 5),
                (.mistake, 2),
            ]
        }
    }
}
