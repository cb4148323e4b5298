/// A depth-first search that runs every class of schedules, if possible with one schedule for each, and stores no state of the program.
///
/// After a run it looks for races, which are pairs of steps whose order was chance and can make a difference, and goes back to try each
/// in the other order (source sets). It skips what a sibling has already shown (sleep sets). Sources: Abdulla, Aronis,
/// Jonsson, Sagonas, *Source Sets: A Foundation for Optimal Dynamic Partial Order Reduction*, J. ACM 2017; Godefroid,
/// *Partial-Order Methods for the Verification of Concurrent Systems*, 1996.
///
/// With a bound on preemptions, or if every order matters, it tries every choice instead: with a bound, reduction could
/// skip what the bound allows. Source: Musuvathi, Qadeer, *Iterative Context Bounding*, PLDI 2007. A preemption is a choice of another task
/// although the task of the previous choice could go on.
///
/// Classes are counted under a ``StepDependency``; "complete" relies on its assumption.
package struct ExhaustiveSearch: ExplorationStrategy {
    package let name: String
    /// The rule by which steps are dependent.
    package let dependency: StepDependency
    /// The most preemptions that a schedule may have; nil sets no bound.
    package let preemptions: Int?
    package private(set) var isExhausted = false
    /// How many runs were made.
    package private(set) var runs = 0
    /// Whether the same choices always led to the same steps; otherwise nothing is known about orders that were not seen.
    package private(set) var isDeterministic = true
    /// How many runs ended although something could still happen, because they failed or were too long.
    package private(set) var cutOff = 0

    private var path: SearchPath
    /// What all runs begin with.
    let piece: SearchPiece
    /// What the first run found after these.
    private(set) var opening = SearchPiece.Opening.nothingNew
    private var depth = 0
    /// The choice at which this run left the path of the previous one.
    private var divergence = 0
    /// Whether this run left its path, so that nothing is learned from it.
    private var isLost = false
    private var order = HappensBefore()
    private var hash = ClassHash()
    private var seen: Set<UInt64> = []
    /// What each event did when it last ran, as a guess at what it will do.
    private var lastFootprints: [RunEventID: StepFootprint] = [:]

    /// - Parameter piece: What all runs begin with; nothing for the whole search.
    package init(
        _ dependency: StepDependency = .unisolated(.fifo),
        preemptions: Int? = nil,
        in piece: SearchPiece = SearchPiece()
    ) {
        self.dependency = dependency
        self.preemptions = preemptions
        self.piece = piece
        path = piece.path
        name =
            switch (preemptions, dependency) {
            case (let preemptions?, _): "exhaustive-\(preemptions)"
            case (nil, .everything): "exhaustive-all"
            case (nil, .executors): "exhaustive-actors"
            case (nil, .unisolated): "exhaustive"
            case (nil, .reported): "exhaustive-reported"
            }
    }

    /// How many classes of schedules were seen.
    package var classes: Int { seen.count }

    /// Whether every class was seen: the search has ended, no run was cut off, no bound was set, and the body was deterministic.
    package var isComplete: Bool { isExhausted && isDeterministic && cutOff == 0 && preemptions == nil }

    /// How far the search got, such as `complete: 90 classes of whole steps (if actors share state only through messages)`.
    package var summary: String { summary(of: .jobs) }

    /// How far the search got, where a step is what it is with this granularity.
    func summary(of granularity: SimulationSettings.Granularity) -> String {
        let steps =
            switch granularity {
            case .jobs: "of whole steps"
            case .stops: "with stops"
            case .locks: "with stops, also at locks"
            }
        let (one, many) = dependency == .everything ? ("schedule", "schedules") : ("class", "classes")
        let found = "\(classes) \(classes == 1 ? one : many)"
        guard isDeterministic else { return "not complete: the same choices led to different steps (\(found) seen)" }
        guard isExhausted else { return "not complete: \(found) so far" }
        guard cutOff == 0 else { return "not complete: \(cutOff) of \(runs) runs were cut off (\(found) seen)" }
        if let preemptions { return "complete up to \(preemptions) preemptions: \(found) \(steps)" }
        return "complete: \(found) \(steps)" + (dependency.assumption.map { " (\($0))" } ?? "")
    }

    private var isReduced: Bool { preemptions == nil && dependency != .everything }

    package mutating func begin(seed: UInt64, length: Int) {
        depth = 0
        divergence = path.nodes.count
        isLost = false
    }

    package mutating func choose(among choices: Span<RunChoice>, at step: Int) -> Int {
        guard !isLost else { return 0 }
        guard depth < path.nodes.count else {
            path.append(choices, at: step)
            if isReduced { pickAwake() } else { pickWithinBound() }
            depth += 1
            return path.nodes[depth - 1].chosen
        }
        let node = path.nodes[depth]
        depth += 1
        guard node.step == step, node.count == choices.count, choices[node.chosen].event == path.chosen(node).event
        else {
            (isLost, isDeterministic) = (true, false)
            return 0
        }
        return node.chosen
    }

    package mutating func end(_ steps: Span<RunStep>, _ accesses: RunAccesses) {
        runs += 1
        if depth < path.nodes.count { (isLost, isDeterministic) = (true, false) }
        if !isLost {
            seen.insert(hash.hash(steps, accesses, dependency))
            if leftSomething(steps) { cutOff += 1 }
            if isReduced { learn(from: steps, accesses) }
            if runs == 1 { opening = open() }
        }
        path.backtrack(to: fixed)
        isExhausted = path.nodes.count == fixed
    }

    /// How many choices all runs begin with.
    private var fixed: Int { piece.path.nodes.count }

    /// What the step does that the last of these choices took, after a run; empty if no order but one is left out anyway.
    var lastFixedFootprint: StepFootprint {
        fixed == 0 ? StepFootprint() : path.chosen(path.nodes[fixed - 1]).footprint
    }

    /// What comes after the choices that are fixed, now that a run has shown it.
    private func open() -> SearchPiece.Opening {
        guard depth > fixed else { return .end }
        guard path.nodes.count > fixed else { return .nothingNew }
        let path = path.prefix(fixed + 1)
        let node = path.nodes[fixed]
        let others = (0..<node.count).filter {
            let candidate = path.candidates[node.first + $0]
            return isReduced ? !candidate.isAsleep : candidate.isToTry
        }
        return others.isEmpty ? .nothingNew : .choice(path, others)
    }
}

