internal import Histogram
internal import Basics
internal import SceneHistory
package import StrictJSON

extension SoakFile {
    /// The run as JSON, as `protocol/soak.schema.json` describes it.
    /// - Parameter verdict: Written for other tools. Reading the file ignores it and judges the run again.
    package static func json(of run: SoakRun, verdict: SoakVerdict? = nil) -> JSONValue {
        var object: JSONObject = ["format": .string(format), "version": .integer(version)]
        if let verdict { object["verdict"] = verdict.json(of: run) }
        object["plan"] = run.plan.map(json) ?? .null
        var place: JSONObject = [
            "system": .string(run.place.system), "cores": .integer(run.place.cores),
            "memory": .integer(run.place.memory), "daemon": .string(run.place.daemon), "app": .string(run.place.app),
        ]
        place["manifest"] = run.place.manifest.map(JSONValue.string)
        object["place"] = .object(place)
        object["began"] = .integer(Int(clamping: run.began))
        object["length"] = json(run.length)
        switch run.ending {
        case .completed: object["ending"] = "completed"
        case .interrupted: object["ending"] = "interrupted"
        case .failed(let why):
            object["ending"] = "failed"
            object["failure"] = .string(why)
        }
        object["latency"] = json(run.latency)
        object["latencyByKind"] = .object(
            JSONObject(run.latencyByKind.sorted { $0.key < $1.key }.map { ($0.key, json($0.value)) })
        )
        object["serviceTime"] = json(run.serviceTime)
        object["generatorLag"] = json(run.generatorLag)
        object["faults"] = .array(run.faults.map(json))
        object["hosts"] = .array(run.hosts.map(json))
        object["scenes"] = .array(run.scenes.map(json))
        object["intervals"] = .array(run.intervals.map(json))
        object["coverage"] = run.coverage.map(json)
        return .object(object)
    }

    private static func json(_ plan: SoakPlan) -> JSONValue {
        var object: JSONObject = [
            "rate": .number(plan.rate), "arrival": .string(plan.arrival.rawValue), "duration": json(plan.duration),
            "warmUp": json(plan.warmUp), "clients": .integer(plan.clients), "scenes": .integer(plan.scenes),
            "mix": .object(JSONObject(plan.mix.sorted { $0.key < $1.key }.map { ($0.key, .number($0.value)) })),
            "seed": .string(String(plan.seed)), "percentiles": .array(plan.percentiles.map(JSONValue.number)),
            "objectives": .array(plan.objectives.map(JSONValue.string)), "every": json(plan.every),
            "catchesUp": .bool(plan.catchesUp), "faults": .array(plan.faults.map(JSONValue.string)),
            "inFlight": .integer(plan.inFlight), "script": plan.script.map(JSONValue.string) ?? .null,
            "private": .bool(plan.isPrivate), "app": plan.app.map(JSONValue.string) ?? .null,
            "reset": .bool(plan.resets), "records": .bool(plan.followsRecords),
        ]
        if let shard = plan.shard {
            object["shard"] = ["number": .integer(shard.number), "count": .integer(shard.count)]
        }
        return .object(object)
    }

    static func json(_ interval: SoakInterval) -> JSONValue {
        var object: JSONObject = [
            "start": json(interval.start), "length": json(interval.length), "due": .integer(interval.due),
            "sent": .integer(interval.sent), "answered": .integer(interval.answered),
        ]
        if interval.isWarmUp { object["warmUp"] = true }
        if interval.cutOff != 0 { object["cutOff"] = .integer(interval.cutOff) }
        if !interval.outcomes.isEmpty { object["outcomes"] = json(interval.outcomes) }
        if !interval.errors.isEmpty { object["errors"] = json(interval.errors) }
        if !interval.percentiles.isEmpty {
            object["percentiles"] = .object(
                JSONObject(
                    interval.percentiles.sorted { $0.key < $1.key }
                        .map { (Wording.plain($0.key), .integer(Int(clamping: $0.value))) }
                )
            )
        }
        if let sample = interval.sample { object["sample"] = json(sample) }
        return .object(object)
    }

