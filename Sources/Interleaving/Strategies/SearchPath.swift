/// The choices that led to the current state of a depth-first search, each with its alternatives.
struct SearchPath: Sendable {
    struct Node: Sendable {
        let step: Int
        /// The index of the first of its `count` candidates.
        let first: Int
        let count: Int
        /// The position of the candidate that was taken.
        var chosen = 0
        /// The preemptions before this choice.
        var spent = 0
        /// The position of the candidate whose task had the last choice, if that task can go on.
        var continuing: Int?

        /// The preemptions with this choice.
        var spentByChosen: Int { continuing == nil || continuing == chosen ? spent : spent + 1 }
    }

    struct Candidate: Sendable {
        let event: RunEventID
        let isFault: Bool
        /// Whether the search will try it, is trying it or has tried it.
        var isToTry = false
        /// Whether the search has tried it.
        var isTried = false
        /// Whether a sibling of this node or of an earlier one has already shown what begins with it.
        var isAsleep = false
        /// What it did when it was tried here, or at the node where it fell asleep.
        var footprint = StepFootprint()
    }

    var nodes: [Node] = []
    /// The candidates of all nodes, in the order of the nodes.
    var candidates: [Candidate] = []

    func chosen(_ node: Node) -> Candidate {
        candidates[node.first + node.chosen]
    }

    /// The index of the node at a step; nil if the step had no choice.
    func node(at step: Int) -> Int? {
        var low = 0
        var high = nodes.count
        while low < high {
            let middle = (low + high) / 2
            if nodes[middle].step < step { low = middle + 1 } else { high = middle }
        }
        return low < nodes.count && nodes[low].step == step ? low : nil
    }

    /// The index among all candidates of an event that could happen at a node.
    func candidate(_ event: RunEventID, at index: Int) -> Int? {
        let node = nodes[index]
        return (node.first..<node.first + node.count).first { candidates[$0].event == event }
    }

    mutating func append(_ choices: Span<RunChoice>, at step: Int) {
        nodes.append(Node(step: step, first: candidates.count, count: choices.count))
        for index in choices.indices {
            let isFault = choices[index].kind == .fault
            // A fault can happen at any step or not at all, so it is tried everywhere.
            candidates.append(
                Candidate(
                    event: choices[index].event,
                    isFault: isFault,
                    isToTry: isFault
                )
            )
        }
    }

    mutating func tryAll(_ index: Int) {
        let node = nodes[index]
        for candidate in node.first..<node.first + node.count { candidates[candidate].isToTry = true }
    }

    /// Takes the first candidate that is not asleep; if all are, the first.
    mutating func takeAwake(_ index: Int) {
        let awake = firstAwake(nodes[index]) ?? 0
        nodes[index].chosen = awake
        candidates[nodes[index].first + awake].isToTry = true
    }

    private func firstAwake(_ node: Node) -> Int? {
        (0..<node.count).first { !candidates[node.first + $0].isAsleep }
    }

    /// Puts to sleep the candidates that were asleep or tried at the previous node and are independent of what was taken there.
    mutating func sleep(_ index: Int, given taken: StepFootprint, _ dependency: StepDependency) {
        let node = nodes[index]
        for candidate in node.first..<node.first + node.count {
            candidates[candidate].isAsleep = false
        }
        guard index > 0 else { return }
        let parent = nodes[index - 1]
        for offset in 0..<parent.count where offset != parent.chosen {
            let sleeper = candidates[parent.first + offset]
            guard sleeper.isAsleep || sleeper.isTried, !dependency.orders(sleeper.footprint, taken) else { continue }
            guard let candidate = candidate(sleeper.event, at: index) else { continue }
            candidates[candidate].isAsleep = true
            candidates[candidate].footprint = sleeper.footprint
        }
    }

    /// Puts candidates of new nodes to sleep, now that the footprints of all steps are known, and cuts off what only repeats.
    /// - Returns: The step from which on the run repeats what was already shown.
    mutating func settle(from divergence: Int, _ steps: Span<RunStep>, _ dependency: StepDependency) -> Int {
        // The choice that was changed, and the new ones.
        for index in max(0, divergence - 1)..<max(nodes.count, divergence - 1, 0) {
            let node = nodes[index]
            if index >= divergence {
                let isNext = index > 0 && nodes[index - 1].step + 1 == node.step
                if isNext { sleep(index, given: chosen(nodes[index - 1]).footprint, dependency) }
                if chosen(node).isAsleep {
                    cut(after: index)
                    if let awake = firstAwake(node) { candidates[node.first + awake].isToTry = true }
                    return node.step
                }
            }
            // If a step without a choice was already shown, so was everything after it.
            let next = node.step + 1
            if next < steps.count, index + 1 == nodes.count || nodes[index + 1].step != next,
                isSleeping(steps[next].choice.event, after: node, dependency)
            {
                cut(after: index)
                return next
            }
        }
        return steps.count
    }

    private func isSleeping(_ event: RunEventID, after node: Node, _ dependency: StepDependency) -> Bool {
        (0..<node.count).contains { offset in
            let sleeper = candidates[node.first + offset]
            return offset != node.chosen && sleeper.event == event && (sleeper.isAsleep || sleeper.isTried)
                && !dependency.orders(sleeper.footprint, chosen(node).footprint)
        }
    }

    private mutating func cut(after index: Int) {
        nodes.removeSubrange((index + 1)...)
        if let last = nodes.last { candidates.removeSubrange((last.first + last.count)...) }
    }

    /// Takes a candidate of the last node, where every candidate will be tried by somebody.
    mutating func choose(_ position: Int) {
        tryAll(nodes.count - 1)
        nodes[nodes.count - 1].chosen = position
    }

    /// Says what the candidate of the last node that was taken does, which need not be shown again.
    mutating func markTried(_ footprint: StepFootprint) {
        guard let node = nodes.last else { return }
        candidates[node.first + node.chosen].isTried = true
        candidates[node.first + node.chosen].footprint = footprint
    }

    /// The path up to a number of nodes.
    func prefix(_ count: Int) -> SearchPath {
        var path = self
        path.nodes.removeSubrange(count...)
        path.candidates.removeSubrange((path.nodes.last.map { $0.first + $0.count } ?? 0)...)
        return path
    }

    /// Goes back to the last node with a candidate left to try, and takes that candidate. If no node has one, nothing is left but the nodes
    /// that are fixed.
    mutating func backtrack(to fixed: Int) {
        while nodes.count > fixed, let node = nodes.last {
            candidates[node.first + node.chosen].isTried = true
            let next = (0..<node.count).first { offset in
                let candidate = candidates[node.first + offset]
                return candidate.isToTry && !candidate.isTried && !candidate.isAsleep
            }
            if let next {
                nodes[nodes.count - 1].chosen = next
                return
            }
            candidates.removeSubrange(node.first...)
            nodes.removeLast()
        }
    }
}
