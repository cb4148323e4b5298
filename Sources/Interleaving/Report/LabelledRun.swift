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

    /// The task in whose lane a step is, by the hash of its path.
    func task(at index: Int) -> UInt64 { labels[index].lane ?? steps[index].choice.event.task }

    /// A lane for each task, in the order of another run's lanes, and then of the tasks' first steps.
    func lanes(like other: [TaskLane] = []) -> [TaskLane] {
        var lanes: [TaskLane] = []
        var places: [UInt64: Int] = [:]
        for index in steps.indices {
            let task = task(at: index)
            if let place = places[task] {
                lanes[place].last = index
            } else {
                places[task] = lanes.count
                lanes.append(TaskLane(task: task, name: labels[index].task, first: index, last: index))
            }
        }
        let order = Set(other.map(\.task))
        return other.compactMap { places[$0.task].map { lanes[$0] } } + lanes.filter { !order.contains($0.task) }
    }
}

/// One task of a run, from its first step to its last.
struct TaskLane: Hashable, Sendable {
    let task: UInt64
    let name: String
    let first: Int
    var last: Int
}
