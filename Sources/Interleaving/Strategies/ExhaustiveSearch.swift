/// Every class of schedules, one schedule for each where it can be told in time: depth first, without keeping any state of what
/// runs.
///
/// After a run it looks for races, pairs of steps whose order was chance and can make a difference, and goes back to try each
/// the other way round (source sets); what a sibling has already shown is put to sleep (sleep sets). Sources: Abdulla, Aronis,
/// Jonsson, Sagonas, *Source Sets: A Foundation for Optimal Dynamic Partial Order Reduction*, J. ACM 2017; Godefroid,
/// *Partial-Order Methods for the Verification of Concurrent Systems*, 1996.
///
/// With a bound on preemptions, or where every order matters, it tries every choice instead: with a bound, reduction could
/// lose what the bound allows. Source: Musuvathi, Qadeer, *Iterative Context Bounding*, PLDI 2007. A preemption is where the
/// task of the choice before could go on and another goes.
///
/// A run's classes are counted under ``Dependency``, whose assumption "complete" rests on.
public struct ExhaustiveSearch: Strategy {
    public let name: String
    public let dependency: Dependency
    /// The most preemptions a schedule may have.
    public let preemptions: Int?
    public private(set) var isExhausted = false
    /// How many runs were made.
    public private(set) var runs = 0
    /// Whether the same choices led to something else than before, so that nothing can be said of what was not seen.
    public private(set) var isDeterministic = true
    /// How many runs ended while something could still happen: stopped by a failure, or for their length.
    public private(set) var cutOff = 0

    private var path = SearchPath()
    private var depth = 0
    /// Where this run left the path of the one before.
    private var divergence = 0
    /// Whether this run left its path, so that nothing is learned from it.
    private var isLost = false
    private var order = HappensBefore()
    private var hash = ClassHash()
    private var seen: Set<UInt64> = []
    /// What each event did when it last ran: a guess at what it will do.
    private var lastFootprints: [EventID: Footprint] = [:]

    public init(_ dependency: Dependency = .unisolated(.fifo), preemptions: Int? = nil) {
        self.dependency = dependency
        self.preemptions = preemptions
        name =
            switch (preemptions, dependency) {
            case (let preemptions?, _): "exhaustive-\(preemptions)"
            case (nil, .everything): "exhaustive-all"
            case (nil, .executors): "exhaustive-actors"
            case (nil, .unisolated): "exhaustive"
            }
    }

    /// How many classes of schedules were seen.
    public var classes: Int { seen.count }

    /// Whether every class was seen: the search is over, and nothing was cut off, bounded or different from run to run.
    public var isComplete: Bool { isExhausted && isDeterministic && cutOff == 0 && preemptions == nil }

    /// How far the search came, in words, such as `complete: 90 classes (if actors share state only through messages)`.
    public var summary: String {
        let found =
            dependency == .everything
            ? FailureReport.count(classes, "schedule") : classes == 1 ? "1 class" : "\(classes) classes"
        guard isDeterministic else { return "not complete: the same choices led to different steps (\(found) seen)" }
        guard isExhausted else { return "not complete: \(found) so far" }
        guard cutOff == 0 else { return "not complete: \(cutOff) of \(runs) runs were cut off (\(found) seen)" }
        if let preemptions { return "complete up to \(preemptions) preemptions: \(found)" }
        return "complete: \(found)" + (dependency.assumption.map { " (\($0))" } ?? "")
    }

    private var isReduced: Bool { preemptions == nil && dependency != .everything }

    public mutating func begin(seed: UInt64, length: Int) {
        depth = 0
        divergence = path.nodes.count
        isLost = false
    }

    public mutating func choose(among choices: Span<Choice>, at step: Int) -> Int {
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

    public mutating func end(_ steps: Span<Step>) {
        runs += 1
        if depth < path.nodes.count { (isLost, isDeterministic) = (true, false) }
        if !isLost {
            seen.insert(hash.hash(steps, dependency))
            if leftSomething(steps) { cutOff += 1 }
            if isReduced { learn(from: steps) }
        }
        path.backtrack()
        isExhausted = path.nodes.isEmpty
    }
}

extension ExhaustiveSearch {
    /// Takes the first choice that no sibling of an ancestor has shown already, as far as can be guessed.
    private mutating func pickAwake() {
        let index = path.nodes.count - 1
        if index > 0 {
            let parent = path.nodes[index - 1]
            if parent.step + 1 == path.nodes[index].step {
                let event = path.chosen(parent).event
                let guess = lastFootprints[event] ?? Footprint(executor: path.chosen(parent).executor)
                path.sleep(index, given: guess, dependency)
            }
        }
        path.takeAwake(index)
    }

    /// Goes on with the task that had the last choice, and has every other choice tried that the bound allows.
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

    /// Whether what could happen at the last choice did not happen until the end. Faults need not.
    private func leftSomething(_ steps: Span<Step>) -> Bool {
        guard let last = path.nodes.last, last.step < steps.count else { return false }
        var happened: Set<EventID> = []
        for index in last.step..<steps.count { happened.insert(steps[index].choice.event) }
        return path.candidates[last.first..<last.first + last.count].contains {
            !$0.isFault && !happened.contains($0.event)
        }
    }
}

extension ExhaustiveSearch {
    /// Has the other order tried of each race that this run was the first to show.
    private mutating func learn(from steps: Span<Step>) {
        order.read(steps, dependency)
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

    /// Has a step tried, where the first of a race was taken, that leads to the second coming before it.
    private mutating func reverse(_ race: HappensBefore.Race, _ steps: Span<Step>) {
        guard let index = path.node(at: race.first) else { return }
        // Timers and faults can only come earlier where they were offered.
        let isBarrier = order.footprints[race.first].isBarrier || order.footprints[race.second].isBarrier
        if isBarrier, path.candidate(steps[race.second].choice.event, at: index) == nil { return }

        // What came in between without the first of the race, and then the second: anything in it that waits for nothing else
        // in it can go first.
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
            // Something not seen in the steps kept them back: everything is tried.
            path.tryAll(index)
        }
    }
}
