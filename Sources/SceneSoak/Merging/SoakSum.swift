internal import Basics
package import Histogram

/// Soaks of several machines, each with a daemon of its own, added up.
///
/// Counts are sums, and so is the distribution of latencies, exactly. Each machine keeps its own verdict: what grows on one does not grow
/// on all, and an objective holds where it holds on each. The sum is guilty if one of them is, and clean if all are and none is missing.
package struct SoakSum: Sendable {
    /// The soak of one machine.
    package struct Part: Sendable {
        /// What it is called, such as its folder.
        package let label: String
        package let run: SoakRun
        package let verdict: SoakVerdict
    }

    /// In the order of their shards, or else as given.
    package let parts: [Part]
    /// How many shards there are; `nil` if the soaks are no shards.
    package let count: Int?
    /// The shards that are not there.
    package let missing: [Int]
    /// As of a single run, over all machines.
    package let latency: Histogram<UInt64>
    package let serviceTime: Histogram<UInt64>
    package let generatorLag: Histogram<UInt64>

    /// - Parameter runs: At least one, each with what it is called.
    /// - Throws: Why they are not soaks of different machines with the same options.
    package init(_ runs: [(label: String, run: SoakRun)]) throws(SoakMismatch) {
        guard let first = runs.first else { throw SoakMismatch("there are no soaks; expected one or more") }
        var ofHost: [String: Int] = [:]
        var ofShard: [Int: String] = [:]
        for (index, (label, run)) in runs.enumerated() {
            if let difference = Self.difference(first.run, run) {
                throw SoakMismatch("\(label) is another soak than \(first.label): \(difference)")
            }
            if let shard = run.plan?.shard, let other = ofShard.updateValue(label, forKey: shard.number) {
                throw SoakMismatch("\(label) and \(other) are both shard \(shard.number) of \(shard.count)")
            }
            for host in run.hosts {
                // A run may meet a host again.
                if let other = ofHost.updateValue(index, forKey: host.id), other != index {
                    throw SoakMismatch("\(label) and \(runs[other].label) are of the same daemon, host \(host.id)")
                }
            }
        }
        parts = runs.map { Part(label: $0.label, run: $0.run, verdict: SoakVerdict(of: $0.run)) }
            .sorted { ($0.run.plan?.shard?.number ?? 0) < ($1.run.plan?.shard?.number ?? 0) }
        count = first.run.plan?.shard?.count
        missing = count.map { (1...$0).filter { ofShard[$0] == nil } } ?? []
        func sum(_ part: (SoakRun) -> Histogram<UInt64>) -> Histogram<UInt64> {
            var sum = SoakRun.histogram()
            for (_, run) in runs { sum.add(part(run)) }
            return sum
        }
        latency = sum(\.latency)
        serviceTime = sum(\.serviceTime)
        generatorLag = sum(\.generatorLag)
    }

    /// What two soaks that are added up must have in common, and have not; `nil` if that is all the same.
    private static func difference(_ one: SoakRun, _ other: SoakRun) -> String? {
        guard one.place.app.hasSameBytes(as: other.place.app) else {
            return "the app is \(other.place.app) instead of \(one.place.app)"
        }
        guard one.place.daemon.hasSameBytes(as: other.place.daemon) else {
            return "the daemon is \(other.place.daemon) instead of \(one.place.daemon)"
        }
        if let one = one.place.manifest, let other = other.place.manifest, !one.hasSameBytes(as: other) {
            return "the app's manifest is \(other) instead of \(one)"
        }
        switch (one.plan, other.plan) {
        case (nil, nil): return nil
        case (nil, _), (_, nil): return "one of them was read from a journal"
        case (let one?, let other?):
            guard one.shard?.count == other.shard?.count else {
                let words = [other, one].map { $0.shard.map { "of \($0.count) shards" } ?? "of no shards" }
                return "it is one \(words[0]) instead of \(words[1])"
            }
            var (first, second) = (one, other)
            // Soaks that are no shards have seeds of their own.
            if one.shard == nil { second.seed = first.seed }
            (first.shard, second.shard) = (nil, nil)
            return first == second ? nil : "it is '\(second.commandLine)' instead of '\(first.commandLine)'"
        }
    }

    /// The verdict on all machines.
    package var conclusion: SoakVerdict.Conclusion {
        let all = Set(parts.map(\.verdict.conclusion))
        if all.contains(.guilty) { return .guilty }
        return all == [.clean] && missing.isEmpty ? .clean : .unknown
    }

    /// The exit status of `scenectl soak merge`, as that of each soak: 0 clean, 1 guilty, 4 unknown.
    package var status: Int32 {
        switch conclusion {
        case .clean: 0
        case .guilty: 1
        case .unknown: 4
        }
    }

    /// The sums over all machines.
    package var totals: SoakTotals { SoakTotals(parts.map(\.verdict.totals)) }

    /// What keeps the sum from being clean, each with its machine; first what makes it guilty.
    package var reasons: [SoakVerdict.Reason] {
        let all = parts.flatMap { part in
            part.verdict.reasons.map { reason in
                SoakVerdict.Reason(kind: reason.kind, text: "\(part.label): \(reason.text)", isGuilt: reason.isGuilt)
            }
        }
        let absent = missing.map { number in
            SoakVerdict.Reason(kind: .unchecked, text: "shard \(number) of \(count ?? 0) is missing", isGuilt: false)
        }
        return all.filter(\.isGuilt) + absent + all.filter { !$0.isGuilt }
    }

    /// The verdict in one sentence.
    package var sentence: String {
        let machines = Wording.counted(parts.count, "machine")
        let (reasons, most) = (reasons, 2)
        let texts = reasons.prefix(most).map(\.text).joined(separator: "; ")
        let rest = reasons.count > most ? ", and \(reasons.count - most) more" : ""
        switch conclusion {
        case .guilty: return "Guilty: \(texts)\(rest)."
        case .unknown: return "Unknown: nothing wrong was found on \(machines), but \(texts)\(rest)."
        case .clean:
            let count = parts.first?.verdict.objectives.count ?? 0
            let met =
                count == 0 ? "" : ", \(count == 1 ? "the objective is" : "all \(count) objectives are") met on each"
            return
                "Clean: on \(machines) and \(Wording.counted(totals.answered, "event")) nothing was lost, every invariant holds\(met)."
        }
    }
}

/// Why soaks cannot be added up.
package struct SoakMismatch: Error, Hashable, Sendable {
    /// A phrase without a full stop.
    package let text: String

    init(_ text: String) { self.text = text }
}
