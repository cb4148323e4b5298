/// The choices that led to where a depth-first search is, each with what else there is to try.
struct SearchPath: Sendable {
    struct Node: Sendable {
        let step: Int
        /// Its candidates are `count` from here on.
        let first: Int
        let count: Int
        /// The position of the one taken.
        var chosen = 0
        /// The preemptions before this choice.
        var spent = 0
        /// The position of the task that had the last choice, if it can go on.
        var continuing: Int?

        /// The preemptions with this choice.
        var spentByChosen: Int { continuing == nil || continuing == chosen ? spent : spent + 1 }
    }

    struct Candidate: Sendable {
        let event: EventID
        let executor: Int
        let isFault: Bool
        /// To be tried, being tried, or tried.
        var isToTry = false
        var isTried = false
        /// What begins with it was shown already by a sibling of this node or of one before.
        var isAsleep = false
        /// What it did when it was tried here, or where it fell asleep.
        var footprint = Footprint()
    }

    var nodes: [Node] = []
    /// Of all nodes, in their order.
    var candidates: [Candidate] = []

    func chosen(_ node: Node) -> Candidate {
        candidates[node.first + node.chosen]
    }

    /// The node at a step, if there was a choice.
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
    func candidate(_ event: EventID, at index: Int) -> Int? {
        let node = nodes[index]
        return (node.first..<node.first + node.count).first { candidates[$0].event == event }
    }

    mutating func append(_ choices: Span<Choice>, at step: Int) {
        nodes.append(Node(step: step, first: candidates.count, count: choices.count))
        for index in choices.indices {
            let isFault = choices[index].kind == .fault
            // A fault may happen at any time, and may not happen at all: no run needs to show that it can.
            candidates.append(
                Candidate(
                    event: choices[index].event,
                    executor: choices[index].executor,
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

    /// Takes the first candidate that is not asleep, or the first of all.
    mutating func takeAwake(_ index: Int) {
        let awake = firstAwake(nodes[index]) ?? 0
        nodes[index].chosen = awake
        candidates[nodes[index].first + awake].isToTry = true
    }

    private func firstAwake(_ node: Node) -> Int? {
        (0..<node.count).first { !candidates[node.first + $0].isAsleep }
    }

    /// Puts to sleep what was asleep or tried at the node before, and is independent of what was taken there.
    mutating func sleep(_ index: Int, given taken: Footprint, _ dependency: Dependency) {
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

    /// Says which new nodes' candidates are asleep, now that is known what each step did, and leaves out what only repeats.
    /// - Returns: The step from which on the run only repeats what was shown.
    mutating func settle(from divergence: Int, _ steps: Span<Step>, _ dependency: Dependency) -> Int {
        // The choice that was changed, and each new one.
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
            // A step without a choice that was shown already: all that follows was, too.
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

    private func isSleeping(_ event: EventID, after node: Node, _ dependency: Dependency) -> Bool {
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

    /// Goes back to the last node that has something left to try, and takes it; without any the path is empty.
    mutating func backtrack() {
        while let node = nodes.last {
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
