internal import StrictJSON

/// What a client may do with a call to which no answer came.
package enum Repetition: String, Hashable, Sendable {
    /// It changes nothing, so it is made again.
    case read
    /// It delivers an event, whose ID tells whether it was admitted.
    case event
    /// It names the revision of the session that it changes, so it changes it once at most.
    case revision
    /// Nothing would tell what it had done already.
    case never

    /// Each method of the daemon; a test compares them with the interface files and with the package for Python.
    package static let table: [(method: String, repetition: Repetition)] = [
        ("io.scened.Adapters.Register", .never), ("io.scened.Adapters.Answer", .never),
        ("io.scened.Adapters.Try", .read), ("io.scened.Adapters.List", .read),

        // Holds end with their connection.
        ("io.scened.Control.Hold", .never), ("io.scened.Control.Await", .never), ("io.scened.Control.Release", .never),
        ("io.scened.Control.Quiesce", .read),
        ("io.scened.Control.Advance", .never), ("io.scened.Control.Reset", .never),

        ("io.scened.Events.OpenURL", .event), ("io.scened.Events.OpenURLs", .event),
        ("io.scened.Events.ContinueActivity", .event), ("io.scened.Events.Push", .event),
        ("io.scened.Events.TapWidget", .event), ("io.scened.Events.PerformShortcut", .event),
        ("io.scened.Events.SendIntent", .event), ("io.scened.Events.Gesture", .event),
        ("io.scened.Events.FinishFlow", .event),
        ("io.scened.Events.Get", .read),

        ("io.scened.Manager.GetStatus", .read), ("io.scened.Manager.GetManifest", .read),
        ("io.scened.Manager.GetMetrics", .read),
        ("io.scened.Manager.Reload", .never), ("io.scened.Manager.Drain", .never),

        // A stream of its connection.
        ("io.scened.Recording.Read", .never),

        ("io.scened.Records.Read", .read), ("io.scened.Records.Check", .read),

        ("io.scened.Routing.Resolve", .read), ("io.scened.Routing.Explain", .read), ("io.scened.Routing.Routes", .read),
        ("io.scened.Routing.Print", .read), ("io.scened.Routing.MatchAssociation", .read),

        // Somebody else may have closed or moved the window in between.
        ("io.scened.Scenes.Connect", .never), ("io.scened.Scenes.SetActivation", .never),
        ("io.scened.Scenes.Disconnect", .never), ("io.scened.Scenes.Discard", .never),
        ("io.scened.Scenes.Get", .read), ("io.scened.Scenes.List", .read),

        // Somebody else may have signed in or out in between.
        ("io.scened.Session.Get", .read), ("io.scened.Session.SignIn", .never), ("io.scened.Session.SignOut", .never),
        ("io.scened.Session.MarkStale", .never), ("io.scened.Session.Commit", .revision),
    ]

    private static let byMethod = Dictionary(table.map { ($0.method, $0.repetition) }) { first, _ in first }

    /// That of a call with these parameters; a method that is not known is never repeated.
    init(of method: String, _ parameters: JSONObject) {
        let known = method.hasPrefix("org.varlink.service.") ? .read : Self.byMethod[method] ?? .never
        self = known == .revision && parameters["expectedRevision"] == nil ? .never : known
    }
}
