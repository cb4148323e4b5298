public import StrictJSON

extension FailureReport {
    /// The report for programs. Steps are counted from 0; numbers of 64 bits are written as hexadecimal strings.
    public var json: JSONValue {
        var members: JSONObject = [
            "version": 1,
            "title": .string(title),
            "message": .string(message),
            "kind": .string(failure.kind),
            "replay": .string(replay),
            "deviations": .array(
                failure.schedule.deviations.map {
                    ["step": .integer($0.step), "position": .integer($0.position), "count": .integer($0.count)]
                }
            ),
            "deletedEvents": .array(failure.deleted.sorted().map(JSONValue.integer)),
            "isMinimal": .bool(failure.isMinimal),
            "confirmation": .string(confirmation),
            "trials": .integer(failure.trials),
            "failing": Self.json(failing),
        ]
        if let origin {
            members["origin"] = [
                "strategy": .string(origin.strategy), "seed": Self.hexadecimal(origin.seed),
                "run": .integer(origin.run),
            ]
        }
        if let passing { members["passing"] = Self.json(passing) }
        if let pair = deciding {
            members["deciding"] = [
                "failing": [.integer(pair.first), .integer(pair.second)],
                "passing": [.integer(pair.passingSecond), .integer(pair.passingFirst)],
                "actor": decidingActor.map(JSONValue.string) ?? .null,
            ]
        }
        if let coverage { members["coverage"] = coverage.json }
        return .object(members)
    }

    private var confirmation: String {
        switch failure.confirmation {
        case .confirmed: "confirmed"
        case .notReproduced: "notReproduced"
        case .notTried: "notTried"
        case .diverged: "diverged"
        }
    }

    private static func json(_ run: LabelledRun) -> JSONValue {
        .array(
            zip(run.steps, run.labels).map { step, label in
                var members: JSONObject = [
                    "event": .string(
                        "\(hexadecimal(step.choice.event.task).stringValue ?? "")/\(step.choice.event.ordinal)"
                    ),
                    "task": .string(label.task),
                    "executor": .integer(step.choice.executor),
                    "kind": .string("\(step.choice.kind)"),
                    "position": .integer(step.position),
                    "alternatives": .integer(step.alternatives),
                    "time": .integer(Int(step.time)),
                ]
                members["enabler"] = step.enabler.map(JSONValue.integer)
                members["actor"] = label.actor.map(JSONValue.string)
                members["function"] = label.function.map(JSONValue.string)
                members["file"] = label.file.map(JSONValue.string)
                members["line"] = label.line.map(JSONValue.integer)
                return .object(members)
            }
        )
    }

    private static func hexadecimal(_ number: UInt64) -> JSONValue {
        .string("0x" + String(number, radix: 16))
    }
}

extension ExplorationCoverage {
    /// The numbers and the curve, for programs.
    public var json: JSONValue {
        [
            "runs": .integer(runs),
            "failures": .integer(failures),
            "classes": .integer(classes),
            "estimatedClasses": .number(estimatedClasses),
            "chanceOfNew": .number(chanceOfNew),
            "longest": .integer(longest),
            "mostChoices": .integer(mostChoices),
            "curve": .array(curve.map { [.integer($0.runs), .integer($0.classes)] }),
            "warnings": .array(warnings.map { .string($0.description) }),
        ]
    }
}
