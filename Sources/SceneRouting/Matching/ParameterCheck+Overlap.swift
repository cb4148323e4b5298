extension ParameterCheck {
    /// Whether no text at all is of this type.
    var takesNothing: Bool {
        switch self {
        case .pattern(let pattern): !pattern.sharesText(with: pattern, minimumLength: 1)
        case .oneOf(let words): words.isEmpty
        case .integer(let minimum?, let maximum?): minimum > maximum
        case .list(let element): element.takesNothing
        case .string, .uuid, .integer: false
        }
    }

    /// Whether some text is of both types; only asked of types of one rank.
    func sharesValues(with other: ParameterCheck) -> Bool {
        switch (self, other) {
        case (.oneOf(let one), .oneOf(let other)): !Set(one).isDisjoint(with: other)
        case (.pattern(let one), .pattern(let other)): one.sharesText(with: other, minimumLength: 1)
        case (.integer(let low, let high), .integer(let otherLow, let otherHigh)):
            max(low ?? .min, otherLow ?? .min) <= min(high ?? .max, otherHigh ?? .max)
        default: true
        }
    }
}
