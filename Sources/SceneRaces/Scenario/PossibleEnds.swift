internal import SceneHistory
internal import SceneManifest
internal import SceneNavigation
internal import SceneRouting
internal import SceneRuntime

/// What windows can show and events can end with, by a scenario's app and those that reloads put in its place.
struct PossibleEnds {
    /// What windows can show.
    let windows: PossibleWindows
    /// Why events can end.
    private let outcomes: PossibleOutcomes
    private let events: KnownNames
    /// The names of all values with which an intent may be answered.
    private let answers: [String: KnownNames]
    /// Whether code in Swift may answer, with names that no manifest declares.
    private let hasCode: Bool

    /// - Parameters:
    ///   - events: The IDs of all events.
    ///   - hasCode: Whether code in Swift may answer intents.
    init(_ apps: [AppManifest] = [], events: [String] = [], hasCode: Bool = false) {
        self.events = KnownNames(events)
        self.hasCode = hasCode
        windows = PossibleWindows(apps, saysSecrets: true)
        let flows = apps.flatMap(\.flows)
        outcomes = PossibleOutcomes(apps)
        var answers: [String: KnownNames] = [:]
        for intent in apps.flatMap(\.intents) + flows.flatMap(\.intents) {
            for case .answer(let values) in intent.effects.map(\.unconditional) {
                for name in values.keys.sorted() { answers[intent.name, default: KnownNames()].insert(name) }
            }
        }
        self.answers = answers
    }

    typealias Problem = ImpossibleExpectation

    /// Why a step, or the event of this name, cannot have this result; `nil` if it can.
    ///
    /// - Parameters:
    ///   - step: The step, or the one that submits the event.
    ///   - isStep: Whether the result of the step itself is expected.
    func problem(with result: ExpectedResult, of step: ScenarioStep, isStep: Bool) -> Problem? {
        Problem.of { () throws(Problem) in try check(result, of: step, isStep: isStep) }
    }

    /// Why an event of a step cannot be answered with these names; `nil` if it can.
    func problem(withAnswer names: [String], of step: ScenarioStep) -> Problem? {
        Problem.of { () throws(Problem) in try check(answer: names, of: step) }
    }

    // MARK: - Results

    private func check(_ result: ExpectedResult, of step: ScenarioStep, isStep: Bool) throws(Problem) {
        let possible = Self.outcomes(of: step, isStep: isStep)
        guard possible.contains(result.outcome) else {
            let what = isStep ? step.name : "an event of \(step.name)"
            throw Problem(
                "\(what) cannot be '\(result.outcome)'",
                expected: Self.isSet(step) && isStep
                    ? "\(possible.joined(separator: ", ")), or the results of its events, such as '\(step.events[0])'"
                    : "one of \(possible.joined(separator: ", "))"
            )
        }
        guard let detail = result.detail else { return }
        if case .read = step.action, result.outcome == "done" {
            // A step that reads says which revision it has read.
            guard detail.hasPrefix("revision "), let number = Int(detail.dropFirst("revision ".count)), number >= 0
            else {
                throw Problem("'\(detail)' is no revision", expected: "'done', or such as 'done revision 2'")
            }
            return
        }
        try check(detail, of: result.outcome)
    }

    private static func isSet(_ step: ScenarioStep) -> Bool {
        if case .submitSet = step.action { true } else { false }
    }

    /// What a step, or an event that it submits, can end with.
    private static func outcomes(of step: ScenarioStep, isStep: Bool) -> [String] {
        let isGesture = if case .submit(.action(.gesture), _, _) = step.action { true } else { false }
        switch step.action {
        case .submitSet where isStep: return ["done", "duplicate", "refused"]
        case .submit, .submitSet:
            return ExpectedResult.outcomes.filter { outcome in
                outcome != "done" && (isGesture || outcome != OutcomeName.ignored.rawValue)
            }
        default: return ["done", "refused"]
        }
    }

    private func check(_ detail: String, of outcome: String) throws(Problem) {
        switch (outcome, OutcomeName(rawValue: outcome)) {
        case (_, .superseded): try checkSuperseding(detail)
        case (_, let name?): if let problem = outcomes.problem(with: name, because: detail) { throw problem }
        case ("refused", nil):
            let errors = RefusalName.allCases.map(\.rawValue)
            if !errors.contains(detail) { throw Problem(no: "error", detail, among: errors) }
        default: throw Problem("'\(outcome)' has no reason", expected: "'\(outcome)' alone")
        }
    }

    /// The reason of what is superseded is `by` and the newer event's ID.
    private func checkSuperseding(_ detail: String) throws(Problem) {
        guard detail.hasPrefix("by ") else {
            let example = events.list.first.map { "such as 'superseded by \($0)'" }
            throw Problem("'\(detail)' does not say by what", expected: example)
        }
        let event = String(detail.dropFirst("by ".count))
        if !events.contains(event) { throw Problem(no: "event", event, among: events.list) }
    }

    // MARK: - Answers

    private func check(answer names: [String], of step: ScenarioStep) throws(Problem) {
        guard case .submit(.action(.intent(let intent, _)), _, _) = step.action else {
            throw Problem("\(step.name) is no intent, and only an intent is answered", expected: "null")
        }
        if hasCode { return }
        guard let known = answers[intent.name] else {
            throw Problem("the intent '\(intent.name)' answers nothing", expected: "null")
        }
        for name in names where !known.contains(name) { throw Problem(no: "answer", name, among: known.list) }
    }
}
