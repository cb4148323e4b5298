internal import CommandConsole
internal import SceneSoak

extension SoakVerdict {
    /// The verdict for a CI system: a case for each thing that every soak is judged by, and one for each objective.
    /// - Parameter soak: What the soak is called, if it is one of several.
    func cases(of run: SoakRun, called soak: String? = nil) -> [CaseReport.Case] {
        func name(_ text: String) -> String { soak.map { "\($0): \(text)" } ?? text }
        let judged = Reason.Kind.allCases.filter { $0 != .objective }.map { kind in
            let texts = reasons.filter { $0.kind == kind }
            let text = texts.map(\.text).joined(separator: "\n")
            let outcome: CaseReport.Outcome =
                texts.first.map { $0.isGuilt ? .failed($0.text, text: text) : .unjudged($0.text, text: text) }
                ?? unasked(kind, run).map { .skipped($0) } ?? .passed
            return CaseReport.Case(name(kind.promise), outcome)
        }
        return judged + objectives.map { CaseReport.Case(name($0.objective), $0.outcome) }
    }
}

extension SoakVerdict {
    /// Why a soak without such a reason was not judged by it either; `nil` if it was.
    private func unasked(_ kind: Reason.Kind, _ run: SoakRun) -> String? {
        switch kind {
        case .fault: run.plan.map(\.faults.isEmpty) ?? true ? "no fault was planned" : nil
        case .leak: trends.contains { $0.subject != .latency && $0.line != nil } ? nil : "the soak is too short to tell"
        case .drift:
            trends.contains { $0.subject == .latency && $0.line != nil } ? nil : "the soak is too short to tell"
        case .trend: trends.contains { $0.line != nil } ? nil : "the soak is too short for that to be expected"
        default: nil
        }
    }
}

extension SoakObjectiveResult {
    fileprivate var outcome: CaseReport.Outcome {
        switch state {
        case .met: .passed
        case .missed: .failed("missed: \(seen ?? "?")")
        case .unknown(let why): .unjudged("cannot be judged: \(why)")
        }
    }
}

extension SoakVerdict.Reason.Kind {
    /// What holds where there is no such reason.
    fileprivate var promise: String {
        switch self {
        case .invariant: "every invariant holds"
        case .vanished: "the daemon does not disappear"
        case .lost: "no event is lost"
        case .ended: "the soak lasts as long as planned"
        case .unapplied: "events are applied"
        case .objective: "objectives are met"
        case .leak: "what the daemon uses does not grow"
        case .drift: "latency does not grow"
        case .gap: "no record is missing"
        case .unchecked: "all records are checked"
        case .fault: "each fault is caused"
        case .coverage: "the app is reached"
        case .trend: "it can be told whether anything grows"
        }
    }
}
