/// How much of what happened a test has to speak of.
public enum Exhaustivity: Hashable, Sendable {
    /// Every op must be expected, in order, before the next event comes and before the test ends.
    case on
    /// Only what a test speaks of is looked at; ops between are skipped.
    case off
}
