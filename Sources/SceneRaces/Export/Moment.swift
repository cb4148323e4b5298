internal import SceneRuntime

/// An occurrence in a run whose order with others can matter.
struct Moment: Hashable {
    /// A sequence of moments that follow each other without further commands.
    enum Line: Hashable {
        /// A step of the scenario, by its number among all.
        case step(Int)
        /// An attempt of an event in a window; 1 is its dispatch, more are resumes.
        case work(scene: String, event: String, attempt: Int)
        /// A sweep of a window, counted from 1.
        case sweep(scene: String, number: Int)
    }

    let line: Line
    /// The kind of its record; `nil` for a step of the scenario, and in an attempt ``RecordKind/sceneSwept`` for a removal of what belonged to a
    /// user who has left. The beginning of a dispatch depends on nothing, so it is not a moment.
    let kind: RecordKind?
    /// The window, if it concerns only one.
    let scene: String?

    /// The name in messages.
    var name: String { kind?.rawValue ?? "the step" }

    var isInside: Bool {
        if case .step = line { false } else { true }
    }
}

/// Decides which moments of a run have to keep their order for the run to end in the same way.
struct MomentOrder {
    private let moments: [Moment]
    private let steps: [ScenarioStep]
    /// The actor of each step.
    private let actor: [Int]

    init(_ scenario: Scenario, _ moments: [Moment]) {
        self.moments = moments
        steps = scenario.actors.flatMap(\.steps)
        actor = scenario.actors.enumerated().flatMap { index, actor in actor.steps.map { _ in index } }
    }

    /// Whether the first moment, which came first, has to come first again.
    func isBefore(_ first: Int, _ second: Int) -> Bool {
        let (a, b) = (moments[first], moments[second])
        if a.line == b.line || isNatural(first, second) { return true }
        switch (a.line, b.line) {
        case (.step(let one), .step(let other)):
            return actor[one] == actor[other] || concernTheSame(a, b, steps[one], steps[other])
        case (.step(let number), _): return matters(steps[number], a, to: b)
        case (_, .step(let number)):
            return matters(steps[number], b, to: a) || isWaited(for: a, by: number)
        default:
            return a.kind == .sessionCommitted && isJudged(b) || b.kind == .sessionCommitted && isJudged(a)
        }
    }

    /// Whether the first moment comes first without anything being held.
    func isNatural(_ first: Int, _ second: Int) -> Bool {
        let (a, b) = (moments[first], moments[second])
        if a.line == b.line { return true }
        // A window does one thing at a time; only a gesture during a transition ends before its turn.
        if a.isInside, b.isInside, let scene = a.scene, scene == b.scene { return isWhollyBefore(a.line, b.line) }
        switch (a.line, b.line) {
        case (.step(let number), .work(_, let event, let attempt)):
            return steps[number].events.contains(event) || attempt > 1 && steps[number].isCommit
        case (.step(let number), .sweep): return steps[number].isCommit
        case (.work, .work(_, _, let attempt)): return a.kind == .sessionCommitted && attempt > 1
        case (.work, .sweep): return a.kind == .sessionCommitted
        default: return false
        }
    }

    private func isWhollyBefore(_ first: Moment.Line, _ second: Moment.Line) -> Bool {
        guard let last = moments.lastIndex(where: { $0.line == first }) else { return false }
        return last < moments.firstIndex { $0.line == second } ?? 0
    }

    /// Whether a moment depends on the newest commit.
    private func isJudged(_ moment: Moment) -> Bool {
        switch moment.kind {
        case .dispatchResolved, .navigationStep, .gateParked, .sceneSwept, .sessionCommitted: true
        default: false
        }
    }

    private func concernTheSame(_ a: Moment, _ b: Moment, _ one: ScenarioStep, _ other: ScenarioStep) -> Bool {
        if one.isCommit || other.isCommit { return one.isCommit && other.isCommit }
        // Which window takes an event that names none depends on all windows.
        guard let scene = a.scene, let otherScene = b.scene else { return true }
        return scene == otherScene || one.event == other.event || one.isForAnyWindow || other.isForAnyWindow
    }

    /// Whether a step and a moment inside a window have to keep their order.
    private func matters(_ step: ScenarioStep, _ command: Moment, to inside: Moment) -> Bool {
        if step.isCommit { return isJudged(inside) }
        if step.changedWindow != nil { return step.changedWindow == inside.scene }
        guard case .submit(let event, _, _) = step.action, command.scene == inside.scene else { return false }
        // A gesture depends on what is shown and on transitions; any other event only waits for its turn.
        if case .action(.gesture) = event { return inside.kind == .navigationStep || inside.kind == .dispatchEnded }
        return false
    }

    /// Whether the actor of a step waits for a moment before it takes the step.
    private func isWaited(for moment: Moment, by number: Int) -> Bool {
        guard moment.kind == .dispatchEnded, case .work(_, let event, let attempt) = moment.line else { return false }
        return steps.indices.contains { earlier in
            guard earlier < number, actor[earlier] == actor[number], steps[earlier].events.contains(event),
                let stage = steps[earlier].stage
            else { return false }
            return stage == .finished || stage == .settled && attempt == 1
        }
    }
}

extension ScenarioStep {
    var isForAnyWindow: Bool {
        stage != nil && target == nil
    }
}
