internal import Basics

/// The order of a run, written as its deviations from first in, first out: at every other step, what became possible first happens. A job that
/// was stopped goes on before that.
///
/// So the empty schedule is the first-in-first-out run, every prefix of a schedule is a schedule, and a run with fewer deviations is simpler.
public struct RunSchedule: Hashable, Sendable {
    /// The deviations in the order of their steps, at most one for each step and none to position 0.
    public let deviations: [RunDeviation]

    /// The first-in-first-out run.
    public static let firstInFirstOut = RunSchedule()

    /// Sorts the deviations by step. Of several for one step the last counts; those with a position below 1 or a step below 0 are
    /// left out.
    public init(_ deviations: [RunDeviation] = []) {
        var positions: [Int: Int] = [:]
        for deviation in deviations where deviation.step >= 0 { positions[deviation.step] = deviation.position }
        self.deviations = positions.filter { $0.value > 0 }.map(RunDeviation.init(step:position:)).sorted {
            $0.step < $1.step
        }
    }

    /// The schedule that a run followed.
    public init(following steps: borrowing Span<RunStep>) {
        var deviations: [RunDeviation] = []
        for index in steps.indices where steps[index].position > 0 {
            deviations.append(RunDeviation(step: index, position: steps[index].position))
        }
        self.deviations = deviations
    }

    /// The schedule that a run followed.
    public init(following steps: [RunStep]) {
        self.init(following: steps.elements)
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

/// A step at which something other than the first choice happens.
public struct RunDeviation: Hashable, Sendable {
    /// The index of the step, counted from 0.
    public let step: Int
    /// The position of what happens among everything that can, in the order it became possible; at least 1.
    public let position: Int

    /// - Parameters: As the properties.
    public init(step: Int, position: Int) {
        self.step = step
        self.position = position
    }
}
