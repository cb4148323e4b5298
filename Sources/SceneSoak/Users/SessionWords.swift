internal import SeededRandom
internal import StrictJSON

/// Who signs in and out: the session is one, so each of these concerns every window.
enum SessionWords {
    /// Families share devices: there are fewer names than users.
    static func name(_ mind: UserMind) -> String { "user-\(mind.number % 16)" }

    static func signIn(_ mind: inout UserMind, _ random: inout SplitMix, facts: JSONObject) -> SoakCall {
        mind.state = random.below(2) == 0 ? .inCart : .browsing
        var parameters: JSONObject = ["user": .string(name(mind)), "scene": .string(mind.scene)]
        if !facts.isEmpty { parameters["facts"] = .object(facts) }
        return SoakCall(.signin, "io.scened.Session.SignIn", parameters)
    }

    static func signOut(_ mind: inout UserMind) -> SoakCall {
        mind.state = .browsing
        return SoakCall(.signout, "io.scened.Session.SignOut", ["scene": .string(mind.scene)])
    }
}
