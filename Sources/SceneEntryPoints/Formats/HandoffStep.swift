internal import StrictJSON

/// How far a Handoff has come. The system announces the type first, because the activity itself has to travel from the
/// other device, which takes a while and can fail.
public enum HandoffStep: Hashable, Sendable {
    /// Only the type is known (`scene(_:willContinueUserActivityWithType:)`); there is nothing to navigate yet.
    case announced
    /// The activity is here (`scene(_:continue:)`).
    case arrived
    /// The activity will not come (`scene(_:didFailToContinueUserActivityWithType:error:)`), for this reason; there is
    /// nothing to navigate, and nothing the app could have done otherwise.
    case failed(reason: String)

    /// Reads the two members of a call that say it.
    init(announced: Bool?, failure: String?) throws(JSONFieldError) {
        try CallParameter.requireText(failure, "failure")
        switch (announced, failure) {
        case (true?, .some(let failure)):
            throw JSONFieldError(
                path: "failure",
                expected: "nothing, because announced is true",
                found: failure.quotedForMessage
            )
        case (true?, nil): self = .announced
        case (_, .some(let failure)): self = .failed(reason: failure)
        case (_, nil): self = .arrived
        }
    }

    /// Refuses members that only an activity has, and a `handoff` that denies being one.
    func requireNothingElse(handoff: Bool?, _ members: [(name: String, isThere: Bool)]) throws(JSONFieldError) {
        let cause = self == .announced ? "announced is true" : "failure is given"
        if handoff == false {
            throw JSONFieldError(path: "handoff", expected: "true or nothing, because \(cause)", found: "false")
        }
        if let member = members.first(where: \.isThere) {
            throw JSONFieldError(
                path: JSONPath(.member(member.name)),
                expected: "nothing, because \(cause)",
                found: "a value"
            )
        }
    }
}
