internal import StrictJSON

/// The state of a Handoff. The system announces the type first, because the activity has to be transferred from the other
/// device, which takes a while and can fail.
public enum HandoffStep: Hashable, Sendable {
    /// Only the type is known (`scene(_:willContinueUserActivityWithType:)`); there is nothing to navigate yet.
    case announced
    /// The activity is here (`scene(_:continue:)`).
    case arrived
    /// The activity will not come (`scene(_:didFailToContinueUserActivityWithType:error:)`), for this reason. There is
    /// nothing to navigate.
    case failed(reason: String)

    /// Reads the state from the parameters of a call.
    init(announced: Bool?, failure: String?) throws(JSONFieldError) {
        try TextFormats.requireText(failure, "failure")
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

    /// Throws an error if a member is present that only an arrived activity has, or if `handoff` is false.
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
