/// The steps of a run with their labels.
package struct LabelledRun: Sendable {
    /// The steps, in order.
    package let steps: [RunStep]
    /// One for each step.
    package let labels: [StepLabel]

    /// - Parameter labels: In the order of the steps; steps without one are labelled by their numbers.
    package init(steps: [RunStep], labels: [StepLabel] = []) {
        self.steps = steps
        self.labels = steps.enumerated().map { index, step in
            index < labels.count ? labels[index] : StepLabel(unknown: step)
        }
    }

    /// A lane for each task, in the order of another run's lanes, and then of the tasks' first steps.
    func lanes(like other: [TaskLane] = []) -> [TaskLane] {
        var lanes: [TaskLane] = []
        var places: [UInt64: Int] = [:]
        for (index, step) in steps.enumerated() {
            let task = step.choice.event.task
            if let place = places[task] {
                lanes[place].last = index
            } else {
                places[task] = lanes.count
                lanes.append(TaskLane(task: task, name: labels[index].task, first: index, last: index))
            }
        }
        let order = other.map(\.task)
        let known = order.compactMap { task in lanes.first { $0.task == task } }
        return known + lanes.filter { !order.contains($0.task) }
    }
}

/// One task of a run, from its first step to its last.
struct TaskLane: Hashable, Sendable {
    let task: UInt64
    let name: String
    let first: Int
    var last: Int
}
