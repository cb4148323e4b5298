/// When a step took place: between which records.
package struct StepMark: Hashable, Sendable {
    /// The number of the newest record as the step began.
    package let began: Int
    /// The number of the newest record when it was refused, admitted or done.
    package let done: Int
}
