/// One run on the way to a smaller failure.
public struct Trial: Sendable {
    public let steps: [Step]
    /// What kind of failure it was, the same for the same bug whatever its schedule; nil for a run that passed.
    public let failure: String?

    public init(steps: [Step], failure: String?) {
        self.steps = steps
        self.failure = failure
    }
}
