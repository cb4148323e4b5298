internal import StrictJSON

extension ExploredRun {
    var json: JSONValue {
        [
            "seed": .bits(seed), "strategy": .string(strategy), "steps": .array(steps.map(\.json)),
            "verdict": verdict.json, "granularity": .string(granularity.rawValue),
            "places": .array(trail.places.map { .bits(UInt64($0)) }),
            "tasks": .array(trail.tasks.map { $0.map(JSONValue.string) ?? .null }),
            "executors": .array(trail.executors.map { .string($0) }),
            "notes": .array(trail.notes.sorted { $0.key < $1.key }.map { [.integer($0.key), .string($0.value)] }),
            "yields": .array(trail.yields.sorted().map { .integer($0) }),
            "waits": .array(
                trail.waits.sorted { $0.key < $1.key }.map { [.integer($0.key), .bits(UInt64($0.value))] }
            ),
        ]
    }

    init?(json: JSONValue?) {
        guard let json, let seed = json["seed"]?.bitsValue, let strategy = json["strategy"]?.stringValue,
            let steps = json["steps"]?.arrayValue, let verdict = RunVerdict(json: json["verdict"])
        else { return nil }
        self.init(seed: seed, strategy: strategy, steps: steps.compactMap { RunStep(json: $0) }, verdict: verdict)
        granularity = json["granularity"]?.stringValue.flatMap { .init(rawValue: $0) } ?? .jobs
        trail.places = (json["places"]?.arrayValue ?? []).compactMap { $0.bitsValue.map { UInt($0) } }
        trail.tasks = (json["tasks"]?.arrayValue ?? []).map(\.stringValue)
        trail.executors = (json["executors"]?.arrayValue ?? []).compactMap(\.stringValue)
        for note in json["notes"]?.arrayValue ?? [] {
            guard let pair = note.arrayValue, pair.count == 2, let step = pair[0].integerValue else { continue }
            trail.notes[step] = pair[1].stringValue
        }
        trail.yields = Set((json["yields"]?.arrayValue ?? []).compactMap(\.integerValue))
        for wait in json["waits"]?.arrayValue ?? [] {
            guard let pair = wait.arrayValue, pair.count == 2, let task = pair[0].integerValue else { continue }
            trail.waits[task] = pair[1].bitsValue.map { UInt($0) }
        }
    }
}

extension RunStep {
    var json: JSONValue {
        [
            .bits(choice.event.task), .integer(Int(choice.event.ordinal)), .integer(choice.task),
            .integer(choice.executor), .integer(Int(choice.priority)), .integer(Int(choice.kind.rawValue)),
            .integer(position), .integer(alternatives), .integer(enabler ?? -1), .integer(Int(time)),
            .bits(passedOver?.task ?? 0), .integer(passedOver.map { Int($0.ordinal) } ?? -1),
        ]
    }

    init?(json: JSONValue?) {
        guard let numbers = json?.arrayValue?.compactMap(\.integerValue), numbers.count == 12,
            let kind = RunChoice.Kind(rawValue: UInt8(truncatingIfNeeded: numbers[5]))
        else { return nil }
        let choice = RunChoice(
            event: RunEventID(
                task: UInt64(UInt(bitPattern: numbers[0])),
                ordinal: UInt32(truncatingIfNeeded: numbers[1])
            ),
            task: numbers[2],
            executor: numbers[3],
            priority: UInt8(truncatingIfNeeded: numbers[4]),
            kind: kind
        )
        self.init(
            choice: choice,
            position: numbers[6],
            alternatives: numbers[7],
            enabler: numbers[8] < 0 ? nil : numbers[8],
            time: Int64(numbers[9]),
            passedOver: numbers[11] < 0
                ? nil
                : RunEventID(
                    task: UInt64(UInt(bitPattern: numbers[10])),
                    ordinal: UInt32(truncatingIfNeeded: numbers[11])
                )
        )
    }
}
