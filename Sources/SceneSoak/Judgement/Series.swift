internal import Basics

/// Samples of a value over time, in order.
struct Series {
    private(set) var hours: [Double]
    private(set) var values: [Double]

    init(hours: [Double], values: [Double]) {
        self.hours = hours
        self.values = values
    }

    init(_ samples: [(time: Duration, value: Double)]) {
        hours = samples.map { $0.time.seconds / 3600 }
        values = samples.map(\.value)
    }

    var count: Int { values.count }

    /// At most `most` samples: the medians of stretches of equal length, or the series itself if it is short enough.
    func thinned(to most: Int) -> Series {
        guard count > most else { return self }
        var thin = Series(hours: [], values: [])
        for index in 0..<most {
            let stretch = (index * count / most)..<((index + 1) * count / most)
            guard let hour = Array(hours[stretch]).median, let value = Array(values[stretch]).median else { continue }
            thin.hours.append(hour)
            thin.values.append(value)
        }
        return thin
    }

    var lateHalf: Series {
        Series(hours: Array(hours[(count / 2)...]), values: Array(values[(count / 2)...]))
    }

    /// Whether growth along a line is fast enough and large enough to matter.
    func isRelevant(_ line: TrendLine, _ relevance: (perHour: Double, gain: Double)) -> Bool {
        guard let first = hours.first, let last = hours.last else { return false }
        return line.perHour >= relevance.perHour && line.perHour * (last - first) >= relevance.gain
    }

    /// A jump from one level to another between two samples.
    struct Step {
        /// The index of the first sample after the jump.
        var index: Int
        var hour: Double
        var height: Double
    }

    /// The step up that fits the values clearly better than a line; `nil` if none does.
    func step(better line: TrendLine) -> Step? {
        let ramp = zip(hours, values).reduce(0) { $0 + abs($1.1 - line.value(at: $1.0)) }
        // A level of very few samples would be chance.
        let margin = max(4, count / 20)
        guard count > 2 * margin else { return nil }
        var best: (step: Step, error: Double)?
        for index in margin...(count - margin) {
            guard let before = Array(values[..<index]).median, let after = Array(values[index...]).median else {
                continue
            }
            var error = 0.0
            for value in values[..<index] { error += abs(value - before) }
            for value in values[index...] { error += abs(value - after) }
            if error < best?.error ?? .infinity {
                best = (Step(index: index, hour: hours[min(index, count - 1)], height: after - before), error)
            }
        }
        guard let best, best.error < 0.6 * ramp, best.step.height > 0 else { return nil }
        // Growth on both sides of the step does not count towards its height.
        let slope = slope(apartFrom: best.step.index)
        let level = zip(hours, values).map { $1 - slope * $0 }
        guard let before = Array(level[..<best.step.index]).median, let after = Array(level[best.step.index...]).median
        else { return nil }
        return Step(index: best.step.index, hour: best.step.hour, height: after - before)
    }

    /// The median slope of the pairs of samples on the same side of an index.
    private func slope(apartFrom index: Int) -> Double {
        var slopes: [Double] = []
        for side in [0..<index, index..<count] {
            for later in side {
                for earlier in side.lowerBound..<later where hours[later] > hours[earlier] {
                    slopes.append((values[later] - values[earlier]) / (hours[later] - hours[earlier]))
                }
            }
        }
        return slopes.median ?? 0
    }

    /// The series with the step removed.
    func without(_ step: Step) -> Series {
        var series = self
        for index in step.index..<count { series.values[index] -= step.height }
        return series
    }
}
