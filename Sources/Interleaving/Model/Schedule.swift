/// The order of a run, as what it does other than a first-in-first-out run: everything that it does not name takes the choice
/// that became possible first.
///
/// So the empty schedule is the first-in-first-out run itself, a beginning of a schedule is a schedule, and fewer deviations
/// are a simpler run.
public struct Schedule: Hashable, Sendable {
    /// The deviations in the order of their steps, at most one for each step and none to position 0.
    public let deviations: [Deviation]

    /// The first-in-first-out run.
    public static let firstInFirstOut = Schedule()

    /// Orders the deviations by step. Of several for one step the last counts; one to position 0 or less, or at a step below 0,
    /// is none and left out.
    public init(_ deviations: [Deviation] = []) {
        var positions: [Int: Int] = [:]
        for deviation in deviations where deviation.step >= 0 { positions[deviation.step] = deviation.position }
        self.deviations = positions.filter { $0.value > 0 }.map(Deviation.init(step:position:)).sorted {
            $0.step < $1.step
        }
    }

    /// The schedule that a run followed.
    public init(following steps: borrowing Span<Step>) {
        var deviations: [Deviation] = []
        for index in steps.indices where steps[index].position > 0 {
            deviations.append(Deviation(step: index, position: steps[index].position))
        }
        self.deviations = deviations
    }

    /// The schedule that a run followed.
    public init(following steps: [Step]) {
        self.init(following: steps.span)
    }

    /// The position to take at a step: 0 where nothing deviates.
    public func position(at step: Int) -> Int {
        var low = 0
        var high = deviations.count
        while low < high {
            let middle = (low + high) / 2
            if deviations[middle].step < step { low = middle + 1 } else { high = middle }
        }
        return low < deviations.count && deviations[low].step == step ? deviations[low].position : 0
    }
}

/// At one step, something other than what became possible first.
public struct Deviation: Hashable, Sendable {
    /// The index of the step, counted from 0.
    public let step: Int
    /// The position of what happens, among what can happen in the order it became possible; at least 1.
    public let position: Int

    public init(step: Int, position: Int) {
        self.step = step
        self.position = position
    }
}
