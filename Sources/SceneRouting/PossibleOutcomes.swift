internal import SceneVocabulary

/// Why events of an app can end, by its manifest and by those that reloads put in its place (<doc:/SceneRuntime/Outcomes>).
package struct PossibleOutcomes: Sendable {
    private let (facts, gates): (KnownNames, KnownNames)
    /// Why an event can be rejected, but for reasons that go on.
    private let rejections: KnownNames

    package init(_ apps: [AppManifest]) {
        facts = KnownNames(apps.flatMap(\.facts).map(\.name))
        gates = KnownNames(
            apps.compactMap(\.lock?.flow) + apps.flatMap(\.roots).map(\.flow)
                + apps.flatMap(\.preconditions).map(\.name)
        )
        rejections = KnownNames(
            apps.flatMap { $0.conditions.map(\.name) + $0.preconditions.map(\.name) } + Reasons.rejected.sorted()
        )
    }

    /// Why no event has an outcome for this reason, or waits for this precondition; `nil` if one may. By which event one is superseded is
    /// not looked at.
    package func problem(with outcome: OutcomeName, because reason: String) -> ImpossibleExpectation? {
        switch outcome {
        case .gated: gates.contains(reason) ? nil : ImpossibleExpectation(no: "precondition", reason, among: gates.list)
        case .rejected: problem(withRejection: reason)
        case .ignored: Self.problem(with: reason, among: Reasons.ignored.sorted())
        case .abandoned: Self.problem(with: reason, among: Reasons.abandoned.sorted())
        case .superseded:
            reason.hasPrefix("by ")
                ? nil : ImpossibleExpectation("'\(reason)' does not say by what", expected: "'by' and the event's ID")
        case .applied, .unchanged, .delivered, .admitted:
            ImpossibleExpectation("'\(outcome.rawValue)' has no reason", expected: "'\(outcome.rawValue)' alone")
        }
    }

    private func problem(withRejection reason: String) -> ImpossibleExpectation? {
        if rejections.contains(reason) { return nil }
        if reason.hasPrefix("invalidFact: ") {
            let fact = String(reason.dropFirst("invalidFact: ".count))
            return facts.contains(fact) ? nil : ImpossibleExpectation(no: "fact", fact, among: facts.list)
        }
        let goesOn = Reasons.rejectedInWords.contains { reason.hasPrefix($0) && reason.utf8.count > $0.utf8.count }
        return goesOn ? nil : Self.problem(with: reason, among: rejections.list)
    }

    private static func problem(with reason: String, among known: [String]) -> ImpossibleExpectation? {
        known.contains(reason) ? nil : ImpossibleExpectation(no: "reason", reason, among: known)
    }
}
