/// The members that a scenario file may have, part by part: what the reader takes, and what `protocol/scenario.schema.json` says.
package enum ScenarioWords {
    package static let file = [
        "name", "description", "app", "policy", "settings", "windows", "session", "setup", "actors", "expect",
    ]
    package static let required = ["name", "description", "windows", "actors"]
    package static let settings = ["transitionMilliseconds", "mailboxCapacity"]
    package static let window = ["configuration"]
    package static let session = ["user", "facts"]
    package static let expectation = ["windows", "session", "results"]
    package static let expectedSession = ["user", "facts", "revision"]
    package static let reload = ["app", "without"]
    /// What a step may do, with the members that go with it; `as` goes with all.
    package static let verbs: [(verb: String, members: [String])] = [
        ("open", ["sourceApplication", "scene", "event", "until"]),
        ("activity", ["scene", "event", "until"]), ("push", ["scene", "event", "until"]),
        ("widget", ["scene", "event", "until"]), ("shortcut", ["scene", "event", "until"]),
        ("intent", ["parameters", "scene", "event", "until"]),
        ("gesture", ["tab", "cancelled", "scene", "event", "until"]),
        ("finish", ["result", "user", "facts", "scene", "event", "until"]),
        ("signIn", ["facts", "expiresInMilliseconds"]), ("signOut", []), ("commit", ["remove", "basedOnRead"]),
        ("read", []), ("connect", ["configuration"]), ("activate", ["to"]), ("disconnect", []), ("discard", []),
        ("reload", []), ("wait", []),
    ]
    /// Steps that one word says.
    package static let bareVerbs = ["signOut", "read"]
}
