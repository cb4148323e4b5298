/// A run as people read it: its steps, each with its label.
public struct LabelledRun: Sendable {
    public let steps: [Step]
    /// One for each step.
    public let labels: [StepLabel]

    /// - Parameter labels: In the order of the steps; a step beyond their end is labelled by its numbers.
    public init(steps: [Step], labels: [StepLabel] = []) {
        self.steps = steps
        self.labels = steps.enumerated().map { index, step in
            index < labels.count ? labels[index] : StepLabel(unknown: step)
        }
    }

    /// The tasks in the order of their first steps, or as another run had them: the lanes of a picture.
    func lanes(like other: [Lane] = []) -> [Lane] {
        var lanes: [Lane] = []
        var places: [UInt64: Int] = [:]
        for (index, step) in steps.enumerated() {
            let task = step.choice.event.task
            if let place = places[task] {
                lanes[place].last = index
            } else {
                places[task] = lanes.count
                lanes.append(Lane(task: task, name: labels[index].task, first: index, last: index))
            }
        }
        let order = other.map(\.task)
        let known = order.compactMap { task in lanes.first { $0.task == task } }
        return known + lanes.filter { !order.contains($0.task) }
    }
}

/// One task of a run, from its first step to its last.
struct Lane: Hashable, Sendable {
    let task: UInt64
    let name: String
    let first: Int
    var last: Int
}