extension ExhaustiveSearch {
    /// Takes the first choice that no sibling of an ancestor has already shown, as far as that can be guessed.
    private mutating func pickAwake() {
        let index = path.nodes.count - 1
        if index > 0 {
            let parent = path.nodes[index - 1]
            if parent.step + 1 == path.nodes[index].step {
                let event = path.chosen(parent).event
                let guess = lastFootprints[event] ?? StepFootprint()
                path.sleep(index, given: guess, dependency)
            }
        }
        path.takeAwake(index)
    }

    /// Goes on with the task of the last choice, and marks every other choice that the bound allows to be tried.
    private mutating func pickWithinBound() {
        let index = path.nodes.count - 1
        let node = path.nodes[index]
        var continuing: Int?
        if index > 0, preemptions != nil {
            let task = path.chosen(path.nodes[index - 1]).event.task
            continuing = (0..<node.count).first { path.candidates[node.first + $0].event.task == task }
        }
        let spent = index == 0 ? 0 : path.nodes[index - 1].spentByChosen
        let mayPreempt = preemptions.map { spent < $0 } ?? true
        path.nodes[index].spent = spent
        path.nodes[index].continuing = continuing
        path.nodes[index].chosen = continuing ?? 0
        for candidate in 0..<node.count where continuing == nil || candidate == continuing || mayPreempt {
            path.candidates[node.first + candidate].isToTry = true
        }
    }

    /// Whether something that could happen at the last choice, other than a fault, never happened.
    private func leftSomething(_ steps: Span<RunStep>) -> Bool {
        guard let last = path.nodes.last, last.step < steps.count else { return false }
        var happened: Set<RunEventID> = []
        for index in last.step..<steps.count { happened.insert(steps[index].choice.event) }
        return path.candidates[last.first..<last.first + last.count].contains {
            !$0.isFault && !happened.contains($0.event)
        }
    }
}

extension ExhaustiveSearch {
    /// Marks the other order of each race that this run was the first to show to be tried.
    private mutating func learn(from steps: Span<RunStep>, _ accesses: RunAccesses) {
        order.read(steps, accesses, dependency)
        for index in steps.indices { lastFootprints[steps[index].choice.event] = order.footprints[index] }
        let first = max(0, divergence - 1)
        for index in first..<max(first, path.nodes.count) {
            let node = path.nodes[index]
            path.candidates[node.first + node.chosen].footprint = order.footprints[node.step]
        }
        let limit = path.settle(from: divergence, steps, dependency)
        let firstNew = first < path.nodes.count ? path.nodes[first].step : steps.count
        for race in order.races where race.second >= firstNew && race.second < limit { reverse(race, steps) }
    }

    /// At the choice that took the first step of a race, marks a step that leads to the second step coming first.
    private mutating func reverse(_ race: HappensBefore.Race, _ steps: Span<RunStep>) {
        guard let index = path.node(at: race.first) else { return }
        // A timer or a fault can come earlier only if it was offered there.
        let isBarrier = order.footprints[race.first].isBarrier || order.footprints[race.second].isBarrier
        if isBarrier, path.candidate(steps[race.second].choice.event, at: index) == nil { return }

        // Consider the steps in between that do not depend on the first step of the race, and then the second step: any of them that has
        // to wait for no other of them can go first.
        var others: [Int] = []
        var initial: Int?
        for step in (race.first + 1)...race.second {
            guard step == race.second || !order.precedes(race.first, step) else { continue }
            if !others.contains(where: { order.precedes($0, step) }) {
                if let candidate = path.candidate(steps[step].choice.event, at: index) {
                    let known = path.candidates[candidate]
                    if known.isToTry || known.isAsleep { return }
                    initial = initial ?? candidate
                }
            }
            others.append(step)
        }
        if let initial {
            path.candidates[initial].isToTry = true
        } else {
            // Something that the steps do not show kept them back, so everything is tried.
            path.tryAll(index)
        }
    }
}
