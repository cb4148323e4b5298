/// Something in what was asked for that cannot be: which option, where, and what would be right.
package struct SoakPlanProblem: Error, Hashable, Sendable, CustomStringConvertible {
    /// The option without its dashes.
    package let option: String
    /// As written.
    package let text: String
    /// What would be right, as a sentence.
    package let advice: String

    package init(_ option: String, _ text: String, _ advice: String) {
        self.option = option
        self.text = text
        self.advice = advice
    }

    package var description: String { "--\(option) \(text): \(advice)" }
}
