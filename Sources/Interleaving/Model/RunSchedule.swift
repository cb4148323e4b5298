internal import Basics

/// The order of a run, written as its deviations from first in, first out: at every other step, what became possible first happens. A job that
/// was stopped goes on before that. To hold one thing back for as long as other things can happen is one deviation, however many steps that is.
///
/// So the empty schedule is the first-in-first-out run, every prefix of a schedule is a schedule, and a run with fewer deviations is simpler.
public struct RunSchedule: Hashable, Sendable {
    /// The deviations in the order of their steps, at most one for each step and none to position 0.
    public let deviations: [RunDeviation]

    /// The first-in-first-out run.
    public static let firstInFirstOut = RunSchedule()

    /// Sorts the deviations by step. Of several for one step the last counts; those with a position below 1 or a step below 0 are
    /// left out. A deviation ends before the step of the next.
    public init(_ deviations: [RunDeviation] = []) {
        var last: [Int: RunDeviation] = [:]
        for deviation in deviations where deviation.step >= 0 { last[deviation.step] = deviation }
        let sorted = last.values.filter { $0.position > 0 }.sorted { $0.step < $1.step }
        self.deviations = sorted.enumerated().map { index, deviation in
            let end = index + 1 < sorted.count ? sorted[index + 1].step : .max
            return deviation.lasting(min(deviation.count, end - deviation.step))
        }
    }

    /// The schedule that a run followed, with as few deviations as say so.
    public init(following steps: borrowing Span<RunStep>) {
        var deviations: [RunDeviation] = []
        // What the last deviation passed over, as long as it has not happened.
        var held: RunEventID?
        for index in steps.indices {
            if steps[index].choice.event == held { held = nil }
            guard steps[index].position > 0 else { continue }
            if let last = deviations.last, held != nil, steps[index].position == 1, steps[index].passedOver == held,
                steps[index].choice.kind != .fault
            {
                deviations[deviations.count - 1] = last.lasting(index - last.step + 1)
            } else {
                deviations.append(RunDeviation(step: index, position: steps[index].position))
                held = steps[index].passedOver
            }
        }
        self.deviations = deviations
    }

    /// The schedule that a run followed.
    public init(following steps: [RunStep]) {
        self.init(following: steps.elements)
    }

    /// How many deviations a run did not follow, because their step had other choices or never came.
    package func missed(by steps: [RunStep]) -> Int {
        deviations.count { !steps.indices.contains($0.step) || steps[$0.step].position != $0.position }
    }
}

/// A step at which something other than the first choice happens, and for how long what came first is held back.
public struct RunDeviation: Hashable, Sendable {
    /// The index of the step, counted from 0.
    public let step: Int
    /// The position of what happens among everything that can, in the order it became possible; at least 1.
    public let position: Int
    /// For how many steps, beginning with this one, what would have happened first is held back; at least 1. At the later ones, the first of what
    /// else can happen does, unless that is a fault. It ends before that many steps where nothing else can happen, and where the next deviation begins.
    public let count: Int

    /// - Parameters: As the properties; a count below 1 is taken as 1.
    public init(step: Int, position: Int, count: Int = 1) {
        self.step = step
        self.position = position
        self.count = max(1, count)
    }

    /// The same deviation, for another number of steps.
    func lasting(_ count: Int) -> RunDeviation { RunDeviation(step: step, position: position, count: count) }
}
