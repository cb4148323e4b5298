/// The engine's answer: a decision as data. Carrying it out is somebody else's job.
public enum RouteResolution: Hashable, Sendable {
    /// Every precondition and condition holds: show this.
    case proceed(Target)
    /// The first precondition in order that does not hold; once its flow has satisfied it, `resume` is resolved again
    /// from the start. Not an error.
    case gated(precondition: String, resume: RouteRequest)
}
