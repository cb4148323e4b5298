internal import SceneRuntime

/// A plan that takes the steps of a run and holds windows in between, so that everything that matters happens in the run's order.
///
/// Only moments whose order can make a difference keep it: commits and what is judged by them, moments in one window, gestures and the
/// transitions of their window, and the steps of one actor.
struct HoldPlan {
    /// A hold that catches an attempt or a sweep when it passes a point for the `pass`th time.
    struct Hold: Hashable {
        let point: HoldPoint
        let scene: String
        let event: String?
        let kind: DispatchKind
        let pass: Int
    }

    enum Action: Hashable {
        /// Take a step, and wait for the end of its event's first attempt if `waits`.
        case step(Int, waits: Bool)
        /// Wait until a hold has caught something.
        case await(Hold)
        case release(Hold)
    }

    private(set) var actions: [Action] = []
    /// All holds, in the order in which they catch.
    var holds: [Hold] {
        actions.compactMap { if case .await(let hold) = $0 { hold } else { nil } }
    }

    private let scenario: Scenario
    private let steps: [ScenarioStep]
    private let moments: [Moment]
    /// By moment: the moments that have to happen before it.
    private var needed: [[Int]] = []
    /// By moment: those of ``needed`` that come first without a hold.
    private var natural: [Set<Int>] = []
    private var isDone: [Bool]
    private var queues: [Moment.Line: [Int]] = [:]
    private var lines: [Moment.Line] = []
    private var held: [Moment.Line: Hold] = [:]
    /// Lines that were held, whose end has to be awaited.
    private var isAwaited: Set<Moment.Line> = []

    /// - Throws: ``RaceScriptError`` if something has to come between two moments without a point between them.
    init(_ scenario: Scenario, _ moments: [Moment]) throws(RaceScriptError) {
        self.scenario = scenario
        self.moments = moments
        steps = scenario.actors.flatMap(\.steps)
        isDone = Array(repeating: false, count: moments.count)
        for (index, moment) in moments.enumerated() {
            if queues[moment.line] == nil { lines.append(moment.line) }
            queues[moment.line, default: []].append(index)
        }
        let order = MomentOrder(scenario, moments)
        for index in moments.indices {
            needed.append((0..<index).filter { order.isBefore($0, index) })
            natural.append(Set((0..<index).filter { order.isNatural($0, index) }))
        }
        postpone()
        try schedule()
    }

    /// Lets events be sent after the sweeps that came before their turn: a window that has nothing to do takes an event at once, and a sweep comes
    /// after what is held.
    private mutating func postpone() {
        for (index, moment) in moments.enumerated() {
            guard case .step(let number) = moment.line, let scene = moment.scene else { continue }
            for event in steps[number].events {
                guard let turn = queues[.work(scene: scene, event: event, attempt: 1)]?.first else { continue }
                for sweep in index..<max(index, turn) where moments[sweep].scene == scene {
                    if case .sweep = moments[sweep].line, !isNeeded(index, for: sweep) { needed[index].append(sweep) }
                }
            }
        }
    }

    /// Whether a moment has to happen before another, directly or by way of others.
    private func isNeeded(_ first: Int, for second: Int) -> Bool {
        var seen: Set<Int> = []
        var open = [second]
        while let next = open.popLast() {
            if next == first { return true }
            for each in needed[next] where seen.insert(each).inserted { open.append(each) }
        }
        return false
    }

    private func head(_ line: Moment.Line) -> Int? { queues[line]?.first { !isDone[$0] } }

    private func missing(_ index: Int) -> [Int] { needed[index].filter { !isDone[$0] } }

    private mutating func schedule() throws(RaceScriptError) {
        var current: Moment.Line?
        while true {
            try holdWhatGoesOn()
            let ready = lines.compactMap { line in head(line).map { (line, $0) } }.filter { missing($0.1).isEmpty }
            // Held lines go on first; then come the steps, in their order.
            let inside = ready.filter { moments[$0.1].isInside }.min { $0.1 < $1.1 }
            guard let next = ready.first(where: { $0.0 == current }) ?? inside ?? ready.min(by: { $0.1 < $1.1 }) else {
                return
            }
            perform(next.0, next.1)
            current = next.0
        }
    }

