internal import Basics
internal import Histogram

extension SoakComparison {
    /// Differences between two soaks apart from the daemon.
    static func warnings(_ before: SoakRun, _ after: SoakRun) -> [String] {
        var warnings: [String] = []
        func compare(_ what: String, _ one: String, _ other: String) {
            if one != other { warnings.append("\(what) differs: \(one) and \(other).") }
        }
        let (one, other) = (before.place, after.place)
        compare("the system", one.system, other.system)
        compare("the number of cores", "\(one.cores)", "\(other.cores)")
        compare("the memory", Wording.bytes(Double(one.memory)), Wording.bytes(Double(other.memory)))
        compare("the app", one.app, other.app)
        switch (before.plan, after.plan) {
        case (nil, nil): warnings.append("both were read from a journal; the load may not have been the same.")
        case (nil, _), (_, nil):
            warnings.append("one was read from a journal and the other was not; they measure latency differently.")
        case (let one?, let other?):
            compare("the rate", "\(Wording.plain(one.rate))/s", "\(Wording.plain(other.rate))/s")
            compare("the arrival", one.arrival.rawValue, other.arrival.rawValue)
            compare("the duration", one.duration.words, other.duration.words)
            compare("the warm-up", one.warmUp.words, other.warmUp.words)
            compare("the number of clients", "\(one.clients)", "\(other.clients)")
            compare("the number of scenes", "\(one.scenes)", "\(other.scenes)")
            compare("the seed", "\(one.seed)", "\(other.seed)")
            compare("the mix", mix(one), mix(other))
            compare("the faults", list(one.faults), list(other.faults))
            compare("the calls in flight", "\(one.inFlight)", "\(other.inFlight)")
            compare("the script", one.script ?? "none", other.script ?? "none")
            compare(
                "following records",
                one.followsRecords ? "on" : "off",
                other.followsRecords ? "on" : "off"
            )
            compare("catching up", one.catchesUp ? "on" : "off", other.catchesUp ? "on" : "off")
        }
        for (name, run) in [("the first", before), ("the second", after)] {
            switch run.ending {
            case .completed: break
            case .interrupted: warnings.append("\(name) was interrupted after \(Wording.duration(run.length)).")
            case .failed(let why): warnings.append("\(name) could not continue: \(why).")
            }
            let lag = run.generatorLag.valueAtPercentile(99)
            if lag > 1_000_000, lag * 2 > run.latency.valueAtPercentile(99) {
                warnings.append(
                    "the load generator of \(name) itself was late, by \(Wording.latency(Double(lag))); its latencies are not the daemon's."
                )
            }
        }
        return warnings
    }

    private static func mix(_ plan: SoakPlan) -> String {
        list(plan.mix.sorted { $0.key < $1.key }.map { "\($0.key)=\(Wording.plain($0.value))" })
    }

    private static func list(_ words: [String]) -> String { words.isEmpty ? "none" : words.joined(separator: ",") }
}
