internal import Glibc
package import StrictJSON

/// One figure of a benchmark, mostly a ratio to a reference that was measured in turns with it.
package struct Figure: Hashable, Sendable {
    /// The area, such as `routing`.
    package var area: String
    /// The name of the figure, such as `resolve, 10,000 routes`.
    package var name: String
    /// The reference of a ratio, such as `match`; `nil` for an absolute number.
    package var reference: String?
    /// The unit, such as `bytes` or `ms`; empty for a ratio.
    package var unit: String
    /// One sample for each round, in order; at least one.
    package var samples: [Double]
    package var goal: Goal?
    /// The numbers behind it as text: `812 ns, trie 640 ns`.
    package var detail: String

    /// The limit that the median should meet.
    package enum Goal: Hashable, Sendable {
        case atMost(Double)
        case atLeast(Double)
    }

    /// A ratio to a reference.
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

    /// An absolute number.
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

    /// The median of the samples, and the range of their middle half.
    package var median: Double { quantile(0.5) }
    package var spread: ClosedRange<Double> { quantile(0.25)...quantile(0.75) }

    /// Whether the median meets the goal; `nil` without a goal.
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

    /// - Returns: nil for what is not a figure.
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
