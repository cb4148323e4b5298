/// Which task of a run began which, and with which step each ended.
struct TaskFamilies: Sendable {
    /// By the number of a task: the task that had begun it, or -1, and its last step.
    private var parents: [Int] = []
    private var lasts: [Int] = []

    mutating func read(_ steps: Span<Step>) {
        parents.removeAll(keepingCapacity: true)
        lasts.removeAll(keepingCapacity: true)
        for index in steps.indices {
            let step = steps[index]
            let task = step.choice.task
            while lasts.count <= task {
                lasts.append(-1)
                parents.append(-1)
            }
            if lasts[task] < 0, let enabler = step.enabler, enabler < index {
                parents[task] = steps[enabler].choice.task
            }
            lasts[task] = index
        }
    }

    /// The task that had begun the task of a step, if that ended with the step.
    func parent(endedBy step: Int, _ task: Int) -> Int? {
        lasts[task] == step && parents[task] >= 0 ? parents[task] : nil
    }
}
