internal import Basics
package import StrictJSON

/// The calls of a script in random order; each user sends them to its own window.
struct ScriptActions: UserActions {
    private let all: [SoakCall]
    private let calls: [ActionKind: [SoakCall]]

    /// `nil` if there are no calls.
    init?(_ calls: [SoakCall]) {
        guard !calls.isEmpty else { return nil }
        all = calls
        self.calls = Dictionary(grouping: calls, by: \.kind)
    }

    var kinds: [ActionKind] { ActionKind.allCases.filter { calls[$0] != nil } }

    func call(_ kind: ActionKind, _ user: inout UserMemory, _ random: inout SplitMix) -> SoakCall {
        let call = random.pick(calls[kind] ?? all)
        guard call.scene != nil else { return call }
        var parameters = call.parameters
        parameters["scene"] = .string(user.scene)
        // With its ID, every repetition would be a duplicate of the first.
        parameters["event"] = nil
        return SoakCall(call.kind, call.method, parameters)
    }
}

extension SoakCall {
    /// A step of a script.
    /// - Parameter method: The full name.
    package init(scripted method: String, _ parameters: JSONObject) {
        self.init(Self.kind(of: method, parameters), method, parameters)
    }

    private static func kind(of method: String, _ parameters: JSONObject) -> ActionKind {
        switch method.dropFirst("io.scened.".count) {
        case "Events.OpenURL", "Events.OpenURLs": .openurl
        case "Events.ContinueActivity":
            switch parameters["activityType"]?.stringValue {
            case "NSUserActivityTypeBrowsingWeb": .openurl
            case "com.apple.corespotlightitem", "com.apple.corespotlightquerycontinuation": .spotlight
            default: .handoff
            }
        case "Events.Push": .push
        case "Events.TapWidget": .widget
        case "Events.PerformShortcut": .shortcut
        case "Events.Gesture": .gesture
        case "Events.SendIntent": .intent
        case "Events.FinishFlow": .flow
        case "Session.SignIn": .signin
        case "Session.SignOut": .signout
        case "Scenes.Connect", "Scenes.Disconnect", "Scenes.Discard": .disconnect
        case "Scenes.SetActivation": .activation
        default: .other
        }
    }
}
