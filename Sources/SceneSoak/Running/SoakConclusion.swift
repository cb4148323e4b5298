internal import SceneHistory
package import StrictJSON

/// What a soak comes to without objectives: whether it ran, whether anything was lost, whether the invariants hold.
package struct SoakConclusion: Hashable, Sendable {
    /// As the exit status of `scenectl soak`: 0 well, 1 not, 3 no daemon, 4 unknown.
    package let status: Int32
    /// Why, one sentence each; empty where all is well.
    package let reasons: [String]

    package init(_ run: SoakRun) {
        if case .failed(let reason) = run.ending {
            status = 3
            reasons = ["It could not go on: \(reason)."]
            return
        }
        var bad: [String] = []
        var doubts: [String] = []
        let counts = SoakCounts(run)
        if counts.lost > 0 { bad.append("\(counts.lost) calls were sent and never answered.") }
        for host in run.hosts {
            if case .vanished(let reason) = host.ending {
                bad.append("The daemon of host \(host.id) went away\(reason.map { " (\($0))" } ?? "").")
            }
            for verdict in host.report?.verdicts ?? [] {
                switch verdict.verdict {
                case .holds: continue
                case .violated(_, let count):
                    bad.append(
                        "Invariant \(verdict.invariant.rawValue) was violated \(count) times: \(verdict.invariant.promise)."
                    )
                case .unknown(let reason):
                    // Who is killed leaves debts; who is watched with gaps leaves doubts.
                    guard host.ending != .killed || !host.gaps.isEmpty else { continue }
                    doubts.append("Invariant \(verdict.invariant.rawValue) cannot be decided: \(reason).")
                }
            }
        }
        if counts.answered == 0 { doubts.append("Nothing was answered.") }
        reasons = bad + doubts
        status = bad.isEmpty ? doubts.isEmpty ? 0 : 4 : 1
    }

    /// The last lines of what a person reads.
    package var text: String {
        let word =
            switch status {
            case 0: "WELL"
            case 4: "UNKNOWN"
            default: "NOT WELL"
            }
        let more = reasons.count > 6 ? ["and \(reasons.count - 6) more"] : []
        return (["verdict: \(word)"] + (reasons.prefix(6) + more).map { "  \($0)" }).joined(separator: "\n")
    }

    /// The run in short, for a program.
    package func json(_ run: SoakRun) -> JSONValue {
        let counts = SoakCounts(run)
        func object(_ counts: [String: Int]) -> JSONValue {
            .object(JSONObject(counts.sorted { $0.key < $1.key }.map { ($0.key, JSONValue.integer($0.value)) }))
        }
        let percentiles = LoadTally.percentiles(run.plan?.percentiles ?? [50, 90, 99], of: run.latency)
        let lag = LoadTally.percentiles([99], of: run.generatorLag)
        func latency(_ values: [Double: UInt64]) -> JSONValue {
            .object(
                JSONObject(
                    values.sorted { $0.key < $1.key }.map {
                        (SoakSummary.rank($0.key), JSONValue.integer(Int(clamping: $0.value)))
                    }
                )
            )
        }
        let seed = run.plan.map { JSONValue.integer(Int(clamping: $0.seed)) } ?? .null
        return [
            "status": .integer(Int(status)), "ending": .string("\(run.ending)"),
            "reasons": .array(reasons.map(JSONValue.string)),
            "seed": seed, "due": .integer(counts.due), "sent": .integer(counts.sent),
            "answered": .integer(counts.answered), "cutOff": .integer(counts.cutOff),
            "missed": .integer(counts.missed), "lost": .integer(counts.lost), "outcomes": object(counts.outcomes),
            "errors": object(counts.errors), "latency": latency(percentiles), "generatorLag": latency(lag),
            "faults": .array(
                run.faults.map { fault in
                    [
                        "kind": .string(fault.kind.rawValue), "start": .number(fault.start.seconds),
                        "end": .number(fault.end.seconds), "note": .string(fault.note),
                    ]
                }
            ),
            "hosts": .array(
                run.hosts.map { host in
                    [
                        "host": .string(host.id), "ending": .string("\(host.ending)"),
                        "records": host.report.map { .integer($0.records) } ?? .null,
                    ]
                }
            ),
        ]
    }
}