    private mutating func perform(_ line: Moment.Line, _ index: Int) {
        if let hold = held.removeValue(forKey: line) { actions.append(.release(hold)) }
        isDone[index] = true
        if case .step(let number) = line { return actions.append(.step(number, waits: false)) }
        guard head(line) == nil else { return }
        // If nothing came between, the step itself can wait for the end.
        if case .work(_, let event, 1) = line, !isAwaited.contains(line), case .step(let number, _)? = actions.last,
            steps[number].events == [event]
        {
            actions[actions.count - 1] = .step(number, waits: true)
            return
        }
        guard let hold = hold(line, .settled, pass: 1) else { return }
        actions += [.await(hold), .release(hold)]
    }

    /// Adds holds for lines that would go on too early.
    private mutating func holdWhatGoesOn() throws(RaceScriptError) {
        for line in lines {
            guard held[line] == nil, let index = head(line), moments[index].isInside else { continue }
            let missing = missing(index)
            guard !missing.isEmpty, natural[index].allSatisfy({ isDone[$0] }) else { continue }
            let before = queues[line]?.last { isDone[$0] }
            guard let (point, pass) = point(line, after: before), let hold = hold(line, point, pass: pass) else {
                throw .finer(gap(line, before, index, missing[0]))
            }
            for earlier in stride(from: 1, to: pass, by: 1) {
                guard let dummy = self.hold(line, point, pass: earlier), !actions.contains(.await(dummy)) else {
                    continue
                }
                // Earlier passes are caught and released in order, before the one that counts.
                actions += [.await(dummy), .release(dummy)]
            }
            actions.append(.await(hold))
            held[line] = hold
            isAwaited.insert(line)
        }
    }

    // MARK: - Points

    /// The point at which a line can be held after a moment, and how often it has passed there by then.
    private func point(_ line: Moment.Line, after index: Int?) -> (HoldPoint, Int)? {
        guard let index else { return (.admitted, 1) }
        let before = (queues[line] ?? []).prefix { $0 <= index }.map { moments[$0].kind }
        func count(_ kind: RecordKind) -> Int { before.count { $0 == kind } }
        switch moments[index].kind {
        case .dispatchResolved: return (.resolved, count(.dispatchResolved) + (isAction(line) ? 1 : 0))
        case .dispatchPlanned: return (.planned, count(.dispatchPlanned))
        case .navigationStep: return (.transition, count(.navigationStep))
        default: return nil
        }
    }

    /// Whether a line is the first attempt of an event inside a window, which passes the point `resolved` once more.
    private func isAction(_ line: Moment.Line) -> Bool {
        guard case .work(_, let event, 1) = line else { return false }
        return steps.contains { step in
            if step.event == event, case .submit(.action, _, _) = step.action { true } else { false }
        }
    }

    private func hold(_ line: Moment.Line, _ point: HoldPoint, pass: Int) -> Hold? {
        switch line {
        case .step: nil
        case .work(let scene, let event, let attempt):
            attempt > 2
                ? nil
                : Hold(point: point, scene: scene, event: event, kind: attempt == 1 ? .dispatch : .resume, pass: pass)
        // The number of sweeps depends on how commits coincide, so only the first can be identified.
        case .sweep(let scene, let number):
            number > 1 ? nil : Hold(point: point, scene: scene, event: nil, kind: .sweep, pass: pass)
        }
    }

    private func gap(_ line: Moment.Line, _ before: Int?, _ after: Int, _ missing: Int) -> String {
        let what =
            switch line {
            case .step(let number): steps[number].name
            case .work(let scene, let event, let attempt):
                "\(event) in \(scene)" + (attempt > 1 ? ", attempt \(attempt)," : "")
            case .sweep(let scene, _): "the sweep of \(scene)"
            }
        let between = before.map { "between '\(moments[$0].name)' and" } ?? "before"
        return "\(between) '\(moments[after].name)' of \(what) comes \(name(missing)), and no point lies there"
    }

    private func name(_ index: Int) -> String {
        switch moments[index].line {
        case .step(let number): "\(steps[number].name) (\(steps[number].text))"
        case .work(let scene, let event, _): "'\(moments[index].name)' of \(event) in \(scene)"
        case .sweep(let scene, _): "the sweep of \(scene)"
        }
    }
}
