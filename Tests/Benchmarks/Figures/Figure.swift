internal import Glibc
package import StrictJSON

/// One figure of a benchmark: mostly a ratio to something else that was measured in turn with it, in the same run.
package struct Figure: Hashable, Sendable {
    /// What was measured, such as `routing`.
    package var area: String
    /// What the figure is of, such as `resolve, 10,000 routes`.
    package var name: String
    /// What it is a ratio to, such as `match`; `nil` where it is a number of `unit` by itself.
    package var reference: String?
    /// Empty for a ratio, else such as `bytes` or `ms`.
    package var unit: String
    /// One for each round, in their order; at least one.
    package var samples: [Double]
    package var goal: Goal?
    /// The figures behind it, for a person: `812 ns, trie 640 ns`.
    package var detail: String

    /// What it should be.
    package enum Goal: Hashable, Sendable {
        case atMost(Double)
        case atLeast(Double)
    }

    /// A ratio to something else.
    package init(
        _ area: String,
        _ name: String,
        to reference: String,
        _ samples: [Double],
        goal: Goal? = nil,
        detail: String = ""
    ) {
        (self.area, self.name, self.reference, self.unit) = (area, name, reference, "")
        (self.samples, self.goal, self.detail) = (samples, goal, detail)
    }

    /// A number by itself.
    package init(
        _ area: String,
        _ name: String,
        in unit: String,
        _ samples: [Double],
        goal: Goal? = nil,
        detail: String = ""
    ) {
        (self.area, self.name, self.reference, self.unit) = (area, name, nil, unit)
        (self.samples, self.goal, self.detail) = (samples, goal, detail)
    }

    /// The middle of the samples, and where the middle half of them lies.
    package var median: Double { quantile(0.5) }
    package var spread: ClosedRange<Double> { quantile(0.25)...quantile(0.75) }

    /// Whether the median is what it should be; `nil` where nothing was asked.
    package var isReached: Bool? {
        switch goal {
        case .atMost(let bound): median <= bound
        case .atLeast(let bound): median >= bound
        case nil: nil
        }
    }

    private func quantile(_ fraction: Double) -> Double {
        let sorted = samples.sorted()
        guard let last = sorted.last else { return .nan }
        let place = Double(sorted.count - 1) * fraction
        let low = Int(place)
        guard low + 1 < sorted.count else { return last }
        return sorted[low] + (sorted[low + 1] - sorted[low]) * (place - Double(low))
    }
}

extension Figure {
    package var json: JSONValue {
        var object: JSONObject = ["area": .string(area), "name": .string(name)]
        if let reference { object["reference"] = .string(reference) }
        if !unit.isEmpty { object["unit"] = .string(unit) }
        object["median"] = .number(median)
        object["low"] = .number(spread.lowerBound)
        object["high"] = .number(spread.upperBound)
        object["samples"] = .array(samples.map(JSONValue.number))
        switch goal {
        case .atMost(let bound): object["goal"] = ["atMost": .number(bound)]
        case .atLeast(let bound): object["goal"] = ["atLeast": .number(bound)]
        case nil: break
        }
        if !detail.isEmpty { object["detail"] = .string(detail) }
        return .object(object)
    }

    /// - Returns: nil for what is no figure.
    package init?(json: JSONValue) {
        guard let area = json["area"]?.stringValue, let name = json["name"]?.stringValue,
            let samples = json["samples"]?.arrayValue?.compactMap(\.doubleValue), !samples.isEmpty
        else { return nil }
        var goal: Goal?
        if let bound = json["goal"]?["atMost"]?.doubleValue { goal = .atMost(bound) }
        if let bound = json["goal"]?["atLeast"]?.doubleValue { goal = .atLeast(bound) }
        (self.area, self.name, self.reference) = (area, name, json["reference"]?.stringValue)
        (self.unit, self.samples, self.goal) = (json["unit"]?.stringValue ?? "", samples, goal)
        detail = json["detail"]?.stringValue ?? ""
    }
}

extension [Double] {
    /// The median, of an even count the upper one of the two; NaN if there are no values.
    package var median: Double {
        let sorted = sorted()
        return sorted.isEmpty ? .nan : sorted[sorted.count / 2]
    }
}

/// The processor time of this thread, in nanoseconds, which does not depend on what else the machine does.
package func processorNanoseconds() -> Double {
    var time = timespec()
    clock_gettime(CLOCK_THREAD_CPUTIME_ID, &time)
    return Double(time.tv_sec) * 1e9 + Double(time.tv_nsec)
}
