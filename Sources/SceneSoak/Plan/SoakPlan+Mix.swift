extension SoakPlan {
    /// Reads `links=40,pushes=20`: how often each kind of action comes, relative to the others.
    ///
    /// - Throws: Which part is wrong, with the kinds there are.
    package static func mix(parsing text: String) throws(SoakPlanProblem) -> [String: Double] {
        func problem(_ what: String) -> SoakPlanProblem {
            let known = ActionKind.allCases.map(\.mixName).joined(separator: ", ")
            return SoakPlanProblem("mix", text, "\(what); name=weight would be right, with names out of \(known).")
        }
        var mix: [String: Double] = [:]
        for part in text.split(separator: ",", omittingEmptySubsequences: false) {
            let words = part.split(separator: "=", maxSplits: 1, omittingEmptySubsequences: false)
            guard words.count == 2 else { throw problem("'\(part)' has no '='") }
            let name = String(words[0])
            guard ActionKind.allCases.contains(where: { $0.mixName == name }) else {
                throw problem("there is no kind '\(name)'")
            }
            guard let weight = Double(words[1]), weight.isFinite, (0...1e9).contains(weight) else {
                throw problem("'\(words[1])' is no weight of 0 or more")
            }
            guard mix.updateValue(weight, forKey: name) == nil else { throw problem("'\(name)' stands there twice") }
        }
        guard mix.values.contains(where: { $0 > 0 }) else { throw problem("nothing has a weight above 0") }
        return mix
    }
}