    private static func json(_ sample: SoakSample) -> JSONValue {
        var object: JSONObject = ["host": .string(sample.host)]
        for (name, value) in [
            ("resident", sample.resident), ("descriptors", sample.descriptors), ("threads", sample.threads),
            ("pending", sample.pending), ("parked", sample.parked), ("coordinators", sample.coordinators),
            ("scenes", sample.scenes), ("connections", sample.connections),
        ] {
            if let value { object[name] = .integer(value) }
        }
        if let time = sample.processorTime { object["processorTime"] = json(time) }
        return .object(object)
    }

    private static func json(_ fault: SoakFault) -> JSONValue {
        var object: JSONObject = [
            "kind": .string(fault.kind.rawValue), "start": json(fault.start), "end": json(fault.end),
            "note": .string(fault.note),
        ]
        if fault.hasFailed { object["failed"] = true }
        if let page = fault.page {
            object["page"] = .string(page.file)
            object["place"] = .integer(page.place)
        }
        return .object(object)
    }

    private static func json(_ coverage: SoakCoverage) -> JSONValue {
        .object(
            JSONObject(
                SoakCoverage.Part.allCases.map { part in
                    let items = (coverage.items[part] ?? []).map { item -> JSONValue in
                        var object: JSONObject = ["name": .string(item.name), "count": .integer(item.count)]
                        object["why"] = item.why.map(JSONValue.string)
                        return .object(object)
                    }
                    return (part.rawValue, .array(items))
                }
            )
        )
    }

    private static func json(_ span: SoakSceneSpan) -> JSONValue {
        [
            "scene": .string(span.scene), "state": .string(span.state), "start": json(span.start),
            "end": json(span.end),
        ]
    }

    private static func json(_ host: SoakHost) -> JSONValue {
        var object: JSONObject = ["id": .string(host.id), "start": json(host.start), "end": json(host.end)]
        if let invocation = host.invocation { object["invocation"] = .string(invocation) }
        if let boot = host.boot { object["boot"] = .string(boot) }
        switch host.ending {
        case .running: object["ending"] = "running"
        case .stopped: object["ending"] = "stopped"
        case .replaced: object["ending"] = "replaced"
        case .killed: object["ending"] = "killed"
        case .cutOff: object["ending"] = "cutOff"
        case .vanished(let why):
            object["ending"] = "vanished"
            if let why { object["reason"] = .string(why) }
        }
        if host.restarts > 0 { object["restarts"] = .integer(host.restarts) }
        object["gaps"] = .array(
            host.gaps.map {
                [
                    "first": .integer($0.first), "last": .integer($0.last), "at": json($0.at),
                    "cause": .string($0.cause.rawValue),
                ]
            }
        )
        if let report = host.report { object["report"] = report.json }
        object["evidence"] = .array(
            host.evidence.map { evidence in
                var object: JSONObject = [
                    "invariant": .string(evidence.invariant.name), "records": .string(evidence.records),
                ]
                if let page = evidence.page { object["page"] = .string(page) }
                if let replay = evidence.replay { object["replay"] = .string(replay) }
                if !evidence.places.isEmpty {
                    object["places"] = .array(
                        evidence.places.sorted { $0.key < $1.key }.map {
                            ["record": .integer($0.key), "place": .integer($0.value)]
                        }
                    )
                }
                return .object(object)
            }
        )
        return .object(object)
    }

    static func json(_ counts: [String: Int]) -> JSONValue {
        .object(JSONObject(counts.sorted { $0.key < $1.key }.map { ($0.key, .integer($0.value)) }))
    }

    /// In nanoseconds.
    private static func json(_ duration: Duration) -> JSONValue { .integer(duration.nanoseconds) }

    /// Every recorded value with its count, and the least and the greatest exactly.
    private static func json(_ histogram: Histogram<UInt64>) -> JSONValue {
        guard histogram.totalCount > 0 else { return ["values": []] }
        // The histogram does not tell values below its first bound apart, except for 0.
        let least = histogram.min > 0 ? histogram.min : histogram.minNonZero == 0 ? 1 : 0
        return [
            "least": .integer(Int(clamping: least)), "most": .integer(Int(clamping: histogram.maxRecorded)),
            "values": .array(
                histogram.recordedValues().map {
                    [
                        .integer(Int(clamping: histogram.lowestEquivalentForValue($0.value))),
                        .integer(Int(clamping: $0.count)),
                    ]
                }
            ),
        ]
    }
}
