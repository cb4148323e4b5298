/// The roles that the methods of the socket API require: one line for each method, in the order of the interface files.
///
/// A method that is missing here is refused to everybody, and a test fails.
package enum MethodRoles {
    /// Pairs instead of a dictionary literal, which would trap if a method were listed twice; a test looks for that.
    package static let table: [(method: String, role: Role)] = [
        // An adapter sees everybody's events and decides where they lead.
        ("io.scened.Adapters.Register", .control),
        ("io.scened.Adapters.Answer", .control),
        // Takes the time of adapters in other processes.
        ("io.scened.Adapters.Try", .inject),
        ("io.scened.Adapters.List", .observe),

        ("io.scened.Control.Hold", .control),
        ("io.scened.Control.Await", .control),
        ("io.scened.Control.Release", .control),
        // Only waits; it changes nothing.
        ("io.scened.Control.Quiesce", .observe),
        ("io.scened.Control.Advance", .control),
        ("io.scened.Control.Reset", .control),

        ("io.scened.Events.OpenURL", .inject),
        ("io.scened.Events.OpenURLs", .inject),
        ("io.scened.Events.ContinueActivity", .inject),
        ("io.scened.Events.Push", .inject),
        ("io.scened.Events.TapWidget", .inject),
        ("io.scened.Events.PerformShortcut", .inject),
        // A screen of the app reports it; the system never does. It can sign in and out.
        ("io.scened.Events.SendIntent", .act),
        ("io.scened.Events.Gesture", .act),
        ("io.scened.Events.FinishFlow", .act),
        // Senders see only their own events.
        ("io.scened.Events.Get", .inject),

        ("io.scened.Manager.GetStatus", .observe), ("io.scened.Manager.GetManifest", .observe),
        ("io.scened.Manager.GetMetrics", .observe),
        ("io.scened.Manager.Reload", .manage),
        ("io.scened.Manager.Drain", .manage),

        // Returns whole events, with whatever the app put into them.
        ("io.scened.Recording.Read", .control),

        ("io.scened.Records.Read", .observe),
        // Takes time, like whatever serves tests alone.
        ("io.scened.Records.Check", .control),

        ("io.scened.Routing.Resolve", .observe),
        ("io.scened.Routing.Explain", .observe),
        ("io.scened.Routing.Routes", .observe),
        ("io.scened.Routing.Print", .observe),
        ("io.scened.Routing.MatchAssociation", .observe),

        // A finger opens and closes windows too, but in steps of the system. These put a window straight into any state.
        ("io.scened.Scenes.Connect", .mutate),
        ("io.scened.Scenes.SetActivation", .mutate),
        ("io.scened.Scenes.Disconnect", .mutate),
        ("io.scened.Scenes.Discard", .mutate),
        ("io.scened.Scenes.Get", .observe),
        ("io.scened.Scenes.List", .observe),

        ("io.scened.Session.Get", .observe),
        ("io.scened.Session.SignIn", .mutate),
        ("io.scened.Session.SignOut", .mutate),
        ("io.scened.Session.MarkStale", .mutate),
        ("io.scened.Session.Commit", .mutate),
    ]

    /// Roles that suffice as well: whoever may send something may ask what became of it.
    private static let others: [String: Role] = ["io.scened.Events.Get": .act]

    private static let roles = Dictionary(
        table.map { ($0.method, [$0.role] + [others[$0.method]].compactMap { $0 }) }
    ) { first, _ in first }

    /// The roles of which each suffices for the method of this full name, that of the table first; empty if the table does not
    /// know the method.
    package static func roles(for method: String) -> [Role] { roles[method] ?? [] }

    /// The methods of roles that change something by which nothing is changed that a host keeps. Adapters and holds are not kept.
    private static let harmless: Set = [
        "io.scened.Adapters.Register", "io.scened.Adapters.Answer", "io.scened.Adapters.Try", "io.scened.Control.Hold",
        "io.scened.Control.Await", "io.scened.Control.Release", "io.scened.Events.Get", "io.scened.Manager.Drain",
        "io.scened.Recording.Read", "io.scened.Records.Check",
    ]

    /// Whether a call of the method of this full name may change what a host keeps.
    package static func changesState(_ method: String) -> Bool {
        guard let role = roles(for: method).first else { return false }
        return role != .observe && !harmless.contains(method)
    }

    /// The methods that somebody with these roles may call, in the order of the table.
    package static func methods(for held: [Role]) -> [String] {
        table.map(\.method).filter { method in roles(for: method).contains { held.contains($0) } }
    }
}
