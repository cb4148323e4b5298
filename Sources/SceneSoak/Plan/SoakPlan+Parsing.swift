extension SoakPlan {
    /// Reads a mix such as `links=40,pushes=20`: the weight of each kind of action, which may also be named as in reports.
    ///
    /// - Throws: A ``SoakPlanProblem`` that names the wrong part and lists the kinds.
    package static func mix(parsing text: String) throws(SoakPlanProblem) -> [String: Double] {
        func problem(_ what: String) -> SoakPlanProblem {
            let known = ActionKind.allCases.map(\.mixName).joined(separator: ", ")
            return SoakPlanProblem("mix", text, "\(what); expected name=weight with one of the names \(known).")
        }
        var mix: [String: Double] = [:]
        for part in text.split(separator: ",", omittingEmptySubsequences: false) {
            let words = part.split(separator: "=", maxSplits: 1, omittingEmptySubsequences: false)
            guard words.count == 2 else { throw problem("'\(part)' has no '='") }
            let name = String(words[0])
            guard let kind = ActionKind(named: name) else { throw problem("unknown kind '\(name)'") }
            guard let weight = Double(words[1]), weight.isFinite, (0...1e9).contains(weight) else {
                throw problem("'\(words[1])' is not a weight of 0 or more")
            }
            guard mix.updateValue(weight, forKey: kind.mixName) == nil else {
                throw problem("'\(name)' appears twice")
            }
        }
        guard mix.values.contains(where: { $0 > 0 }) else { throw problem("no weight is above 0") }
        return mix
    }
}

extension SoakPlan {
    /// Reads percentiles such as `50,90,99.9`: above 0, up to 100, in any order.
    package static func percentiles(parsing text: String) throws(SoakPlanProblem) -> [Double] {
        var percentiles: Set<Double> = []
        for part in text.split(separator: ",", omittingEmptySubsequences: false) {
            guard let value = Double(part), value > 0, value <= 100 else {
                throw SoakPlanProblem(
                    "percentiles",
                    text,
                    "'\(part)' is not a percentile; expected numbers above 0 and up to 100, such as 50,90,99.9."
                )
            }
            percentiles.insert(value)
        }
        return percentiles.sorted()
    }
}

/// A value of an option that cannot be used.
package struct SoakPlanProblem: Error, Hashable, Sendable, CustomStringConvertible {
    /// The option without its dashes.
    package let option: String
    /// As written.
    package let text: String
    /// What is wrong and what was expected, as a sentence.
    package let advice: String

    package init(_ option: String, _ text: String, _ advice: String) {
        self.option = option
        self.text = text
        self.advice = advice
    }

    package var description: String { "--\(option) \(text): \(advice)" }
}
