internal import Basics
internal import Histogram
package import StrictJSON

extension SoakVerdict {
    /// The verdict as JSON.
    package func json(of run: SoakRun) -> JSONValue {
        [
            "conclusion": .string(conclusion.rawValue), "sentence": .string(sentence(of: run)),
            "reasons": .array(
                reasons.map {
                    ["kind": .string("\($0.kind)"), "guilt": .bool($0.isGuilt), "text": .string($0.text)]
                }
            ),
            "objectives": .array(objectives.map(\.json)), "trends": .array(trends.map(\.json)),
            "totals": totals.json,
            "latency": Self.json(run.latency, run.ranks), "generatorLag": Self.json(run.generatorLag, run.ranks),
        ]
    }

    /// Nanoseconds by percentile, with `100` for the greatest; `null` if nothing was measured.
    static func json(_ latency: Histogram<UInt64>, _ ranks: [Double]) -> JSONValue {
        guard latency.totalCount > 0 else { return .null }
        return .object(
            JSONObject(
                ranks.map { (Wording.plain($0), .integer(Int(clamping: latency.valueAtPercentile($0)))) }
                    + [("100", .integer(Int(clamping: latency.maxRecorded)))]
            )
        )
    }
}

extension SoakTotals {
    var json: JSONValue {
        [
            "due": .integer(due), "sent": .integer(sent), "answered": .integer(answered),
            "refused": .integer(refused), "cutOff": .integer(cutOff), "lost": .integer(lost),
            "outcomes": SoakFile.json(outcomes), "errors": SoakFile.json(errors),
            "rate": .number(rate),
        ]
    }
}

extension SoakObjectiveResult {
    fileprivate var json: JSONValue {
        var object: JSONObject = ["objective": .string(objective)]
        switch state {
        case .met(let value):
            object["state"] = "met"
            object["value"] = .number(value)
        case .missed(let value):
            object["state"] = "missed"
            object["value"] = .number(value)
        case .unknown(let reason):
            object["state"] = "unknown"
            object["reason"] = .string(reason)
        }
        if let growth {
            object["value"] = .number(growth.perHour)
            object["low"] = .number(growth.range.lowerBound)
            object["high"] = .number(growth.range.upperBound)
        }
        if let longer { object["longer"] = .integer(longer.nanoseconds) }
        return .object(object)
    }
}

extension SoakTrend {
    fileprivate var json: JSONValue {
        var object: JSONObject = [
            "subject": .string(subject.rawValue), "host": host.map(JSONValue.string) ?? .null,
            "state": .string(stateName), "meaning": .string(meaning), "samples": .integer(samples),
            "level": .number(level),
        ]
        if let line {
            object["perHour"] = .number(line.perHour)
            object["low"] = .number(line.low)
            object["high"] = .number(line.high)
            object["p"] = .number(line.chance)
        }
        return .object(object)
    }

    private var stateName: String {
        switch state {
        case .steady: "steady"
        case .growing: "growing"
        case .slight: "slight"
        case .falling: "falling"
        case .settled: "settled"
        case .stepped: "stepped"
        case .unknown: "unknown"
        }
    }
}
